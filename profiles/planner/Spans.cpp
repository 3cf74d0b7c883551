//===- Spans.cpp - how a phase's traffic changes in its course ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Spans.h. A task fetches a unit when the base input's tasks did. Where
// that is not known, one that walks through an object fetches its units in
// their order, at the pace of the whole task, and of other objects from all
// units all the time. A phase is cut into slices only where what is read of a
// tier changes in its course.
//===----------------------------------------------------------------------===//
#include "Spans.h"
#include "Phase.h"
#include "format/Course.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;

namespace {

/// Openings of a smaller share of all fetches than this, or of a larger one
/// than the rest, are not told apart.
constexpr double ShortestSpan = 0.02;

/// With 4, 8 or 16 the predicted times of the main job's SpGEMM are off by the
/// same, within 0.1 %; more slices show shorter runs of units in one tier.
constexpr unsigned Slices = Course::Parts;

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
    if (U[I].Walked && U[I - 1].Walked && !U[I].Course && !U[I - 1].Course &&
        U[I].Unit == U[I - 1].Unit + 1 &&
        std::fabs(Fast[U[I].Unit] - Fast[U[I - 1].Unit]) > SameShare)
      return true;
  return false;
}

/// Of the time that a tier's bandwidth takes in a phase that waits for nothing
/// else, over the phase's: traffic below it costs no time, whenever it comes.
constexpr double LeastLoad = 0.02;

/// Traffic of a sixteenth over that of all, from which on the phase is cut.
constexpr double Even = 1.25;

/// Whether courses that are known load a tier unevenly.
bool changes(const PredictedPhase &P, const std::vector<double> &Fast,
             const Span &All, const Machine &M) {
  if (std::none_of(P.Tasks.begin(), P.Tasks.end(), [](const PredictedTask &T) {
        return std::any_of(T.Demand.Units.begin(), T.Demand.Units.end(),
                           [](const UnitDemand &U) { return U.Course != 0; });
      }))
    return false;
  double Seconds = 0, Reads[2] = {};
  for (size_t T = 0; T < P.Tasks.size(); ++T) {
    Seconds = std::max(
        Seconds, All.Base[T] + All.PerFast[T] * M.Tiers.front().ReadLatencyNs +
                     All.PerSlow[T] * M.Tiers.back().ReadLatencyNs);
    Reads[0] += All.Lines[T][ReadFast];
    Reads[1] += All.Lines[T][ReadSlow];
  }
  auto Load = [&](unsigned Which) {
    const Tier &Of = Which ? M.Tiers.back() : M.Tiers.front();
    return Reads[Which] * LineBytes / (Of.ReadBandwidthGBps * 1e9);
  };
  const bool Matters[2] = {Load(0) > LeastLoad * Seconds,
                           Load(1) > LeastLoad * Seconds};
  if (!Matters[0] && !Matters[1])
    return false;
  Course Of[2];
  double Always[2] = {}; // and at any time
  for (const PredictedTask &T : P.Tasks)
    for (const UnitDemand &U : T.Demand.Units)
      for (unsigned Tier : {0u, 1u}) {
        const double Its =
            U.ReadLines * (Tier ? 1 - Fast[U.Unit] : Fast[U.Unit]);
        if (Its > 0 && U.Course && U.Course != ~uint64_t(0))
          Of[Tier].add(Its, U.Course);
        else
          Always[Tier] += Its;
      }
  for (unsigned Tier : {0u, 1u})
    for (double Its : Of[Tier].Lines)
      if (Matters[Tier] &&
          Its * Course::Parts + Always[Tier] > Even * Reads[Tier])
        return true;
  return false;
}

/// Part of [From, To) that lies in [A, B), of the latter.
double overlap(double From, double To, double A, double B) {
  return B > A ? std::max(0.0, std::min(To, B) - std::max(From, A)) / (B - A)
               : 0;
}

/// Lines and exposed latencies of a task in each slice, by tier.
class Traffic {
  const std::vector<double> &Fast;
  const double Opening;
  /// Share of all fetches that are made by the beginning of each slice.
  std::array<double, Slices + 1> Made = {};

public:
  using BySlice = std::array<std::array<double, Slices>, 2>;
  BySlice Read = {}, Written = {}, Exposed = {};

private:
  void put(BySlice &Sums, const UnitDemand &U, double What, unsigned K) const {
    Sums[0][K] += What * Fast[U.Unit];
    Sums[1][K] += What * (1 - Fast[U.Unit]);
  }

