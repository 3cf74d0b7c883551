//===- StaticArrays.h - large variables of static storage -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which variables of static storage are objects worth placing, and how
// they are registered with the run time (rules/static-array.md).
// Not here: memory from allocation calls.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_STATICARRAYS_H
#define EVENKEEL_REWRITER_STATICARRAYS_H

#include "Rule.h"
#include <set>

namespace evenkeel {

/// Smaller ones stay with the system, as small blocks do.
inline constexpr int64_t SmallestGlobal = 64 * 1024;

class StaticArrays : public Rule {
  Unit &U;
  std::set<const clang::VarDecl *> Patterns; // with an instance found

  void makeEdits(Pending &P, const clang::VarDecl *VD);

public:
  explicit StaticArrays(Unit &U) : U(U) {}
  void variable(const clang::VarDecl *VD) override;
};

} // namespace evenkeel

#endif
