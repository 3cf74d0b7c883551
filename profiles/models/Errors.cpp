//===- Errors.cpp - a phase whose predictions are off ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Errors.h.
//===----------------------------------------------------------------------===//
#include "Errors.h"
#include "SpanParts.h"
#include "Spans.h"

using namespace evenkeel;

namespace {

/// What a stretch of units adds to a task in each span.
using Parts = std::vector<SpanTask>;

/// Sums over units, by tier.
struct Sums {
  double Exposed[2] = {}, Read[2] = {}, Written[2] = {}, Early[2] = {};

  void add(const UnitDemand &U, double InFast) {
    const double Share[2] = {InFast, 1 - InFast};
    for (unsigned Tier : {0u, 1u}) {
      Exposed[Tier] += U.Exposed * Share[Tier];
      Read[Tier] += U.ReadLines * Share[Tier];
      Written[Tier] += U.WriteLines * Share[Tier];
      Early[Tier] += U.OpeningWrites * Share[Tier];
    }
  }
};

double partOf(double Its, double All) { return All > 0 ? Its / All : 0; }

/// The parts of a stretch if the task is one span, or its opening and the rest.
void addSpans(Parts &Out, const Sums &Its, const Sums &All,
              const SpanTask &Whole, double Opening) {
  SpanTask Task;
  Task.PerFast = Whole.PerFast * partOf(Its.Exposed[0], All.Exposed[0]);
  Task.PerSlow = Whole.PerSlow * partOf(Its.Exposed[1], All.Exposed[1]);
  Task.Lines = {Its.Read[0], Its.Written[0], Its.Read[1], Its.Written[1]};
  if (Out.size() == 1) {
    Out[0] = Task;
    return;
  }
  Out[0].PerFast = Task.PerFast * Opening;
  Out[0].PerSlow = Task.PerSlow * Opening;
  Out[0].Lines = {Its.Read[0] * Opening, Its.Early[0], Its.Read[1] * Opening,
                  Its.Early[1]};
  Out[1].PerFast = Task.PerFast * (1 - Opening);
  Out[1].PerSlow = Task.PerSlow * (1 - Opening);
  for (unsigned W = 0; W < Ways; ++W)
    Out[1].Lines[W] = std::max(0.0, Task.Lines[W] - Out[0].Lines[W]);
}

/// The same if the task is cut into slices.
void addSlices(Parts &Out, const Traffic &Its, const Sums &All,
               const SpanTask &Whole) {
  for (unsigned K = 0; K < Slices; ++K) {
    Out[K].PerFast = Whole.PerFast * partOf(Its.Exposed[0][K], All.Exposed[0]);
    Out[K].PerSlow = Whole.PerSlow * partOf(Its.Exposed[1][K], All.Exposed[1]);
    Out[K].Lines = {Its.Read[0][K], Its.Written[0][K], Its.Read[1][K],
                    Its.Written[1][K]};
  }
}

void addScaled(SpanTask &To, const SpanTask &What, double By) {
  To.PerFast += What.PerFast * By;
  To.PerSlow += What.PerSlow * By;
  for (unsigned W = 0; W < Ways; ++W)
    To.Lines[W] += What.Lines[W] * By;
}

/// A phase under a placement, whose tasks can be put together with errors.
class Apart {
  const PredictedPhase &P;
  const PhaseErrors &Errors;
  const std::vector<double> &Fast;
  const Span Whole;
  const CutPhase Cut;

  /// Calls \p Add with the parts of each stretch of task \p T.
  template <typename Fn>
  void eachStretch(size_t T, const Sums &All, Parts &Its, Fn Add) const {
    const TaskDemand &D = P.Tasks[T].Demand;
    size_t First = 0;
    for (const TaskErrors::Stretch &X : Errors.Tasks[T].Objects) {
      if (Cut.Slices.empty()) {
        Sums Own;
        for (size_t K = First; K < X.End; ++K)
          Own.add(D.Units[K], Fast[D.Units[K].Unit]);
        addSpans(Its, Own, All, Whole.Tasks[T], D.Opening);
      } else {
        addSlices(Its, Cut.Slices[T].only(D, Fast, First, X.End), All,
                  Whole.Tasks[T]);
      }
      First = X.End;
      Add(X.By);
    }
  }

public:
  Apart(const PredictedPhase &P, const PhaseErrors &Errors,
        const std::vector<double> &Fast, const Machine &M, const Model &Mod)
      : P(P), Errors(Errors), Fast(Fast), Whole(wholeSpan(P, Fast, M, Mod)),
        Cut(cutPhase(P, Whole, Fast, M)) {}

  /// So many sets that their spans take about a megabyte, but one at least.
  size_t setsAtOnce() const {
    constexpr size_t Most = (size_t(1) << 20) / sizeof(SpanTask);
    return 1 + Most / (1 + Cut.Spans.size() * P.Tasks.size());
  }

  /// The spans with sets \p From to \p To (exclusive) of errors.
  std::vector<std::vector<Span>> with(size_t From, size_t To) const {
    std::vector<std::vector<Span>> Out(To - From, Cut.Spans);
    Parts Its(Cut.Spans.size());
    // The task in all spans of all sets: each stretch visits all of them.
    std::vector<SpanTask> Here(Out.size() * Its.size());
    for (size_t T = 0; T < P.Tasks.size(); ++T) {
      Sums All;
      for (const UnitDemand &U : P.Tasks[T].Demand.Units)
        All.add(U, Fast[U.Unit]);
      SpanTask *Next = Here.data();
      for (size_t E = From; E < To; ++E)
        for (const Span &X : Cut.Spans) {
          SpanTask &Task = *Next++ = X.Tasks[T];
          Task.Base *= Errors.Tasks[T].Core[E];
          // What no unit accounts for stays.
          Task.PerFast = All.Exposed[0] > 0 ? 0 : Task.PerFast;
          Task.PerSlow = All.Exposed[1] > 0 ? 0 : Task.PerSlow;
          Task.Lines = {};
        }
      eachStretch(T, All, Its, [&](const std::vector<double> &By) {
        SpanTask *To = Here.data();
        for (size_t E = From; E < From + Out.size(); ++E)
          for (const SpanTask &Part : Its)
            addScaled(*To++, Part, By[E]);
      });
      Next = Here.data();
      for (std::vector<Span> &Spans : Out)
        for (Span &X : Spans)
          X.Tasks[T] = *Next++;
    }
    return Out;
  }
};

} // namespace

std::vector<PhaseState> evenkeel::statesWith(const PredictedPhase &P,
                                             const PhaseErrors &Errors,
                                             const std::vector<double> &Fast,
                                             const Machine &M,
                                             const Model &Mod) {
  const Apart Its(P, Errors, Fast, M, Mod);
  const TaskGraph Graph(P);
  std::vector<PhaseState> Out;
  Out.reserve(Errors.Sets);
  for (size_t E = 0; E < Errors.Sets; E += Its.setsAtOnce())
    for (const std::vector<Span> &Spans :
         Its.with(E, std::min(Errors.Sets, E + Its.setsAtOnce())))
      Out.push_back(settleSpans(P, Spans, Graph, M));
  return Out;
}
