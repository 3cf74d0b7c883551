//===- LinkedCalls.cpp - calls decided at link time -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LinkedCalls.h.
//===----------------------------------------------------------------------===//
#include "LinkedCalls.h"
#include "MakerCalls.h"
#include "allocators/LibraryCalls.h"
#include "unit/Instances.h"
#include "unit/OpenMPKinds.h"
#include "clang/AST/ExprConcepts.h"

namespace evenkeel {
using namespace clang;

/// Whether calls here cannot belong to a context.
bool LinkedCalls::isOut() const {
  // Code that is evaluated in other functions.
  if (U.InMemberInit || U.InDefaultArgument)
    return true;
  for (const OMPExecutableDirective *D : U.Frames.back().Directives)
    if (isDeviceDirective(D->getDirectiveKind()))
      return true;
  for (const Stmt *S : U.Stack)
    if (isa<RequiresExpr, CXXTypeidExpr, CoroutineBodyStmt>(S))
      return true;
  return false;
}

void LinkedCalls::add(LinkedCall C, const FunctionDecl *FD) {
  C.Mark = Functions.markOf(FD);
  C.Names = Functions.namesOf(FD);
  U.Result.Linked.Calls.push_back(std::move(C));
  Functions.noteForLinker(FD);
}

/// Does nothing if \p Loc has no place in ids.
void LinkedCalls::note(SourceLocation Loc, const FunctionDecl *FD) {
  const SourceLocation At = U.SM.getExpansionLoc(Loc);
  Pending P;
  P.F.Key.Kind = "wrapper-call";
  if (isOut() || !U.locate(P, At, /*Counts=*/false))
    return;
  LinkedCall C;
  C.Id = entityId(P.F.Key);
  C.File = U.absolutePath(U.SM.getFileID(At));
  C.Offset = P.F.Offset;
  C.Spelled = U.SM.getPresumedLoc(At).getFilename();
  C.Line = P.F.Line;
  C.Column = P.F.Key.Column;
  if (FD)
    add(std::move(C), FD);
  else
    Undecided.push_back({std::move(C), At});
}

void LinkedCalls::expression(const Expr *E) {
  if (!U.Options.LinkDecides || isa<CXXOperatorCallExpr>(E) ||
      !isa<CallExpr, CXXConstructExpr, CXXUnresolvedConstructExpr>(E))
    return;
  const auto *Call = dyn_cast<CallExpr>(E);
  const auto *Made = dyn_cast<CXXConstructExpr>(E);
  if ((Call && isVirtualCall(Call)) ||
      (Made && (Made->isElidable() || E->getBeginLoc().isInvalid())))
    return;
  const FunctionDecl *FD = calledFunction(E);
  if (!FD && Call && !Call->isTypeDependent())
    return; // an indirect call
  if (!FD || FD->isTemplated())
    note(placeOfCall(E), nullptr);
  else if (Functions.mayBecome(FD))
    note(placeOfCall(E), FD);
}

void LinkedCalls::variable(const VarDecl *VD) {
  if (U.Options.LinkDecides && VD->hasInit() &&
      VD->getType()->isDependentType())
    note(VD->getLocation(), nullptr);
}

void LinkedCalls::initializer(const CXXCtorInitializer *Init) {
  if (U.Options.LinkDecides && Init->isWritten() &&
      isa<ParenListExpr>(Init->getInit()->IgnoreImplicit()))
    note(Init->getSourceLocation(), nullptr);
}

void LinkedCalls::decide() {
  if (Undecided.empty())
    return;
  struct Visitor : InstanceVisitor<Visitor> {
    LinkedCalls &Calls;
    std::map<SourceLocation, std::vector<const FunctionDecl *>> Places;
    explicit Visitor(LinkedCalls &Calls) : Calls(Calls) {}
    bool VisitExpr(Expr *E) {
      const FunctionDecl *FD = calledFunction(E);
      const auto *CE = dyn_cast<CallExpr>(E);
      if (!FD || FD->isTemplated() || (CE && isVirtualCall(CE)) ||
          !Calls.Functions.mayBecome(FD))
        return true;
      auto &Of = Places[Calls.U.SM.getExpansionLoc(placeOfCall(E))];
      if (!llvm::is_contained(Of, FD))
        Of.push_back(FD);
      return true;
    }
  } Visit(*this);
  Visit.walk(U);
  for (auto &[C, Place] : Undecided)
    if (auto It = Visit.Places.find(Place); It != Visit.Places.end())
      for (const FunctionDecl *FD : It->second)
        add(C, FD);
  Undecided.clear();
}

} // namespace evenkeel

EK_REWRITE_RULE_OF_WRAPPERS(LinkedCalls, 80)
