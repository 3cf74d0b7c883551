//===- Overlaps.cpp - how lines overlapped on the base input --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: exposed latencies and lines by pattern and object, by team and object
// and, for lines that the caches held, by sync point and object.
//===----------------------------------------------------------------------===//
#include "Demands.h"
#include <algorithm>

using namespace evenkeel;
using namespace evenkeel::prediction;

static void add(Weighed &To, double Weight, double Reads) {
  To.first += Weight;
  To.second += Reads;
}

/// Lines of the rows in Profile.Far, with the other data on their objects.
static ByInstance<FarLines> farLines(const BaseTables &Base) {
  const Profile &B = Base.B;
  ByInstance<FarLines> Out;
  auto SyncOf = [&](uint32_t T) { return B.Phases[B.Tasks[T].phase].sync; };
  auto Find = [&](uint32_t Task, uint32_t Inst) {
    auto It = Out.find({SyncOf(Task), Inst});
    return It == Out.end() ? nullptr : &It->second;
  };
  for (const ek_raw_far &X : B.Far) {
    FarLines &Team = Out[{SyncOf(X.task), X.inst}];
    Team.Weight += X.weight;
    Team.Reads += static_cast<double>(X.reads);
  }
  for (const ek_raw_access &A : B.Accesses)
    if (FarLines *Team = Find(A.task, A.inst))
      Team->Accesses +=
          static_cast<double>(A.reads + A.writes) * Base.times(A.task);
  for (const ek_raw_mrc &C : B.Curves)
    if (FarLines *Team = Find(C.task, C.inst))
      Team->Through += static_cast<double>(*std::max_element(
                           C.reads, C.reads + EK_RAW_LLC_SIZES)) *
                       Base.times(C.task);
  for (const ek_raw_miss &M : B.Misses)
    if (FarLines *Team = Find(M.task, M.inst))
      add(Team->Came, M.weight * Base.times(M.task),
          static_cast<double>(M.reads) * Base.times(M.task));
  return Out;
}

Overlaps evenkeel::prediction::makeOverlaps(const BaseTables &Base,
                                            const DemandsOfTasks &Of) {
  Overlaps Out;
  for (const ek_raw_miss &M : Base.B.Misses) {
    const double Reads = static_cast<double>(M.reads);
    add(Out.ByTeam[{Base.B.Tasks[M.task].phase, M.inst}], M.weight, Reads);
    add(Out.All, M.weight * Base.times(M.task), Reads * Base.times(M.task));
  }
  for (uint32_t T = 0; T < Of.size(); ++T)
    for (const BaseDemand &Q : Of[T])
      for (uint32_t Inst : {Q.Inst, AnyInstance})
        add(Out.ByPattern[{Q.Pattern, Inst}], Q.Weight * Base.times(T),
            Q.Reads * Base.times(T));
  Out.Far = farLines(Base);
  return Out;
}
