//===- ProfileCheck.cpp - valid values in a profile's rows ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: rows come from outside. Checks that indices lie within their tables
// and figures within what a process can have, so that code that uses them need
// not check again.
// Not here: whether the tables exist and have the right types (ProfileFile.cpp,
// ProfileJson.cpp).
//===----------------------------------------------------------------------===//
#include "ProfileTables.h"

using namespace evenkeel;

const char *evenkeel::tableWithBadIndex(const Profile &P) {
  size_t Tasks = P.Tasks.size(), Insts = P.Instances.size();
  const char *Bad = nullptr;
  auto Check = [&](bool Good, const char *Table) {
    if (!Good && !Bad)
      Bad = Table;
  };
  for (const ek_raw_inst &I : P.Instances)
    Check(I.alloc_phase < P.Phases.size(), "inst");
  for (const ek_raw_task &T : P.Tasks)
    Check(T.phase < P.Phases.size() &&
              (P.Like.empty() || P.Like[T.phase] == T.phase),
          "task");
  for (const ek_raw_dep &E : P.Deps)
    Check(E.task < Tasks && E.pred < Tasks && E.task != E.pred, "dep");
  for (const ek_raw_part &X : P.Parts)
    Check(X.task < Tasks && X.first < X.task, "part");
  for (const ek_raw_access &A : P.Accesses)
    Check(A.task < Tasks && A.inst < Insts, "access");
  for (const ek_raw_miss &M : P.Misses)
    Check(M.task < Tasks && M.inst < Insts && M.chunk < EK_CHUNKS, "miss");
  for (const ek_raw_mrc &C : P.Curves)
    Check(C.task < Tasks && C.inst < Insts, "curve");
  for (const ek_raw_far &X : P.Far)
    Check(X.task < Tasks && X.inst < Insts, "far");
  for (const ek_raw_symbol &S : P.Symbols)
    Check(S.task == EK_NO_TASK || S.task < Tasks, "symbol");
  return Bad;
}

const char *evenkeel::tableWithBadFigure(const Profile &P) {
  constexpr uint64_t MostBytes = uint64_t(1) << 47; // addressable by a process
  constexpr uint64_t MostCount = uint64_t(1) << 62; // the sum of two still fits
  constexpr uint32_t MostWidth = 1u << 20;
  const char *Bad = nullptr;
  auto Check = [&](bool Good, const char *Table) {
    if (!Good && !Bad)
      Bad = Table;
  };
  for (const ek_raw_inst &I : P.Instances)
    Check(I.bytes <= MostBytes, "inst");
  for (const ek_raw_phase &H : P.Phases)
    Check(H.width <= MostWidth, "phase");
  for (const ek_raw_task &T : P.Tasks)
    Check(T.core_cycles < MostCount && T.instructions < MostCount &&
              T.wall_ns < MostCount,
          "task");
  for (const ek_raw_access &A : P.Accesses)
    Check(A.reads < MostCount && A.writes < MostCount, "access");
  for (const ek_raw_miss &M : P.Misses)
    Check(M.reads < MostCount && M.writes < MostCount && M.weight >= 0, "miss");
  for (const ek_raw_mrc &C : P.Curves)
    for (uint64_t Reads : C.reads)
      Check(Reads < MostCount, "curve");
  for (const ek_raw_far &X : P.Far)
    Check(X.reads < MostCount && X.weight >= 0, "far");
  for (const ek_raw_symbol &S : P.Symbols)
    Check(S.times < MostCount, "symbol");
  return Bad;
}
