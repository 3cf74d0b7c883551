//===- Regions.cpp - parallel regions, tasks and main ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Regions.h.
//===----------------------------------------------------------------------===//
#include "Regions.h"
#include "unit/HookEdits.h"
#include "unit/OpenMPKinds.h"

namespace evenkeel {
using namespace clang;

void Regions::directive(const OMPExecutableDirective *D) {
  OpenMPDirectiveKind K = D->getDirectiveKind();
  bool Parallel = isOpenMPParallelDirective(K);
  bool TaskLoop = isOpenMPTaskLoopDirective(K);
  if (!Parallel && !TaskLoop && K != llvm::omp::OMPD_task)
    return;
  Pending P;
  P.F.Class = Finding::Group::Region;
  P.F.Key.Kind = "region";
  P.F.Form = Parallel ? "parallel" : TaskLoop ? "taskloop" : "task";
  // Timing a construct combined with a loop or sections would require splitting
  // the directive.
  P.F.What = Finding::State::Left;
  P.F.Reason = "no-task-time";
  if (isDeviceDirective(K)) {
    P.F.Reason = "device-directive";
  } else if (K == llvm::omp::OMPD_parallel || K == llvm::omp::OMPD_task) {
    unskip(P);
    P.MakeEdits = regionEdits(U, D);
  }
  if (U.locate(P, D->getBeginLoc()))
    U.add(std::move(P));
}

void Regions::function(const FunctionDecl *FD) {
  if (!FD->isThisDeclarationADefinition() || !FD->isMain())
    return;
  U.Frames.push_back({FD, {}});
  Pending P;
  P.F.Class = Finding::Group::Region;
  P.F.Key.Kind = "region";
  P.F.Form = "serial";
  P.F.What = Finding::State::Left;
  if (U.locate(P, FD->getLocation())) {
    P.F.Key.Column = 0;
    U.add(std::move(P));
  }
  U.Frames.pop_back();
}

} // namespace evenkeel

EK_REWRITE_RULE(Regions, 110)