  /// Evenly from \p From to \p To of the task's time.
  void spread(BySlice &Sums, const UnitDemand &U, double What, double From,
              double To) const {
    const unsigned First = std::min(Slices - 1, unsigned(From * Slices)),
                   Last = std::min(Slices - 1, unsigned(To * Slices));
    for (unsigned K = First; What > 0 && K <= Last; ++K)
      put(Sums, U,
          What * (To > From ? overlap(double(K) / Slices,
                                      double(K + 1) / Slices, From, To)
                            : (K == First ? 1 : 0)),
          K);
  }

  /// Evenly from \p From to \p To of its fetches.
  void spreadByFetches(BySlice &Sums, const UnitDemand &U, double What,
                       double From, double To) const {
    for (unsigned K = 0; What > 0 && K < Slices; ++K)
      if (To > From)
        put(Sums, U, What * overlap(Made[K], Made[K + 1], From, To), K);
      else if (Made[K] <= From && (From < Made[K + 1] || K + 1 == Slices))
        return put(Sums, U, What, K);
  }

  double madeBy(double Time) const {
    const unsigned K = std::min(Slices - 1, unsigned(Time * Slices));
    return Made[K] + (Made[K + 1] - Made[K]) * (Time * Slices - K);
  }

  /// Lines that are read from \p From to \p To of the task's fetches are
  /// written back as soon as as many others have come as the caches hold.
  void write(const UnitDemand &U, double Late, double From, double To) {
    const double Until = std::min(1.0, To + Opening);
    spreadByFetches(
        Written, U, Late,
        std::min(From + Opening, Until - (Until - Opening) * (To - From)),
        Until);
  }

  /// The same of a unit whose course is known: in each part of it, as many as
  /// are followed by that many others before the task ends.
  void writeParts(const UnitDemand &U, double Late) {
    std::array<double, Slices> Its = {};
    double All = 0;
    for (unsigned K = 0; K < Slices; ++K) {
      const double Length = Made[K + 1] - Made[K],
                   Followed = std::min(Made[K + 1], 1 - Opening) - Made[K];
      if (Length > 0 && Followed > 0)
        All += Its[K] = Course::part(U.Course, K) * Followed / Length;
    }
    for (unsigned K = 0; K < Slices; ++K)
      if (Its[K] > 0)
        spreadByFetches(Written, U, Late * Its[K] / All, Made[K] + Opening,
                        std::min(1.0, Made[K + 1] + Opening));
    if (All <= 0) // none of them, and still they were: as the task ends
      write(U, Late, 1, 1);
  }

  /// When each unit is fetched, where its course does not say it.
  template <typename Do> static void each(const TaskDemand &D, Do What) {
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
        if (!U.Walked || Lines <= 0)
          What(U, 0.0, 1.0);
        else
          What(U, Done / Lines, (Done + U.ReadLines) / Lines);
        Done += U.ReadLines;
      }
    }
  }

public:
  Traffic(const TaskDemand &D, const std::vector<double> &Fast, bool HasOpening)
      : Fast(Fast), Opening(HasOpening ? D.Opening : 0) {
    each(D, [&](const UnitDemand &U, double From, double To) {
      if (!U.Course) {
        spread(Read, U, U.ReadLines, From, To);
        spread(Exposed, U, U.Exposed, From, To);
        return;
      }
      const double All = Course::sum(U.Course);
      for (unsigned K = 0; K < Slices; ++K)
        if (const unsigned Its = Course::part(U.Course, K)) {
          put(Read, U, U.ReadLines * Its / All, K);
          put(Exposed, U, U.Exposed * Its / All, K);
        }
    });
    for (unsigned K = 0; K < Slices; ++K)
      Made[K + 1] = Made[K] + Read[0][K] + Read[1][K];
    for (unsigned K = 0; K <= Slices; ++K)
      Made[K] = Made[Slices] > 0 && K < Slices ? Made[K] / Made[Slices]
                                               : double(K) / Slices;
    each(D, [&](const UnitDemand &U, double From, double To) {
      spreadByFetches(Written, U, U.OpeningWrites, 0,
                      Opening > 0 ? Opening : 1);
      const double Late = U.WriteLines - U.OpeningWrites;
      if (Late > 0 && U.Course)
        writeParts(U, Late);
      else if (Late > 0)
        write(U, Late, madeBy(From), madeBy(To));
    });
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
    const Traffic C(D, Fast, HasOpening);
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
  if (std::any_of(
          P.Tasks.begin(), P.Tasks.end(),
          [&](const PredictedTask &T) { return isUneven(T.Demand, Fast); }) ||
      changes(P, Fast, All, M))
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
