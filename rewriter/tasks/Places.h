//===- Places.h - where expressions point to --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which data an expression names or points to, at which offset, and the
// value of an integer expression, in terms of variables at the beginning of a
// piece of code: local pointers and integers that get a value once are replaced
// by it, and counters of loops by their range.
// Not here: which expressions read and which write (UsedData).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_TASKS_PLACES_H
#define EVENKEEL_REWRITER_TASKS_PLACES_H

#include "Bytes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtOpenMP.h"
#include <set>

namespace evenkeel {

struct Place {
  std::optional<DataKey> Object; // nullopt: unknown
  std::optional<Bytes> Offset;   // from its beginning; nullopt: unknown
};

class Places {
  const clang::ASTContext &Context;
  struct Counter {
    DataKey Key;
    Bytes Low, High;
  };
  std::map<const clang::VarDecl *, Place> Pointers;
  std::map<const clang::VarDecl *, Bytes> Numbers;
  std::vector<Counter> Counters; // outermost first

  Place moved(Place P, const clang::Expr *By, clang::QualType Element,
              int Sign) const;
  std::optional<Place> ofOperator(const clang::Expr *E) const;

public:
  std::set<const clang::Decl *> Changed; // assigned more than once, or unknown
  std::set<const clang::Decl *> Counted; // counters in heads of loops
  std::set<const clang::Decl *> Own;     // declared in the code

  explicit Places(const clang::ASTContext &Context) : Context(Context) {}

  /// Adds to Changed what \p S assigns, but for Counted.
  void findChanges(const clang::Stmt *S);
  /// A declaration in the code.
  void declare(const clang::VarDecl *V);
  /// The loop's counter has its range from here on. False: it has none.
  bool enter(const clang::ForStmt *F);
  void leave() { Counters.pop_back(); }

  /// Of the lvalue \p E.
  Place place(const clang::Expr *E) const;
  /// Of what the pointer \p E points to.
  Place pointer(const clang::Expr *E) const;
  std::optional<Bytes> number(const clang::Expr *E,
                              bool MayDivide = false) const;
  /// \p Low and \p High over all counters; nullopt if the code's own variables
  /// are left.
  bool spread(std::optional<Bytes> &Low, std::optional<Bytes> &High) const;
  double sizeOf(clang::QualType T) const;
};

} // namespace evenkeel

#endif
