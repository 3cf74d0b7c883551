//===- StackArrays.h - large variables on the stack -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which local variables the analysis counts as objects: arrays and
// structures of 64 KiB or more, and arrays of variable length.
// Not here: edits; stack memory is not placed (rules/left-calls.md).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_STACKARRAYS_H
#define EVENKEEL_REWRITER_STACKARRAYS_H

#include "Rule.h"

namespace evenkeel {

class StackArrays : public Rule {
  Unit &U;

public:
  explicit StackArrays(Unit &U) : U(U) {}
  void variable(const clang::VarDecl *VD) override;
};

} // namespace evenkeel

#endif
