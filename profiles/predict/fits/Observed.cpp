//===- Observed.cpp - the same quantities on several inputs ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Observed.h.
//===----------------------------------------------------------------------===//
#include "Observed.h"
#include "format/ek_sizes.h"
#include "predict/sizes/Instances.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <numeric>

using namespace evenkeel;
using namespace evenkeel::fits;

std::vector<uint32_t> evenkeel::fits::correspondingTo(const Profile &Base,
                                                      const Profile &Other) {
  std::vector<uint32_t> Out(Other.Instances.size(), EK_NO_TASK);
  if (&Base == &Other) {
    std::iota(Out.begin(), Out.end(), 0u);
    return Out;
  }
  std::vector<PredictedInstance> Its;
  for (const ek_raw_inst &I : Other.Instances) {
    PredictedInstance N = instanceNamed(nameOf(I));
    N.Bytes = double(I.bytes);
    N.AllocPhase = I.alloc_phase;
    N.FreePhase = I.free_phase;
    Its.push_back(N);
  }
  const std::vector<prediction::InstanceMatch> Matches =
      prediction::matchInstances(Base.Instances, Its, EK_LARGE_BYTES);
  for (uint32_t I = 0; I < Matches.size(); ++I)
    if (Matches[I].Known)
      Out[size_t(Matches[I].Known - Its.data())] = I;
  return Out;
}

static void addTask(const PredictedTask &T, const std::vector<uint32_t> &InBase,
                    TaskValues &To) {
  ++To.Tasks;
  To.CoreSeconds += T.Demand.CoreSeconds;
  To.Determined &= T.Determined;
  for (const Estimate &E : T.Estimates) {
    if (InBase[E.Instance] == EK_NO_TASK)
      continue;
    TaskValues::Object &O = To.Objects[InBase[E.Instance]];
    O.Accesses += E.Accesses;
    O.Lines += E.Lines;
    // Base: the prediction knew no difference between the inputs.
    O.Count = std::max(O.Count, E.Count == CountWay::Base ? CountWay::BaseCount
                                                          : E.Count);
  }
}

/// Makes sums over explicit tasks means.
static void divide(TaskValues &V) {
  V.CoreSeconds /= V.Tasks;
  for (auto &[Inst, O] : V.Objects) {
    O.Accesses /= V.Tasks;
    O.Lines /= V.Tasks;
  }
}

Observed evenkeel::fits::observe(const Problem &P, const Profile &From,
                                 const std::vector<uint32_t> &InBase) {
  Observed Out;
  for (uint32_t I = 0; I < InBase.size(); ++I)
    if (InBase[I] != EK_NO_TASK)
      Out.Bytes[InBase[I]] = P.Instances[I].Bytes;
  std::map<uint64_t, uint32_t> Reached; // phases by the sync point at their end
  for (const PredictedPhase &H : P.Phases) {
    const uint64_t Sync = From.Phases[H.Phase].sync;
    const uint32_t Number = Reached[Sync]++;
    if (Number >= figures().PhasesCompared)
      continue;
    for (const PredictedTask &T : H.Tasks)
      addTask(T, InBase,
              Out.Tasks[{Sync, T.Region, T.Explicit}]
                       [{Number, T.Explicit ? 0 : T.Index}]);
  }
  for (auto &[Type, Its] : Out.Tasks)
    for (auto &[Which, V] : Its)
      divide(V);
  return Out;
}
