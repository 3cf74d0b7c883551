//===- Spans.cpp - how a phase's traffic changes in its course ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Spans.h. A task that walks through an object fetches its units in their
// order, at the pace of the whole task; of other objects it fetches from all
// units all the time. A phase is cut into slices only where walks come by units
// with different shares in the fast tier.
//===----------------------------------------------------------------------===//
#include "Spans.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;

namespace {

/// Openings of a smaller share of all fetches than this, or of a larger one
/// than the rest, are not told apart.
constexpr double ShortestSpan = 0.02;

/// With 4, 8 or 16 the predicted times of the main job's SpGEMM are off by the
/// same, within 0.1 %; more slices show shorter runs of units in one tier.
constexpr unsigned Slices = 16;

/// Shares in the fast tier that differ by less load the tiers evenly.
constexpr double SameShare = 0.1;

/// The whole phase as one span. Task times are affine in the latencies of the
/// two tiers (Model.h): three evaluations give the coefficients.
Span wholeOf(const PredictedPhase &P, const std::vector<double> &Fast,
             const Machine &M, const Model &Mod) {
  Span All(P.Tasks.size());
  std::vector<double> L(M.Tiers.size(), 0);
  for (size_t T = 0; T < P.Tasks.size(); ++T) {
    const TaskDemand &D = P.Tasks[T].Demand;
    All.Base[T] = Mod.seconds(D, Fast, M, L);
    L.front() = 1;
    All.PerFast[T] = Mod.seconds(D, Fast, M, L) - All.Base[T];
    L.front() = 0;
    L.back() = 1;
    All.PerSlow[T] = Mod.seconds(D, Fast, M, L) - All.Base[T];
    L.back() = 0;
    auto &Lines = All.Lines[T];
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

/// Whether \p D walks through units of one object that lie in different tiers.
bool isUneven(const TaskDemand &D, const std::vector<double> &Fast) {
  const auto &U = D.Units;
  for (size_t I = 1; I < U.size(); ++I)
    if (U[I].Walked && U[I - 1].Walked && U[I].Unit == U[I - 1].Unit + 1 &&
        std::fabs(Fast[U[I].Unit] - Fast[U[I - 1].Unit]) > SameShare)
      return true;
  return false;
}

/// Part of [From, To) that lies in [A, B), of the latter.
double overlap(double From, double To, double A, double B) {
  return B > A ? std::max(0.0, std::min(To, B) - std::max(From, A)) / (B - A)
               : 0;
}

/// Lines and exposed latencies of a task in each slice, by tier.
struct Course {
  using BySlice = std::array<std::array<double, Slices>, 2>;
  BySlice Read = {}, Written = {}, Exposed = {};
  double Opening;

  static void spread(BySlice &Sums, double What, double Fast, double From,
                     double To) {
    const unsigned First = std::min(Slices - 1, unsigned(From * Slices)),
                   Last = std::min(Slices - 1, unsigned(To * Slices));
    for (unsigned K = First; What > 0 && K <= Last; ++K) {
      const double Part = To > From ? overlap(double(K) / Slices,
                                              double(K + 1) / Slices, From, To)
                                    : (K == First ? 1 : 0);
      Sums[0][K] += What * Fast * Part;
      Sums[1][K] += What * (1 - Fast) * Part;
    }
  }

  /// Lines read in [From, To) are written back as soon as as many others have
  /// come as the caches hold.
  void add(const UnitDemand &U, double Fast, double From, double To) {
    spread(Read, U.ReadLines, Fast, From, To);
    spread(Exposed, U.Exposed, Fast, From, To);
    spread(Written, U.OpeningWrites, Fast, 0, Opening > 0 ? Opening : 1);
    const double Until = std::min(1.0, To + Opening);
    spread(Written, std::max(0.0, U.WriteLines - U.OpeningWrites), Fast,
           std::min(From + Opening, Until - (Until - Opening) * (To - From)),
           Until);
  }

  Course(const TaskDemand &D, const std::vector<double> &Fast, bool HasOpening)
      : Opening(HasOpening ? D.Opening : 0) {
    const auto &Units = D.Units;
    for (size_t I = 0; I < Units.size();) {
      // Units of one walk: neighbours, with gaps where nothing is fetched.
      size_t End = I + 1;
      double Lines = Units[I].ReadLines;
      while (Units[I].Walked && End < Units.size() && Units[End].Walked &&
             Units[End].Object == Units[I].Object) {
        Lines += Units[End].ReadLines;
        ++End;
      }
      double Done = 0;
      for (; I < End; ++I) {
        const UnitDemand &U = Units[I];
        if (!U.Walked || Lines <= 0) {
          add(U, Fast[U.Unit], 0, 1);
          continue;
        }
        add(U, Fast[U.Unit], Done / Lines, (Done + U.ReadLines) / Lines);
        Done += U.ReadLines;
      }
    }
  }
};

std::vector<Span> slicesOf(const PredictedPhase &P,
                           const std::vector<double> &Fast, const Span &All,
                           bool HasOpening) {
  const size_t N = P.Tasks.size();
  std::vector<Span> Out(Slices, Span(N));
  double Reads = 0;
  for (size_t T = 0; T < N; ++T) {
    const TaskDemand &D = P.Tasks[T].Demand;
    const Course C(D, Fast, HasOpening);
    double Stalls[2] = {};
    for (unsigned Tier = 0; Tier < 2; ++Tier)
      for (double X : C.Exposed[Tier])
        Stalls[Tier] += X;
    for (unsigned K = 0; K < Slices; ++K) {
      Span &S = Out[K];
      S.Base[T] = All.Base[T] / Slices;
      S.PerFast[T] =
          All.PerFast[T] *
          (Stalls[0] > 0 ? C.Exposed[0][K] / Stalls[0] : 1.0 / Slices);
      S.PerSlow[T] =
          All.PerSlow[T] *
          (Stalls[1] > 0 ? C.Exposed[1][K] / Stalls[1] : 1.0 / Slices);
      S.Lines[T][ReadFast] = C.Read[0][K];
      S.Lines[T][ReadSlow] = C.Read[1][K];
      S.Lines[T][WriteFast] = C.Written[0][K];
      S.Lines[T][WriteSlow] = C.Written[1][K];
      S.Share += C.Read[0][K] + C.Read[1][K];
      Reads += C.Read[0][K] + C.Read[1][K];
    }
  }
  for (Span &S : Out)
    S.Share = Reads > 0 ? S.Share / Reads : 1.0 / Slices;
  return Out;
}

} // namespace

bool evenkeel::hasExplicit(const PredictedPhase &P) {
  return std::any_of(P.Tasks.begin(), P.Tasks.end(),
                     [](const PredictedTask &T) { return T.Explicit; });
}

std::vector<Span> evenkeel::spansOf(const PredictedPhase &P,
                                    const std::vector<double> &Fast,
                                    const Machine &M, const Model &Mod) {
  const size_t N = P.Tasks.size();
  std::vector<Span> Out;
  Out.push_back(wholeOf(P, Fast, M, Mod));
  const Span &All = Out.front();
  double Reads = 0, OpeningReads = 0;
  for (size_t T = 0; T < N; ++T) {
    const double Mine = All.Lines[T][ReadFast] + All.Lines[T][ReadSlow];
    Reads += Mine;
    OpeningReads += Mine * P.Tasks[T].Demand.Opening;
  }
  const double Opening = Reads > 0 ? OpeningReads / Reads : 1;
  // Explicit tasks are at different points of theirs.
  if (hasExplicit(P))
    return Out;
  const bool HasOpening =
      Opening >= ShortestSpan && Opening <= 1 - ShortestSpan;
  if (std::any_of(P.Tasks.begin(), P.Tasks.end(), [&](const PredictedTask &T) {
        return isUneven(T.Demand, Fast);
      }))
    return slicesOf(P, Fast, All, HasOpening);
  if (!HasOpening)
    return Out;
  Span First(N), Rest(N);
  First.Share = Opening;
  Rest.Share = 1 - Opening;
  for (size_t T = 0; T < N; ++T) {
    const TaskDemand &D = P.Tasks[T].Demand;
    for (auto Part : {&Span::Base, &Span::PerFast, &Span::PerSlow}) {
      (First.*Part)[T] = (All.*Part)[T] * D.Opening;
      (Rest.*Part)[T] = (All.*Part)[T] * (1 - D.Opening);
    }
    auto &Early = First.Lines[T];
    Early[ReadFast] = All.Lines[T][ReadFast] * D.Opening;
    Early[ReadSlow] = All.Lines[T][ReadSlow] * D.Opening;
    for (const UnitDemand &U : D.Units) {
      Early[WriteFast] += U.OpeningWrites * Fast[U.Unit];
      Early[WriteSlow] += U.OpeningWrites * (1 - Fast[U.Unit]);
    }
    for (unsigned W = 0; W < Ways; ++W)
      Rest.Lines[T][W] = std::max(0.0, All.Lines[T][W] - Early[W]);
  }
  Out.clear();
  Out.push_back(std::move(First));
  Out.push_back(std::move(Rest));
  return Out;
}
