//===- Waits.h - which calls are sync points --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the waits of LLVM's OpenMP runtime with kmp.h's ident flags, those of
// libraries (format/WaitCalls.h), and the ids that a rewritten program has
// around them.
// Leaves out: places and ids (Inventory.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_OBJECTS_WAITS_H
#define EVENKEEL_PASSES_OBJECTS_WAITS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"
#include <string_view>

namespace evenkeel {

/// Kind of the wait a call of the OpenMP runtime stands for; empty: none.
llvm::StringRef syncKind(const llvm::CallBase &CB);
/// The family of the wait that a call of a library is (format/WaitCalls.h).
std::string_view waitFamilyOf(const llvm::CallBase &CB);
/// The id that a rewritten program has around such a call, or 0.
uint64_t waitLiteral(const llvm::CallBase &CB);

} // namespace evenkeel

#endif
