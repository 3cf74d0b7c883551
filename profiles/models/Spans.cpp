//===- Spans.cpp - a phase's traffic over time ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Spans.h. A task fetches a unit when the tasks of the base input did. If
// that is not known, a task that walks through an object fetches its units in
// address order, at the task's own pace; units of other objects are fetched all
// the time. A phase is cut only where the reads from a tier change over time.
//===----------------------------------------------------------------------===//
#include "Spans.h"
#include "SpanParts.h"
#include "tuning/Tuning.h"

using namespace evenkeel;

/// Task times are affine in the latencies of the two tiers (Model.h).
Span evenkeel::wholeSpan(const PredictedPhase &P,
                         const std::vector<double> &Fast, const Machine &M,
                         const Model &Mod) {
  Span All(P.Tasks.size());
  for (size_t T = 0; T < P.Tasks.size(); ++T) {
    const TaskDemand &D = P.Tasks[T].Demand;
    SpanTask &Its = All.Tasks[T];
    double Seconds[3];
    Mod.secondsByLatency(D, Fast, M, Seconds);
    Its.Base = Seconds[0];
    Its.PerFast = Seconds[1];
    Its.PerSlow = Seconds[2];
    auto &Lines = Its.Lines;
    for (const UnitDemand &U : D.Units) {
      double X = Fast[U.Unit];
      Lines[ReadFast] += U.ReadLines * X;
      Lines[ReadSlow] += U.ReadLines * (1 - X);
      Lines[WriteFast] += U.WriteLines * X;
      Lines[WriteSlow] += U.WriteLines * (1 - X);
    }
  }
  return All;
}

namespace {

/// The sums of a placement, each computed on demand.
struct Placed {
  const PredictedPhase &P;
  const std::vector<double> &Fast;
  std::vector<Traffic> Kept = {}; // by task

  bool isUneven() const {
    for (const PredictedTask &T : P.Tasks) {
      const auto &U = T.Demand.Units;
      for (size_t I = 1; I < U.size(); ++I)
        if (isOneWalk(U[I - 1], U[I]) &&
            std::fabs(Fast[U[I].Unit] - Fast[U[I - 1].Unit]) >
                figures().SameShare)
          return true;
    }
    return false;
  }
  CourseLoads courses() const {
    CourseLoads Out;
    for (const PredictedTask &T : P.Tasks)
      for (const UnitDemand &U : T.Demand.Units)
        for (unsigned Tier : {0u, 1u}) {
          const double Its =
              U.ReadLines * (Tier ? 1 - Fast[U.Unit] : Fast[U.Unit]);
          Out.add(U, Tier, Its, Its > 0);
        }
    return Out;
  }
  /// Called for each task in order.
  const Traffic &traffic(size_t T, bool HasOpening) {
    Kept.reserve(P.Tasks.size());
    return Kept.emplace_back(P.Tasks[T].Demand, Fast, HasOpening);
  }
  std::array<double, 2> early(size_t T) const {
    std::array<double, 2> Out = {};
    for (const UnitDemand &U : P.Tasks[T].Demand.Units) {
      Out[0] += U.OpeningWrites * Fast[U.Unit];
      Out[1] += U.OpeningWrites * (1 - Fast[U.Unit]);
    }
    return Out;
  }
};

} // namespace

CutPhase evenkeel::cutPhase(const PredictedPhase &P, Span Whole,
                            const std::vector<double> &Fast, const Machine &M) {
  Placed Parts{P, Fast};
  CutPhase Out;
  Out.Spans = spansFrom(P, std::move(Whole), hasCourse(P), M, Parts);
  Out.Slices = std::move(Parts.Kept);
  return Out;
}

std::vector<Span> evenkeel::spansOf(const PredictedPhase &P,
                                    const std::vector<double> &Fast,
                                    const Machine &M, const Model &Mod) {
  return cutPhase(P, wholeSpan(P, Fast, M, Mod), Fast, M).Spans;
}
