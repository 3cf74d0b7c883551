//===- Rule.h - what a rule of the rewriter is told -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the events of a walk over one unit. Each file of rules/ defines one
// rule, `rules::NAME`, where NAME is the file's own; the build makes the table
// of all rules from the names of the files (cmake/FileTable.cmake), so that a
// new file is all that a new rule takes.
// Not here: the walk (walk/Collect.cpp), and what rules share (unit/Unit.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_RULES_RULE_H
#define EVENKEEL_REWRITER_RULES_RULE_H

#include "allocators/WrapperFunctions.h"
#include "unit/Unit.h"
#include <memory>
#include <vector>

namespace evenkeel {

/// One rule during the walk over one unit. Events come in the order of the
/// source; at a statement, Unit::Stack holds the statements around it.
class Rule {
public:
  virtual ~Rule() = default;

  /// \p FD is declared or defined here, and is not among Unit::Frames yet.
  virtual void function(const clang::FunctionDecl *) {}
  virtual void variable(const clang::VarDecl *) {}
  virtual void initializer(const clang::CXXCtorInitializer *) {}
  /// Any statement but a captured one, before it goes on Unit::Stack.
  virtual void statement(const clang::Stmt *) {}
  /// An OpenMP directive that may fork or wait. It is on top of Unit::Stack,
  /// and not yet among the directives of its frame.
  virtual void directive(const clang::OMPExecutableDirective *) {}
  virtual void expression(const clang::Expr *) {}
  virtual void newExpression(const clang::CXXNewExpr *) {}
  virtual void call(const clang::CallExpr *) {}
  virtual void binary(const clang::BinaryOperator *) {}
  /// A function's name. The callee of a call comes after the call itself.
  virtual void reference(const clang::DeclRefExpr *) {}
  virtual void reference(const clang::UnresolvedLookupExpr *) {}
  /// After the walk: decides what only instantiations of templates know.
  virtual void decide() {}
  /// After the unit's findings are in the result.
  virtual void finish() {}
};

/// How a rule is made. Where two rules want the same place, the one of the
/// smaller Rank comes first.
struct RuleMaker {
  unsigned Rank;
  std::unique_ptr<Rule> (*Make)(Unit &, WrapperFunctions &);
};

/// Those of all rules, in the order of their ranks.
std::vector<const RuleMaker *> allRules();

} // namespace evenkeel

/// Defines the rule of the file File.cpp: a class of the same name that is made
/// of the unit, or (EK_RULE_OF_WRAPPERS) of the unit and its allocation
/// wrappers.
#define EK_RULE(File, Rank)                                                    \
  namespace evenkeel::rules {                                                  \
  extern const RuleMaker File;                                                 \
  const RuleMaker File = {                                                     \
      Rank, [](Unit &U, WrapperFunctions &) -> std::unique_ptr<Rule> {         \
        return std::make_unique<evenkeel::File>(U);                            \
      }};                                                                      \
  }
#define EK_RULE_OF_WRAPPERS(File, Rank)                                        \
  namespace evenkeel::rules {                                                  \
  extern const RuleMaker File;                                                 \
  const RuleMaker File = {                                                     \
      Rank, [](Unit &U, WrapperFunctions &W) -> std::unique_ptr<Rule> {        \
        return std::make_unique<evenkeel::File>(U, W);                         \
      }};                                                                      \
  }

#endif
