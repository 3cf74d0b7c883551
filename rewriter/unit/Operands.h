//===- Operands.h - text beside an operand of a call ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: an expression of C++ is annotated by a temporary that is made before
// one of its operands is evaluated and is destroyed with the full expression:
//   f(a)   ->   f(((void)::ek::CLASS(ID), a))
// A comma keeps type and value category of its right operand, so overloads,
// elision and references are as before.
// Makes: the operand for that, or the named reason why there is none.
// Not here: which expressions are annotated (Containers, MakerCalls).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_OPERANDS_H
#define EVENKEEL_REWRITER_OPERANDS_H

#include "Unit.h"
#include "clang/AST/ExprCXX.h"

namespace evenkeel {

/// The id in `(void)CLASS(ID), x`, or 0.
uint64_t temporaryId(const clang::BinaryOperator *Comma, llvm::StringRef Class);

/// Whether \p S passes operands on to a function.
bool isCall(const clang::Stmt *S);

class Operands {
  const Unit &U;

public:
  /// Where and how the annotation of an expression goes.
  struct Wrap {
    const clang::Expr *Inside = nullptr; // the operand that gets it
    const clang::Expr *Whole = nullptr;  // closed behind this; null: it is not
    bool All = false;                    // around the whole expression
    unsigned Depth = 0;                  // of expressions around, in its file
    size_t Stacked = 0;                  // and in all
  };

  explicit Operands(const Unit &U) : U(U) {}
  /// Whether `((void)x, Arg)` means the same as Arg there.
  bool isSuitable(const clang::Expr *Arg) const;
  const clang::Expr *firstSuitable(llvm::ArrayRef<const clang::Expr *> Args,
                                   const char *&Refused) const;
  Wrap wrapOf(const clang::Expr *E, const char *&Refused) const;
  /// Inside of another call's operands, the annotation of \p E has to end
  /// before that call begins. Refused where it cannot and \p Claims says that
  /// the other call would take it for its own.
  void nest(const clang::Expr *E, Wrap &W, const char *&Refused,
            llvm::function_ref<bool(const clang::Expr *)> Claims) const;
};

/// Puts \p Tag, a temporary, where \p W says, and its end with the finding's
/// id; in the text of the macro that supplies \p Name, where one does.
void annotate(Unit &U, Pending &P, const Operands::Wrap &W,
              const std::string &Tag, clang::SourceLocation Name);

} // namespace evenkeel

#endif
