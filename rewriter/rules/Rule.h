//===- Rule.h - the interface of a rule -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the events of a walk over one unit. Each file of rules/ defines one
// rule, `rules::NAME`, where NAME is the file's name. The build makes the table
// of all rules from the file names (cmake/FileTable.cmake), so a new rule only
// needs a new file.
// Not here: the walk (walk/Collect.cpp), and the state that rules share
// (unit/Unit.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_RULES_RULE_H
#define EVENKEEL_REWRITER_RULES_RULE_H

#include "allocators/WrapperFunctions.h"
#include "unit/Unit.h"
#include <memory>
#include <vector>

namespace evenkeel {

/// One rule during the walk over one unit. Events come in source order; at a
/// statement, Unit::Stack holds the enclosing statements.
class Rule {
public:
  virtual ~Rule() = default;

  /// \p FD is declared or defined here, and is not in Unit::Frames yet.
  virtual void function(const clang::FunctionDecl *) {}
  virtual void variable(const clang::VarDecl *) {}
  virtual void initializer(const clang::CXXCtorInitializer *) {}
  /// Any statement but a captured one, before it is pushed on Unit::Stack.
  virtual void statement(const clang::Stmt *) {}
  /// An OpenMP directive that may fork or wait. It is on top of Unit::Stack,
  /// and not yet among its frame's directives.
  virtual void directive(const clang::OMPExecutableDirective *) {}
  virtual void expression(const clang::Expr *) {}
  virtual void newExpression(const clang::CXXNewExpr *) {}
  virtual void call(const clang::CallExpr *) {}
  virtual void binary(const clang::BinaryOperator *) {}
  /// A function's name. A call is visited before its callee.
  virtual void reference(const clang::DeclRefExpr *) {}
  virtual void reference(const clang::UnresolvedLookupExpr *) {}
  /// After the walk: decides what depends on template instances.
  virtual void decide() {}
  /// When the unit's findings are in the result.
  virtual void finish() {}
};

/// How to construct a rule. If two rules apply to the same place, the one with
/// the smaller Rank comes first.
struct RuleMaker {
  unsigned Rank;
  std::unique_ptr<Rule> (*Make)(Unit &, WrapperFunctions &);
};

/// The makers of all rules, ordered by rank.
std::vector<const RuleMaker *> allRules();

} // namespace evenkeel

/// Defines the rule of the file File.cpp: a class of the same name, constructed
/// from the unit, or (EK_REWRITE_RULE_OF_WRAPPERS) from the unit and its
/// allocation wrappers.
#define EK_REWRITE_RULE(File, Rank)                                            \
  namespace evenkeel::rules {                                                  \
  extern const RuleMaker File;                                                 \
  const RuleMaker File = {                                                     \
      Rank, [](Unit &U, WrapperFunctions &) -> std::unique_ptr<Rule> {         \
        return std::make_unique<evenkeel::File>(U);                            \
      }};                                                                      \
  }
#define EK_REWRITE_RULE_OF_WRAPPERS(File, Rank)                                \
  namespace evenkeel::rules {                                                  \
  extern const RuleMaker File;                                                 \
  const RuleMaker File = {                                                     \
      Rank, [](Unit &U, WrapperFunctions &W) -> std::unique_ptr<Rule> {        \
        return std::make_unique<evenkeel::File>(U, W);                         \
      }};                                                                      \
  }

#endif
