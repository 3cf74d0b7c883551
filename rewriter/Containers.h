//===- Containers.h - calls of libraries that allocate ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: at which calls of the user a library (a container's constructor,
// `resize`) allocates. The analysis gives such memory the identity of that
// call; no AST shows that the call allocates, but a plan's ids do.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_CONTAINERS_H
#define EVENKEEL_REWRITER_CONTAINERS_H

#include "Unit.h"

namespace evenkeel {

class Containers {
  Unit &U;
  /// Places of calls that the plan has a site for, by its id. Those that turn
  /// out to be no allocation by themselves call a library that allocates.
  std::map<uint64_t, Finding> Planned;

  void note(clang::SourceLocation Loc);

public:
  explicit Containers(Unit &U) : U(U) {}
  void variable(const clang::VarDecl *VD);
  void expression(const clang::Expr *E);
  void initializer(const clang::CXXCtorInitializer *Init);
  /// After the unit's own findings are in the result.
  void finish();
};

} // namespace evenkeel

#endif
