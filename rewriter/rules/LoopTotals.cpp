//===- LoopTotals.cpp - loops whose iterations are counted ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LoopTotals.h. Rule: rules/loop-total.md.
//===----------------------------------------------------------------------===//
#include "LoopTotals.h"
#include "unit/HandedVariables.h"
#include "unit/OpenMPKinds.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace evenkeel {
using namespace clang;

static bool isLoop(const Stmt *S) {
  return isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S);
}

/// The outermost parallel region around the statement, if its threads run the
/// statement directly: not in a task, in a nested region or on a device.
const OMPExecutableDirective *LoopTotals::regionAround() const {
  const OMPExecutableDirective *Region = nullptr;
  for (const OMPExecutableDirective *D : U.Frames.back().Directives) {
    const OpenMPDirectiveKind Kind = D->getDirectiveKind();
    if (isDeviceDirective(Kind) || isOpenMPTaskingDirective(Kind))
      return nullptr;
    if (!isOpenMPParallelDirective(Kind))
      continue;
    if (Region)
      return nullptr;
    Region = D;
  }
  return Region;
}

/// Whether \p Loop is one of the loops that a directive distributes.
bool LoopTotals::isOfDirective(const Stmt *Loop) const {
  unsigned Depth = isa<ForStmt, CXXForRangeStmt>(Loop);
  for (size_t I = U.Stack.size(); Depth && I-- > 0;) {
    const Stmt *S = U.Stack[I];
    if (const auto *D = dyn_cast<OMPExecutableDirective>(S)) {
      const auto *Loops = dyn_cast<OMPLoopBasedDirective>(D);
      return Loops && Depth <= Loops->getLoopsNumber();
    }
    Depth += isLoop(S);
  }
  return false;
}

/// Whether the statement \p S of a loop's body may leave the loop. \p Inside: a
/// loop or switch in the body, which is all that a break leaves.
static bool mayLeave(const Stmt *S, bool Inside = false) {
  if (!S)
    return false;
  if (isa<GotoStmt>(S) || (isa<BreakStmt>(S) && !Inside))
    return true;
  Inside |= isLoop(S) || isa<SwitchStmt>(S);
  return llvm::any_of(S->children(), [Inside](const Stmt *Child) {
    return mayLeave(Child, Inside);
  });
}

static const VarDecl *variableOf(const Expr *E) {
  const auto *R = E ? dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts()) : nullptr;
  return R ? dyn_cast<VarDecl>(R->getDecl()) : nullptr;
}

/// Adds the variables that \p Loop counts with.
static void addCounters(const ForStmt *Loop,
                        llvm::SmallPtrSetImpl<const VarDecl *> &Out) {
  if (const auto *D = dyn_cast_or_null<DeclStmt>(Loop->getInit()))
    for (const Decl *Its : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(Its))
        Out.insert(V);
  const Expr *Step = Loop->getInc();
  if (const auto *U = dyn_cast_or_null<UnaryOperator>(Step))
    Out.insert(variableOf(U->getSubExpr()));
  else if (const auto *B = dyn_cast_or_null<BinaryOperator>(Step))
    Out.insert(variableOf(B->getLHS()));
}

/// Whether an evaluation of \p S reads data: elements, results of calls, or
/// variables that the region declares, except for \p Counters.
static bool readsData(const Stmt *S, const Stmt *Region,
                      const llvm::SmallPtrSetImpl<const VarDecl *> &Counters,
                      const SourceManager &SM) {
  if (!S)
    return false;
  if (isa<ArraySubscriptExpr, CallExpr, CXXConstructExpr>(S))
    return true;
  if (const auto *O = dyn_cast<UnaryOperator>(S);
      O && O->getOpcode() == UO_Deref)
    return true;
  if (const auto *R = dyn_cast<DeclRefExpr>(S)) {
    const auto *V = dyn_cast<VarDecl>(R->getDecl());
    return V && !Counters.count(V) &&
           SM.isPointWithin(V->getLocation(), Region->getBeginLoc(),
                            Region->getEndLoc());
  }
  return llvm::any_of(S->children(), [&](const Stmt *Child) {
    return readsData(Child, Region, Counters, SM);
  });
}

bool LoopTotals::isDecidedByData(const Stmt *Loop,
                                 const OMPExecutableDirective *Region) const {
  const auto *F = dyn_cast<ForStmt>(Loop);
  if (!F)
    return true;
  llvm::SmallPtrSet<const VarDecl *, 8> Counters;
  addCounters(F, Counters);
  for (const Stmt *S : U.Stack)
    if (const auto *Outer = dyn_cast<ForStmt>(S))
      addCounters(Outer, Counters);
  const Stmt *Within = Region->getRawStmt();
  auto Reads = [&](const Stmt *S) {
    return readsData(S, Within, Counters, U.SM);
  };
  return mayLeave(F->getBody()) || Reads(F->getInit()) || Reads(F->getCond()) ||
         Reads(F->getInc());
}

/// Whether a condition that may not hold is evaluated before each iteration.
static bool testsFirst(const Stmt *Loop, const ASTContext &Context) {
  const auto *F = dyn_cast<ForStmt>(Loop);
  const auto *W = dyn_cast<WhileStmt>(Loop);
  const Expr *Condition = F ? F->getCond() : W ? W->getCond() : nullptr;
  if (!Condition)
    return isa<CXXForRangeStmt>(Loop);
  bool Holds = false;
  return Condition->isValueDependent() ||
         !Condition->EvaluateAsBooleanCondition(Holds, Context) || !Holds;
}

void LoopTotals::statement(const Stmt *S) {
  if (!U.Options.CountsLoops || !isLoop(S) || S->getBeginLoc().isMacroID())
    return;
  const OMPExecutableDirective *Region = regionAround();
  const FunctionDecl *FD = U.Frames.back().Function;
  if (!Region || !FD || isOfDirective(S) || !isDecidedByData(S, Region))
    return;
  const std::optional<std::string> Instance = instanceOf(U, FD);
  Pending Of, Its;
  Of.F.Key.Kind = "region";
  if (!Instance || !U.locate(Of, Region->getBeginLoc(), /*Counts=*/false) ||
      !U.locate(Its, S->getBeginLoc(), /*Counts=*/false) || Of.Included ||
      Its.Included)
    return;
  Its.F.Key.Kind = "symbol:total" + *Instance;
  CountedLoop L;
  L.Region = entityId(Of.F.Key);
  L.Id = entityId(Its.F.Key);
  L.File = U.absolutePath(U.SM.getFileID(S->getBeginLoc()));
  L.Offset = Its.F.Offset;
  L.Spelled = U.SM.getPresumedLoc(S->getBeginLoc()).getFilename();
  L.Line = Its.F.Line;
  L.Column = Its.F.Key.Column;
  L.TestsFirst = testsFirst(S, U.Context);
  U.Result.Loops.push_back(std::move(L));
}

} // namespace evenkeel

EK_REWRITE_RULE(LoopTotals, 130)
