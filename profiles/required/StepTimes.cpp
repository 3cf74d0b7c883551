//===- StepTimes.cpp - times with all data in the fast tier ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See StepTimes.h.
//===----------------------------------------------------------------------===//
#include "StepTimes.h"
#include "simulator/Contention.h"
#include "simulator/ReplayEngine.h"

namespace evenkeel::required {

/// Of one interval of a task if all its lines are in tier 0.
static Demand fastDemand(const PreparedRecord &R, const Machine &M,
                         const PreparedRecord::Interval &I) {
  Demand D;
  D.CoreNs = I.CoreCycles / M.GHz;
  for (uint32_t Row = I.FirstRow; Row < I.EndRow; ++Row) {
    const PreparedRecord::Row &X = R.Rows[Row];
    D.StallNs[0] += double(X.Weight) * M.Tiers[0].ReadLatencyNs;
    D.ReadBytes[0] += X.Reads * R.lineBytes();
    D.WriteBytes[0] += X.Writes * R.lineBytes();
  }
  return D;
}

Expected<StepTimes> stepTimes(const PreparedRecord &R, const Machine &M) {
  if (MaybeError E = checkMachine(M))
    return *E;
  StepTimes Out;
  Contention Alone(M);
  std::vector<double> Ns;
  for (uint32_t T = 0; T < R.Record->Tasks.size(); ++T) {
    double Sum = 0;
    for (uint32_t I = R.FirstInterval[T]; I < R.FirstInterval[T + 1]; ++I) {
      const Demand D = fastDemand(R, M, R.Intervals[I]);
      Alone.solve({&D}, Ns);
      Sum += Ns[0];
    }
    Out.OfTask.push_back(Sum * 1e-9);
  }
  const ReplayRequest Request{R.Record, &M, M.Tiers[0].CapacityBytes, nullptr,
                              &R};
  auto P = makePolicy("fast-only", Request);
  if (!P)
    return P.takeError();
  auto All = replayPrepared(R, M, Request.FastBytes, **P);
  if (!All)
    return All.takeError();
  Out.OfPhase = std::move(All->PhaseSeconds);
  return Out;
}

} // namespace evenkeel::required
