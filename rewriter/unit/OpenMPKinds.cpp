//===- OpenMPKinds.cpp - groups of OpenMP directives ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See OpenMPKinds.h.
//===----------------------------------------------------------------------===//
#include "OpenMPKinds.h"
#include "clang/AST/StmtOpenMP.h"

namespace evenkeel {
using namespace clang;

bool isDeviceDirective(OpenMPDirectiveKind K) {
  return isOpenMPTargetExecutionDirective(K) || isOpenMPTeamsDirective(K) ||
         isOpenMPDistributeDirective(K);
}

bool isOneThread(OpenMPDirectiveKind K) {
  using namespace llvm::omp;
  switch (K) {
  case OMPD_single:
  case OMPD_master:
  case OMPD_masked:
  case OMPD_critical:
  case OMPD_section:
  case OMPD_sections:
  case OMPD_parallel_sections:
  case OMPD_parallel_master:
  case OMPD_parallel_masked:
  case OMPD_task:
    return true;
  default:
    return isOpenMPTaskLoopDirective(K);
  }
}

Reach reachInside(llvm::ArrayRef<const OMPExecutableDirective *> Enclosing) {
  for (const OMPExecutableDirective *D : llvm::reverse(Enclosing)) {
    if (isOneThread(D->getDirectiveKind()))
      return Reach::Serial;
    if (isOpenMPParallelDirective(D->getDirectiveKind()))
      return Reach::Team;
  }
  return Reach::Unknown;
}

bool neverForks(const OMPExecutableDirective &D, const ASTContext &Context) {
  using namespace llvm::omp;
  if (!isOpenMPParallelDirective(D.getDirectiveKind()))
    return false;
  for (const auto *If : D.getClausesOfKind<OMPIfClause>()) {
    OpenMPDirectiveKind Of = If->getNameModifier();
    const Expr *E = If->getCondition();
    bool Holds;
    if ((Of == OMPD_unknown || Of == OMPD_parallel) && E &&
        !E->isValueDependent() &&
        E->EvaluateAsBooleanCondition(Holds, Context) && !Holds)
      return true;
  }
  return false;
}

bool leavesEarly(const OMPExecutableDirective *D, const Stmt *S) {
  if (D->hasClausesOfKind<OMPUntiedClause>())
    return true;
  OpenMPDirectiveKind Region = llvm::omp::OMPD_unknown;
  if (const auto *C = dyn_cast<OMPCancelDirective>(S))
    Region = C->getCancelRegion();
  else if (const auto *C = dyn_cast<OMPCancellationPointDirective>(S))
    Region = C->getCancelRegion();
  if (Region == llvm::omp::OMPD_parallel || Region == llvm::omp::OMPD_taskgroup)
    return true;
  for (const Stmt *Child : S->children())
    if (Child && leavesEarly(D, Child))
      return true;
  return false;
}

} // namespace evenkeel
