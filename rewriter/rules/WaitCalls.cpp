//===- WaitCalls.cpp - calls in which tasks wait --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WaitCalls.h. Rule: rules/wait-call.md.
//===----------------------------------------------------------------------===//
#include "WaitCalls.h"
#include "edits/WholeText.h"
#include "format/WaitCalls.h"
#include "relaxed/RelaxedCall.h"
#include "unit/Instances.h"
#include "unit/OpenMPKinds.h"
#include "clang/Lex/Lexer.h"

namespace evenkeel {
using namespace clang;
using llvm::StringRef;

namespace {

/// The kind of wait in \p FD, if it waits.
std::optional<SyncKind> waitIn(const FunctionDecl *FD) {
  if (!FD || !FD->getIdentifier())
    return std::nullopt;
  std::string_view Name = FD->getName();
  if (const auto *M = dyn_cast<CXXMethodDecl>(FD)) {
    const CXXRecordDecl *Class = M->getParent();
    return Class->isInStdNamespace() && Class->getIdentifier()
               ? waitOf(Class->getName(), Name)
               : std::nullopt;
  }
  return isLibraryLevel(FD) ? waitOf(Name) : std::nullopt;
}

/// Whether a member function named \p Member waits in some class.
bool mayWait(StringRef Member) {
  for (std::string_view Class : {"barrier", "thread"})
    if (waitOf(Class, std::string_view(Member)))
      return true;
  return false;
}

Reach contextOf(const Unit &U, SyncKind Wait) {
  if (Wait == SyncKind::ThreadBarrier)
    return Reach::Team;
  const Reach Inside = reachInside(U.Frames.back().Directives);
  return Inside == Reach::Unknown ? Reach::Serial : Inside;
}

const CallExpr *callOf(const Expr *E) {
  return dyn_cast<CallExpr>(E->IgnoreParenImpCasts());
}

} // namespace

void WaitCalls::binary(const BinaryOperator *BO) {
  if (BO->getOpcode() != BO_Comma)
    return;
  const CallExpr *Left = callOf(BO->getLHS()), *Right = callOf(BO->getRHS());
  const FunctionDecl *FD = Right ? Right->getDirectCallee() : nullptr;
  if (Left && FD && FD->getIdentifier() && FD->getName() == "ek_sync" &&
      Right->getNumArgs() == 2)
    Annotated[Left] = literal(Right->getArg(0));
}

Pending WaitCalls::begin(const CallExpr *CE, SyncKind Wait, std::string Form,
                         QualType Result) {
  Pending P;
  P.F.Class = Finding::Group::Sync;
  P.F.Key.Kind = syncKey(Wait);
  P.F.Form = std::move(Form);
  P.F.Context = contextOf(U, Wait);
  Result = Result.getCanonicalType();
  P.MakeEdits = [this, CE, Partial = !allWait(Wait),
                 Void = Result->isVoidType()](Pending &P) {
    makeEdits(P, CE, Partial, Void);
  };
  if (auto It = Annotated.find(CE); It != Annotated.end()) {
    P.LiteralId = It->second;
    P.F.What = Finding::State::Already;
  } else if (!Result->isVoidType() && Result != U.Context.IntTy) {
    skip(P, "result-type");
  }
  return P;
}

void WaitCalls::call(const CallExpr *CE) {
  const FunctionDecl *FD = CE->getDirectCallee();
  if (!FD)
    FD = namedFunction(CE->getCallee());
  if (FD && FD->getIdentifier() && FD->getName() == "ek_after" &&
      CE->getNumArgs() == 3)
    if (const CallExpr *Inner = callOf(CE->getArg(2)))
      Annotated[Inner] = literal(CE->getArg(0));
  std::optional<SyncKind> Wait = waitIn(FD);
  if (!Wait)
    return dependent(CE);
  Pending P =
      begin(CE, *Wait, FD->getQualifiedNameAsString(), FD->getReturnType());
  if (P.F.What != Finding::State::Already && !isa<CXXMethodDecl>(FD) &&
      isUserDefined(U, FD))
    skipUnlisted(P, "user-function");
  P.F.NotRelaxed = whyNotRelaxed(U, CE, FD, P.F.Context);
  P.F.WaitsAround = whyNotWithoutLast(U, CE, FD);
  if (U.locate(P, CE->getExprLoc()))
    U.add(std::move(P));
}

/// A member call on an object whose type depends on template arguments.
void WaitCalls::dependent(const CallExpr *CE) {
  const auto *M = dyn_cast<CXXDependentScopeMemberExpr>(CE->getCallee());
  if (!M || !M->getMember().getAsIdentifierInfo() ||
      !mayWait(M->getMember().getAsIdentifierInfo()->getName()))
    return;
  // The instances decide later, but the position of the walk is needed now.
  Pending P = begin(CE, SyncKind::ThreadJoin, M->getMember().getAsString(),
                    U.Context.VoidTy);
  if (U.locate(P, M->getMemberLoc()))
    Undecided.push_back({CE, std::move(P)});
}

void WaitCalls::decide() {
  if (Undecided.empty())
    return;
  struct Instances : InstanceVisitor<Instances> {
    /// By place of the member's name; an empty kind: not a wait.
    std::map<SourceLocation, std::set<std::optional<SyncKind>>> Kinds;
    std::map<SourceLocation, std::string> Forms;
    bool VisitCXXMemberCallExpr(CXXMemberCallExpr *CE) {
      const FunctionDecl *FD = CE->getDirectCallee();
      if (!FD || !FD->getIdentifier() || !mayWait(FD->getName()))
        return true;
      Kinds[CE->getExprLoc()].insert(waitIn(FD));
      Forms[CE->getExprLoc()] = FD->getQualifiedNameAsString();
      return true;
    }
  } Visitor;
  Visitor.walk(U);
  for (auto &[CE, P] : Undecided) {
    const std::set<std::optional<SyncKind>> &Found = Visitor.Kinds[P.Order];
    std::optional<SyncKind> Wait;
    if (!Found.empty())
      Wait = *Found.rbegin();
    if (!Wait) // no instance, or none that waits
      continue;
    P.F.Key.Kind = syncKey(*Wait);
    P.F.Form = Visitor.Forms[P.Order];
    if (Wait == SyncKind::ThreadBarrier)
      P.F.Context = Reach::Team;
    if (Found.size() > 1 && P.F.What == Finding::State::Rewritten)
      skip(P, "some-instances");
    U.add(std::move(P));
  }
  Undecided.clear();
}

void WaitCalls::makeEdits(Pending &P, const CallExpr *CE, bool Partial,
                          bool Void) {
  // Either written in the file, or the whole expansion of a macro.
  SourceLocation Begin = U.spelledInFile(CE->getBeginLoc());
  SourceLocation End = U.spelledInFile(CE->getRParenLoc());
  if ((Begin.isValid() && U.Quoted.count(Begin)) ||
      (End.isValid() && U.Quoted.count(End)))
    return skip(P, "macro-stringised");
  if (Begin.isInvalid() &&
      !Lexer::isAtStartOfMacroExpansion(CE->getBeginLoc(), U.SM, U.LO, &Begin))
    return skipInMacroBody(P);
  if (End.isInvalid() &&
      !Lexer::isAtEndOfMacroExpansion(CE->getRParenLoc(), U.SM, U.LO, &End))
    return skipInMacroBody(P);
  auto [File, Offset] = U.SM.getDecomposedLoc(Begin);
  auto [EndFile, EndOffset] = U.SM.getDecomposedLoc(End);
  TokenTable &T = U.table(File);
  size_t First = T.at(Offset);
  size_t Last = File == EndFile ? T.at(EndOffset) : TokenTable::None;
  if (First == TokenTable::None || Last == TokenTable::None || Last < First)
    return skipInMacroBody(P);
  P.F.Anchor = Offset;
  if (T[First].InDirective)
    return skip(P, "in-directive");
  const bool Conditional = hasDirective(T, First, Last);
  if (!isWhole(T, First, Last)) // commas would also split a macro's argument
    return Conditional ? skip(P, "conditional-call") : skipInMacroBody(P);
  if (!U.claimFile(P, File))
    return;
  if (P.F.isRelaxed() && !relaxCall(P, T, First, Last, U.idText(P)))
    P.F.NotRelaxed = "the text is no plain call with six arguments";
  std::string Context(1, HookContext);
  if (Partial || P.F.isRelaxed())
    Context += " | EK_PARTIAL";
  const std::string Arguments = U.idText(P) + ", " + Context;
  std::string Before, After = ")";
  if (!Conditional) {
    Before = (Void ? "ek_after_void(" : "ek_after(") + Arguments + ", ";
  } else if (Void) { // no directives in the arguments of a macro
    Before = "((";
    After = "), ek_sync(" + Arguments + "))";
  } else {
    Before = "EK_AFTER(" + Arguments + ") ";
    After = "))";
  }
  P.F.Edits.push_back({T[First].Offset, 0, 0, Before});
  P.F.Edits.push_back({T[Last].end(), 0, -100000, After});
  U.noteEdit(File, T[First].Offset);
}

} // namespace evenkeel

EK_REWRITE_RULE(WaitCalls, 40)
