//===- WrapperFunctions.h - functions that allocate for others --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which functions of the program are allocation wrappers: they return
// what an allocation gave them, or are said to: by their declaration, by
// people, by the unit that defines them (rules/wrapper.md).
// Leaves out: their calls (WrapperCalls); when which unit is looked at.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_WRAPPERFUNCTIONS_H
#define EVENKEEL_REWRITER_WRAPPERFUNCTIONS_H

#include "Unit.h"
#include "llvm/ADT/DenseMap.h"

namespace evenkeel {

class WrapperFunctions {
  Unit &U;
  llvm::DenseMap<const clang::FunctionDecl *, bool> Known;

  bool returnsAllocation(const clang::FunctionDecl *Definition, unsigned Depth);
  bool isSaid(const clang::FunctionDecl *FD) const;

public:
  explicit WrapperFunctions(Unit &U) : U(U) {}
  /// Whether \p FD is one; \p Depth of them are being looked at already. The
  /// whole unit has to be parsed.
  bool contains(const clang::FunctionDecl *FD, unsigned Depth = 0);
  /// Whether another unit may define \p FD as one.
  static bool mayBeElsewhere(const clang::FunctionDecl *FD);
  /// Whether another unit that was read does.
  static bool isElsewhere(const Unit &U, const clang::FunctionDecl *FD);
};

} // namespace evenkeel

#endif
