//===- Operands.h - annotations beside an operand of a call -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a C++ expression is annotated by a temporary that is constructed
// before one of its operands is evaluated and destroyed with the full
// expression:
//   f(a)   ->   f(((void)::ek::CLASS(ID), a))
// A comma keeps the type and value category of its right operand, so overloads,
// elision and references are as before.
// Makes: the operand, or the named reason why there is none.
// Not here: which expressions are annotated (Containers, MakerCalls).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_OPERANDS_H
#define EVENKEEL_REWRITER_OPERANDS_H

#include "Unit.h"
#include "clang/AST/ExprCXX.h"

namespace evenkeel {

/// The id in `(void)CLASS(ID), x`, or 0.
uint64_t temporaryId(const clang::BinaryOperator *Comma, llvm::StringRef Class);
/// The id in `((void)CLASS(ID), x)` if \p E is that, or 0. \p E may be null.
uint64_t temporaryIdIn(const clang::Expr *E, llvm::StringRef Class);
/// The id in `(void)CLASS(ID), E`, or 0. \p E is on top of \p Stack.
uint64_t temporaryIdAround(const clang::Expr *E,
                           llvm::ArrayRef<const clang::Stmt *> Stack,
                           llvm::StringRef Class);

/// Whether \p S passes operands to a function.
bool isCall(const clang::Stmt *S);

class Operands {
  const Unit &U;

public:
  /// Where and how to annotate an expression.
  struct Wrap {
    const clang::Expr *Inside = nullptr; // the annotated operand
    const clang::Expr *Whole =
        nullptr;      // the annotation ends after this; null: it is not closed
    bool All = false; // annotates the whole expression
    unsigned Depth = 0; // number of enclosing expressions in its file
    size_t Stacked = 0; // number of all enclosing expressions
  };

  explicit Operands(const Unit &U) : U(U) {}
  /// Whether `((void)x, Arg)` means the same as Arg there.
  bool isSuitable(const clang::Expr *Arg) const;
  const clang::Expr *firstSuitable(llvm::ArrayRef<const clang::Expr *> Args,
                                   const char *&Refused) const;
  Wrap wrapOf(const clang::Expr *E, const char *&Refused) const;
  /// If \p E is an operand of another call, its annotation has to end before
  /// that call begins. Sets \p Refused if that is impossible and \p Claims says
  /// that the other call would take over the annotation.
  void nest(const clang::Expr *E, Wrap &W, const char *&Refused,
            llvm::function_ref<bool(const clang::Expr *)> Claims) const;
};

/// Puts \p Before, which opens a parenthesis, at the place \p W, closed by the
/// finding's id; if a macro supplies \p Name, in the macro's text.
void annotate(Unit &U, Pending &P, const Operands::Wrap &W,
              const std::string &Before, clang::SourceLocation Name);

} // namespace evenkeel

#endif
