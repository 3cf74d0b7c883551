//===- Containers.h - library calls that allocate ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to annotate expressions of the user in which a library allocates
// (rules/container.md): those that make a standard container grow and, with a
// plan, those at the place of a planned site. The analysis identifies such
// memory by the user's call.
// Not here: which calls make containers grow (LibraryCalls).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_CONTAINERS_H
#define EVENKEEL_REWRITER_CONTAINERS_H

#include "Rule.h"
#include "unit/Operands.h"
#include "clang/AST/ExprCXX.h"

namespace evenkeel {

class Containers : public Rule {
  /// An expression of the user in which a library may allocate.
  struct Use {
    Pending P;
    clang::SourceLocation Place;
    bool Grows = false;     // known from its types
    bool Dependent = false; // decided by the template's instances
  };
  Unit &U;
  Operands Text{U};
  std::vector<Use> Uses;
  /// Planned sites by id, to report those where no library call is found.
  std::map<uint64_t, Finding> Planned;

  void notePlanned(clang::SourceLocation Loc);
  void note(const clang::Expr *E, clang::SourceLocation Place, bool Grows,
            bool Dependent, Operands::Wrap W, const char *Refused);
  void dependentInit(const clang::Expr *Init, clang::SourceLocation Place);
  void makeEdits(Pending &P, const Operands::Wrap &W,
                 clang::SourceLocation Place);

public:
  explicit Containers(Unit &U) : U(U) {}
  void variable(const clang::VarDecl *VD) override;
  void expression(const clang::Expr *E) override;
  void initializer(const clang::CXXCtorInitializer *Init) override;
  /// Call after the walk, before the unit's finish().
  void decide() override;
  /// Call when the unit's own findings are in the result.
  void finish() override;
};

} // namespace evenkeel

#endif
