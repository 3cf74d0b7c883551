//===- RelaxedCall.cpp - calls of MPI_Allreduce that may be relaxed -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RelaxedCall.h. MPI's constants are macros in some libraries and variables
// in others; the name in the source counts, because values differ.
//===----------------------------------------------------------------------===//
#include "RelaxedCall.h"
#include "format/WaitCalls.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"

namespace evenkeel {
using namespace clang;
using llvm::StringRef;

/// Whether all of \p E is the constant \p Name, also through macros of the
/// program.
static bool isConstant(const Unit &U, const Expr *E, StringRef Name) {
  if (const auto *D = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts()))
    if (D->getDecl()->getIdentifier() && D->getDecl()->getName() == Name)
      return true;
  if (const auto *P = dyn_cast<ParenExpr>(E->IgnoreImpCasts());
      P && U.spelledInFile(P->getLParen()).isValid())
    return isConstant(U, P->getSubExpr(), Name);
  SourceLocation Begin = E->getBeginLoc(), End = E->getEndLoc();
  while (Begin.isMacroID() && End.isMacroID()) {
    // A macro's argument continues where the macro is used.
    if (U.SM.isMacroArgExpansion(Begin) && U.SM.isMacroArgExpansion(End)) {
      Begin = U.SM.getImmediateSpellingLoc(Begin);
      End = U.SM.getImmediateSpellingLoc(End);
      continue;
    }
    SourceLocation First, Last;
    SourceLocation After = End.getLocWithOffset(
        Lexer::MeasureTokenLength(U.SM.getSpellingLoc(End), U.SM, U.LO));
    if (!U.SM.isAtStartOfImmediateMacroExpansion(Begin, &First) ||
        !U.SM.isAtEndOfImmediateMacroExpansion(After, &Last))
      return false;
    if (Lexer::getImmediateMacroName(Begin, U.SM, U.LO) == Name)
      return true;
    Begin = First;
    End = Last;
  }
  return false;
}

namespace {
struct OtherWaits : RecursiveASTVisitor<OtherWaits> {
  const CallExpr *But = nullptr;
  std::string First;

  bool VisitCallExpr(CallExpr *CE) {
    const FunctionDecl *FD = CE == But ? nullptr : CE->getDirectCallee();
    if (!FD || !FD->getIdentifier() || !First.empty())
      return true;
    const std::optional<SyncKind> Wait =
        waitOf(std::string_view(FD->getName()));
    if (Wait == SyncKind::MpiCollective || Wait == SyncKind::MpiWait)
      First = FD->getName().str();
    return true;
  }
};
} // namespace

/// A rank that waits elsewhere in the outermost loop around \p CE, or (\p
/// Inner) in the innermost one, brings nothing into the sum that another waits
/// for.
static std::string waitBeside(const Unit &U, const CallExpr *CE, bool Inner) {
  const Stmt *Loop = nullptr;
  for (const Stmt *S : U.Stack)
    if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S) && (Inner || !Loop))
      Loop = S;
  OtherWaits Visitor;
  Visitor.But = CE;
  if (Loop)
    Visitor.TraverseStmt(const_cast<Stmt *>(Loop));
  return Visitor.First.empty()
             ? ""
             : Visitor.First +
                   " in the same loop waits for ranks that may be behind";
}

std::string whyNotRelaxed(const Unit &U, const CallExpr *CE,
                          const FunctionDecl *FD, Reach Inside) {
  if (!FD->getIdentifier() || FD->getName() != "MPI_Allreduce")
    return "";
  if (CE->getNumArgs() != 6)
    return "MPI_Allreduce has six arguments";
  if (!isConstant(U, CE->getArg(4), "MPI_SUM"))
    return "only sums (MPI_SUM) can be relaxed";
  if (!isConstant(U, CE->getArg(3), "MPI_FLOAT") &&
      !isConstant(U, CE->getArg(3), "MPI_DOUBLE"))
    return "only sums of MPI_FLOAT or MPI_DOUBLE can be relaxed";
  if (Inside != Reach::Serial)
    return "a sum in a parallel region cannot be relaxed";
  return waitBeside(U, CE, true);
}

std::string whyNotWithoutLast(const Unit &U, const CallExpr *CE,
                              const FunctionDecl *FD) {
  return FD->getIdentifier() && FD->getName() == "MPI_Allreduce"
             ? waitBeside(U, CE, false)
             : "";
}

bool relaxCall(Pending &P, const TokenTable &T, size_t First, size_t Last,
               const std::string &Id) {
  size_t Open = First;
  if (Open < Last && T[Open].Kind == tok::coloncolon)
    ++Open;
  if (Open + 1 >= Last || T.text(Open) != "MPI_Allreduce" ||
      T[++Open].Kind != tok::l_paren)
    return false;
  // ek_relaxed is a macro, which only parentheses protect commas from.
  unsigned Depth = 0, Commas = 0;
  for (size_t I = Open; I <= Last; ++I) {
    if (T[I].InDirective)
      return false;
    Depth += T[I].Kind == tok::l_paren;
    Depth -= T[I].Kind == tok::r_paren;
    Commas += T[I].Kind == tok::comma && Depth == 1;
  }
  if (Commas != 5)
    return false;
  const std::string &When = P.F.Relaxed->Last;
  P.F.Edits.push_back({T[First].Offset, T[Open].end() - T[First].Offset, 0,
                       "ek_relaxed(" + Id + ", " +
                           std::to_string(P.F.Relaxed->Bound) + ", " +
                           (When.empty() ? "0" : "(" + When + ")") + ", "});
  return true;
}

} // namespace evenkeel
