//===- Containers.h - calls of libraries that allocate ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how the user's expressions in which a library allocates are annotated
// (rules/container.md): those that grow a standard container, and, with a plan,
// those whose place the plan has a site for. The analysis gives such memory the
// identity of the user's call.
// Not here: which calls grow containers (LibraryCalls).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_CONTAINERS_H
#define EVENKEEL_REWRITER_CONTAINERS_H

#include "Rule.h"
#include "unit/Operands.h"
#include "clang/AST/ExprCXX.h"

namespace evenkeel {

class Containers : public Rule {
  /// An expression of the user's in which a library may allocate.
  struct Use {
    Pending P;
    clang::SourceLocation Place;
    bool Grows = false;     // known from its types
    bool Dependent = false; // its instantiations know
  };
  Unit &U;
  Operands Text{U};
  std::vector<Use> Uses;
  /// Places of calls that the plan has a site for, by its id, to report those
  /// that are no call of a library after all.
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
  /// After the walk, before the unit's finish.
  void decide() override;
  /// After the unit's own findings are in the result.
  void finish() override;
};

} // namespace evenkeel

#endif
