//===- StaticArrays.h - large static variables ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which static variables are large enough to be placed, and how they are
// registered with the runtime (rules/static-array.md).
// Not here: memory from allocation calls.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_STATICARRAYS_H
#define EVENKEEL_REWRITER_STATICARRAYS_H

#include "Rule.h"
#include <set>

namespace evenkeel {

class StaticArrays : public Rule {
  Unit &U;
  std::set<const clang::VarDecl *> Patterns; // patterns with a known instance

  void makeEdits(Pending &P, const clang::VarDecl *VD);

public:
  explicit StaticArrays(Unit &U) : U(U) {}
  void variable(const clang::VarDecl *VD) override;
};

} // namespace evenkeel

#endif
