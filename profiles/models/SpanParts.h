//===- SpanParts.h - spans from sums over units -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the sums over units from which the spans of a phase are made
// (Spans.h), and the rules for cutting a phase.
// Makes: spans from any type `Parts` that provides the sums, of a placement
// (Spans.cpp) or of one with a few changed shares (PhaseUnder.cpp):
//   bool isUneven()                  some task walks through units of one
//                                    object that lie in different tiers
//   CourseLoads courses()            reads over time, by tier
//   Traffic traffic(T, HasOpening)   of task T
//   std::array<double, 2> early(T)   writes of T in its opening, by tier
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_MODELS_SPANPARTS_H
#define EVENKEEL_PROFILES_MODELS_SPANPARTS_H

#include "Phase.h"
#include "Span.h"
#include "Traffic.h"
#include "tuning/Tuning.h"
#include <cmath>

namespace evenkeel {

/// Whether a walk continues from unit \p A to \p B, neither of which has a
/// known course.
inline bool isOneWalk(const UnitDemand &A, const UnitDemand &B) {
  return A.Walked && B.Walked && !A.Course && !B.Course && B.Unit == A.Unit + 1;
}

/// Lines read, by tier: at known times (Of), and at any time.
struct CourseLoads {
  Course Of[2];
  double Always[2] = {};

  void add(const UnitDemand &U, unsigned Tier, double Its, bool Lies) {
    if (Lies && U.Course && U.Course != ~uint64_t(0))
      Of[Tier].add(Its, U.Course);
    else
      Always[Tier] += Its;
  }
};

inline bool hasCourse(const PredictedPhase &P) {
  return std::any_of(
      P.Tasks.begin(), P.Tasks.end(), [](const PredictedTask &T) {
        return std::any_of(T.Demand.Units.begin(), T.Demand.Units.end(),
                           [](const UnitDemand &U) { return U.Course != 0; });
      });
}

/// Whether the known courses load a tier unevenly.
template <class Parts>
bool loadChanges(const PredictedPhase &P, const Span &All, const Machine &M,
                 Parts &Of) {
  double Seconds = 0, Reads[2] = {};
  for (const SpanTask &T : All.Tasks) {
    Seconds =
        std::max(Seconds, T.Base + T.PerFast * M.Tiers.front().ReadLatencyNs +
                              T.PerSlow * M.Tiers.back().ReadLatencyNs);
    Reads[0] += T.Lines[ReadFast];
    Reads[1] += T.Lines[ReadSlow];
  }
  auto Load = [&](unsigned Which) {
    const Tier &Its = Which ? M.Tiers.back() : M.Tiers.front();
    return Reads[Which] * LineBytes / (Its.ReadBandwidthGBps * 1e9);
  };
  const bool Matters[2] = {Load(0) > figures().LeastLoad * Seconds,
                           Load(1) > figures().LeastLoad * Seconds};
  if (!Matters[0] && !Matters[1])
    return false;
  const CourseLoads Loads = Of.courses();
  for (unsigned Tier : {0u, 1u})
    for (double Its : Loads.Of[Tier].Lines)
      if (Matters[Tier] && Its * Course::Parts + Loads.Always[Tier] >
                               figures().EvenTraffic * Reads[Tier])
        return true;
  return false;
}

template <class Parts>
std::vector<Span> slicesOf(size_t N, const Span &All, bool HasOpening,
                           Parts &Of) {
  std::vector<Span> Out(Slices, Span(N));
  double Reads = 0;
  for (size_t T = 0; T < N; ++T) {
    const Traffic &C = Of.traffic(T, HasOpening);
    double Stalls[2] = {};
    for (unsigned Tier = 0; Tier < 2; ++Tier)
      for (double X : C.Exposed[Tier])
        Stalls[Tier] += X;
    const SpanTask &Its = All.Tasks[T];
    for (unsigned K = 0; K < Slices; ++K) {
      SpanTask &Part = Out[K].Tasks[T];
      Part.Base = Its.Base / Slices;
      Part.PerFast = Its.PerFast * (Stalls[0] > 0 ? C.Exposed[0][K] / Stalls[0]
                                                  : 1.0 / Slices);
      Part.PerSlow = Its.PerSlow * (Stalls[1] > 0 ? C.Exposed[1][K] / Stalls[1]
                                                  : 1.0 / Slices);
      Part.Lines[ReadFast] = C.Read[0][K];
      Part.Lines[ReadSlow] = C.Read[1][K];
      Part.Lines[WriteFast] = C.Written[0][K];
      Part.Lines[WriteSlow] = C.Written[1][K];
      Out[K].Share += C.Read[0][K] + C.Read[1][K];
      Reads += C.Read[0][K] + C.Read[1][K];
    }
  }
  for (Span &S : Out)
    S.Share = Reads > 0 ? S.Share / Reads : 1.0 / Slices;
  return Out;
}

/// \p All: the whole phase as one span. \p HasCourse: see hasCourse.
template <class Parts>
std::vector<Span> spansFrom(const PredictedPhase &P, Span All, bool HasCourse,
                            const Machine &M, Parts &Of) {
  const size_t N = P.Tasks.size();
  double Reads = 0, OpeningReads = 0;
  for (size_t T = 0; T < N; ++T) {
    const auto &Lines = All.Tasks[T].Lines;
    const double Mine = Lines[ReadFast] + Lines[ReadSlow];
    Reads += Mine;
    OpeningReads += Mine * P.Tasks[T].Demand.Opening;
  }
  const double Opening = Reads > 0 ? OpeningReads / Reads : 1;
  const bool HasOpening = Opening >= figures().ShortestSpan &&
                          Opening <= 1 - figures().ShortestSpan;
  std::vector<Span> Out;
  // Explicit tasks do not start together.
  if (!hasExplicit(P)) {
    if (rules().Slices &&
        (Of.isUneven() || (HasCourse && loadChanges(P, All, M, Of))))
      return slicesOf(N, All, HasOpening, Of);
    if (HasOpening) {
      Span First(N), Rest(N);
      First.Share = Opening;
      Rest.Share = 1 - Opening;
      for (size_t T = 0; T < N; ++T) {
        const double Opening = P.Tasks[T].Demand.Opening;
        const SpanTask &Its = All.Tasks[T];
        SpanTask &Early = First.Tasks[T], &Late = Rest.Tasks[T];
        for (auto Part :
             {&SpanTask::Base, &SpanTask::PerFast, &SpanTask::PerSlow}) {
          Early.*Part = Its.*Part * Opening;
          Late.*Part = Its.*Part * (1 - Opening);
        }
        Early.Lines[ReadFast] = Its.Lines[ReadFast] * Opening;
        Early.Lines[ReadSlow] = Its.Lines[ReadSlow] * Opening;
        const std::array<double, 2> Writes = Of.early(T);
        Early.Lines[WriteFast] = Writes[0];
        Early.Lines[WriteSlow] = Writes[1];
        for (unsigned W = 0; W < Ways; ++W)
          Late.Lines[W] = std::max(0.0, Its.Lines[W] - Early.Lines[W]);
      }
      Out.push_back(std::move(First));
      Out.push_back(std::move(Rest));
      return Out;
    }
  }
  Out.push_back(std::move(All));
  return Out;
}

} // namespace evenkeel

#endif
