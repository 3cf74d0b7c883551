//===- Hooks.cpp - sync points of OpenMP ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Hooks.h. Rule: rules/sync-hook.md.
//===----------------------------------------------------------------------===//
#include "Hooks.h"
#include "constructs/HookEdits.h"
#include "format/SyncKind.h"
#include "unit/OpenMPKinds.h"
#include "clang/AST/Attr.h"
#include <algorithm>

namespace evenkeel {
using namespace clang;

namespace {

/// \p Kind, unless \p D has the clause that removes the wait.
template <class Clause>
std::optional<SyncKind> unless(const OMPExecutableDirective *D, SyncKind Kind) {
  if (D->hasClausesOfKind<Clause>())
    return std::nullopt;
  return Kind;
}

/// The kind of wait at the end of \p D, if any.
std::optional<SyncKind> waitKind(const OMPExecutableDirective *D) {
  using namespace llvm::omp;
  OpenMPDirectiveKind K = D->getDirectiveKind();
  if (isOpenMPParallelDirective(K))
    return SyncKind::Parallel;
  if (isOpenMPTaskLoopDirective(K))
    return unless<OMPNogroupClause>(D, SyncKind::Taskloop);
  switch (K) {
  case OMPD_barrier:
    return SyncKind::Barrier;
  case OMPD_taskwait:
    return unless<OMPNowaitClause>(D, SyncKind::Taskwait);
  case OMPD_taskgroup:
    return SyncKind::Taskgroup;
  case OMPD_for:
  case OMPD_for_simd:
  case OMPD_loop:
    return unless<OMPNowaitClause>(D, SyncKind::For);
  case OMPD_scope:
    return unless<OMPNowaitClause>(D, SyncKind::Scope);
  case OMPD_cancel:
  case OMPD_cancellation_point:
    return SyncKind::Cancel;
  case OMPD_sections:
    return unless<OMPNowaitClause>(D, SyncKind::Sections);
  case OMPD_single:
    return unless<OMPNowaitClause>(D, SyncKind::Single);
  default:
    return std::nullopt;
  }
}

/// Whether \p D runs on a device, where there is no runtime.
bool isForDevice(const Unit &U, const OMPExecutableDirective *D) {
  const Unit::Frame &F = U.Frames.back();
  if (F.Function && F.Function->hasAttr<OMPDeclareTargetDeclAttr>())
    return true;
  return isDeviceDirective(D->getDirectiveKind()) ||
         std::any_of(F.Directives.begin(), F.Directives.end(), [](auto *O) {
           return isDeviceDirective(O->getDirectiveKind());
         });
}

/// Which threads reach the statement after \p D. A single thread: after an
/// outermost parallel region, in main outside parallel regions, and inside
/// constructs that one thread executes (single, master, critical, section,
/// task). Otherwise a team; also in functions that may be called in parallel.
Reach contextOf(const Unit &U, const OMPExecutableDirective *D) {
  const Unit::Frame &F = U.Frames.back();
  const Reach Inside = reachInside(F.Directives);
  if (Inside != Reach::Unknown)
    return Inside;
  return isOpenMPParallelDirective(D->getDirectiveKind()) ||
                 (F.Function && F.Function->isMain())
             ? Reach::Serial
             : Reach::Team;
}

} // namespace

void Hooks::noteInline(const OMPExecutableDirective *D) {
  auto At = U.SM.getDecomposedExpansionLoc(D->getBeginLoc());
  TokenTable &T = U.table(At.first);
  size_t I = T.at(At.second);
  if (I == TokenTable::None || !T[I].InDirective)
    U.InlineDirectives.insert(At);
}

void Hooks::directive(const OMPExecutableDirective *D) {
  noteInline(D);
  std::optional<SyncKind> Wait = waitKind(D);
  if (!Wait)
    return;
  Pending P;
  P.F.Class = Finding::Group::Sync;
  P.F.Key.Kind = syncKey(*Wait);
  P.F.Form = syncKindName(*Wait);
  P.F.Context = contextOf(U, D);
  P.MakeEdits = hookEdits(U, D);
  if (!U.locate(P, D->getBeginLoc()))
    return;
  if (isForDevice(U, D))
    skip(P, "device-directive");
  U.add(std::move(P));
}

} // namespace evenkeel

EK_REWRITE_RULE(Hooks, 120)
