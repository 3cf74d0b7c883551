//===- PointerTargets.h - what calls through pointers may reach -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which functions of the unit a call through a pointer, or of a virtual
// function, may run, among those that could allocate for it: they return a
// pointer and take a number as wide as one, and the call passes what they take.
// Types that machine code does not tell apart are one (format/CallShape.h), so
// that the passes find the same.
// Not here: functions of other units; which of them allocate.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_POINTERTARGETS_H
#define EVENKEEL_REWRITER_POINTERTARGETS_H

#include "unit/Unit.h"

namespace evenkeel {

/// Whether a call through \p CE is decided when it runs.
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
  /// Of functions that \p Counts says yes to; of all without.
  explicit PointerTargets(const Unit &U, Filter Counts = nullptr)
      : U(U), Counts(std::move(Counts)) {}
  /// Empty where \p CE says which function it calls.
  const Functions &of(const clang::CallExpr *CE);
};

} // namespace evenkeel

#endif
