//===- Regions.cpp - parallel regions, tasks and main ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Regions.h.
//===----------------------------------------------------------------------===//
#include "Regions.h"
#include "constructs/RegionEdits.h"
#include "unit/OpenMPKinds.h"
#include "unit/Spelling.h"
#include <algorithm>
#include <tuple>

namespace evenkeel {
using namespace clang;

/// The innermost task directive that is open.
static const OMPExecutableDirective *taskAround(const Unit &U) {
  for (const OMPExecutableDirective *D :
       llvm::reverse(U.Frames.back().Directives))
    if (D->getDirectiveKind() == llvm::omp::OMPD_task)
      return D;
  return nullptr;
}

/// Adds the clause behind the last depend clause, on the line of the directive.
void Regions::putPriority(Pending &P, const OMPExecutableDirective *D) {
  SourceLocation End;
  for (const auto *C : D->getClausesOfKind<OMPDependClause>())
    End = C->getEndLoc();
  if (End.isMacroID())
    return;
  const SpelledDirective Text =
      spelledDirective(U, D->getBeginLoc(), D->getEndLoc());
  if (Text.Refused || !Text.isLine() || U.SM.getFileID(End) != Text.File)
    return;
  TokenTable &T = U.table(Text.File);
  const size_t Last = T.at(U.SM.getFileOffset(End));
  if (Last == TokenTable::None || T.text(Last) != ")")
    return;
  P.F.GetsPriority = true;
  P.F.Edits.push_back(
      {T[Last].end(), 0, 0, " priority(" + std::to_string(P.F.Level) + ")"});
}

std::vector<std::string> Regions::needs(Pending &P,
                                        const OMPExecutableDirective *D) {
  TaskNeeds N = needsOf(U.Context, Code, D, U.Frames.back().Function);
  P.F.Data.Asked = true;
  P.F.Data.Reason = N.Reason ? N.Reason : "";
  for (Shortfall &S : N.Shortfalls) {
    const PresumedLoc At = U.SM.getPresumedLoc(U.SM.getExpansionLoc(S.At));
    P.F.Data.Shortfalls.push_back(
        {At.getLine(), At.getColumn(), S.Reason, std::move(S.Text)});
  }
  std::sort(P.F.Data.Shortfalls.begin(), P.F.Data.Shortfalls.end(),
            [](const ClauseShortfall &A, const ClauseShortfall &B) {
              return std::tie(A.Line, A.Column, A.Text) <
                     std::tie(B.Line, B.Column, B.Text);
            });
  return std::move(N.Needs);
}

/// The thread waits for what the device does, so the data is acquired around
/// the directive.
void Regions::target(const OMPExecutableDirective *D) {
  Pending P;
  P.F.Class = Finding::Group::Region;
  P.F.Key.Kind = "target";
  P.F.Form = "target";
  P.F.Listed = false;
  std::vector<std::string> Needs = needs(P, D);
  if (Needs.empty()) {
    P.F.What = Finding::State::Left;
    P.F.Reason = "device-directive";
  } else {
    P.MakeEdits = acquireAround(U, D, std::move(Needs));
  }
  if (U.locate(P, D->getBeginLoc()))
    U.add(std::move(P));
}

void Regions::directive(const OMPExecutableDirective *D) {
  OpenMPDirectiveKind K = D->getDirectiveKind();
  if (U.Options.Acquire && isOpenMPTargetExecutionDirective(K))
    target(D);
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
    std::vector<std::string> Needs;
    if (K == llvm::omp::OMPD_task && U.Options.Acquire)
      Needs = needs(P, D);
    P.MakeEdits = regionEdits(U, D, std::move(Needs));
    if (K == llvm::omp::OMPD_task && U.Options.Priorities)
      P.F.Level = Levels.add(D, taskAround(U), U.Frames.back().Function);
    if (D->hasClausesOfKind<OMPPriorityClause>())
      P.F.Level = 0; // it keeps its own
    if (P.F.Level)
      P.MakeEdits = [this, D, Region = std::move(P.MakeEdits)](Pending &Made) {
        Region(Made);
        if (Made.F.What == Finding::State::Rewritten)
          putPriority(Made, D);
      };
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
