//===- InputRows.h - inputs in facts.json and as text -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the form of an InputRow in facts.json, and in words.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_FACTS_INPUTROWS_H
#define EVENKEEL_PASSES_FACTS_INPUTROWS_H

#include "access/Rows.h"

namespace evenkeel {

llvm::json::Object inputJson(const InputRow &I);
/// "2*argument 1", "option -n or 100".
std::string inputText(const CountRef &C, llvm::ArrayRef<InputRow> Rows);

} // namespace evenkeel

#endif
