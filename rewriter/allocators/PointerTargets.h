//===- PointerTargets.h - possible targets of indirect calls ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which functions of the unit an indirect or virtual call may reach,
// among those that could allocate for the caller: they return a pointer, take a
// parameter as wide as a pointer, and their parameters match the call's
// arguments. Types with the same machine representation count as equal
// (format/CallShape.h), so that the passes find the same targets.
// Not here: functions of other units; which of the targets allocate.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_POINTERTARGETS_H
#define EVENKEEL_REWRITER_POINTERTARGETS_H

#include "unit/Unit.h"

namespace evenkeel {

/// Whether the call \p CE is dispatched at run time.
bool isVirtualCall(const clang::CallExpr *CE);

class PointerTargets {
  using Functions = std::vector<const clang::FunctionDecl *>;

  using Filter = std::function<bool(const clang::FunctionDecl *)>;

  const Unit &U;
  Filter Counts;
  bool Looked = false;
  std::map<std::string, Functions> ByShape;

  void look();

public:
  /// Only functions that satisfy \p Counts; without it, all.
  explicit PointerTargets(const Unit &U, Filter Counts = nullptr)
      : U(U), Counts(std::move(Counts)) {}
  /// Empty if \p CE is a direct call.
  const Functions &of(const clang::CallExpr *CE);
};

} // namespace evenkeel

#endif
