//===- Teams.cpp - averages over teams that gather ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: differences between the hit ratios of threads that gather depend on
// the input's data, so they do not carry over to another input.
// Makes: lines per access, miss-ratio curve and overlap of the whole team,
// which each of its tasks gets on another input.
//===----------------------------------------------------------------------===//
#include "Demands.h"

using namespace evenkeel;
using namespace evenkeel::prediction;

/// Gives the threads \p Tasks their common averages for \p Inst, with their
/// curve in \p Shared; false: fewer than two of them gather from it.
static bool levelTeam(const std::vector<uint32_t> &Tasks, uint32_t Inst,
                      DemandsOfTasks &Of, ek_raw_mrc &Shared) {
  std::vector<BaseDemand *> Team;
  double Reads = 0, Weight = 0, Accesses = 0;
  ek_raw_mrc Curve = {};
  for (uint32_t T : Tasks)
    for (BaseDemand &Q : Of[T]) {
      if (Q.Inst != Inst || Q.Reads <= 0 || Q.Accesses <= 0)
        continue;
      Team.push_back(&Q);
      Reads += Q.Reads;
      Weight += Q.Weight;
      Accesses += Q.Accesses;
      for (int K = 0; Q.Curve && K < EK_RAW_LLC_SIZES; ++K)
        Curve.reads[K] += Q.Curve->reads[K];
    }
  if (Team.size() < 2)
    return false;
  Shared = Curve;
  for (BaseDemand *Q : Team) {
    Q->TeamScaled = Reads / Accesses * Q->Accesses / Q->Reads;
    Q->TeamMlp = Weight / Reads;
    if (Q->Curve)
      Q->TeamCurve = &Shared;
  }
  return true;
}

Teams evenkeel::prediction::addTeams(const BaseTables &Base,
                                     const Gathering &Gather,
                                     DemandsOfTasks &Of) {
  const Profile &B = Base.B;
  Teams Out;
  std::vector<std::vector<uint32_t>> Threads(B.Phases.size());
  for (uint32_t T = 0; T < B.Tasks.size(); ++T)
    if (!(B.Tasks[T].flags & 1))
      Threads[B.Tasks[T].phase].push_back(T);
  for (uint32_t H = 0; H < B.Phases.size(); ++H)
    for (uint32_t Inst : Gather.Gathered[H]) {
      const std::pair<uint32_t, uint32_t> At{H, Inst};
      if (levelTeam(Threads[H], Inst, Of, Out.Curves[At]))
        Out.Levelled += unsigned(Base.Phases.Times[H]);
      else
        Out.Curves.erase(At);
    }
  return Out;
}
