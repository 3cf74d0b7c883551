//===- Tasks.cpp - demands of tasks on the target -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: N'(o,t) = N(o,t) * C'(o,t)/C(o,t) * alpha'/alpha (after Merchandiser,
// PPoPP 2023, with alpha from the base run's own miss-ratio curve); without a
// usable expression C'/C is the object's size ratio S'/S, and without that the
// ratio of the whole program's closed-form work.
// Makes: the phases of a Problem; Problem.Methods counts how each estimate was
// made.
// Leaves out: other numbers of tasks or phases than the base had (Threads.h).
//===----------------------------------------------------------------------===//
#include "predict/Extrapolator.h"
#include "problem/Problem.h"
#include <algorithm>
#include <cmath>
#include <tuple>

using namespace evenkeel;

namespace evenkeel {
namespace extrapolation {

/// Where sizes or symbols are known to be others, and how.
Extrapolator::Grown Extrapolator::grow(uint32_t T, const BaseDemand &Q) {
  Grown G;
  Ratio &C = G.C = cachedRatio(T, Q);
  const double S = SizeRatio[Q.Inst];
  G.Weight = Q.Accesses;
  // A formula none of whose symbols has a value of the target says nothing
  // about a target whose objects have other sizes.
  if (C.How.Kept && !C.How.Changed && std::fabs(S - 1) > 1e-9)
    C.Usable = false;
  if (C.Usable) {
    G.Count = !knowsTarget()    ? CountWay::Base
              : C.How.Scaled    ? CountWay::FormulaScaled
              : C.How.Sized     ? CountWay::FormulaSized
              : C.How.Inherited ? (C.How.Measured ? CountWay::FormulaLike
                                                  : CountWay::FormulaNamesake)
              : C.How.Kept      ? CountWay::FormulaKept
              : C.How.Measured  ? CountWay::FormulaGiven
                                : CountWay::Formula;
  } else if (std::optional<double> Growth =
                 growthKnown(T, Q) ? std::nullopt : growthByPowerLaw(T)) {
    C.All = C.Writes = *Growth;
    G.Count = CountWay::PowerLaw;
  } else if (P.Instances[Q.Inst].Method != BaseMethod || !knowsTarget()) {
    const std::optional<double> Growth = sizeGrowth(T, Q, S);
    C.All = C.Writes = Growth.value_or(S);
    // The size of a block that is gone over again and again says how large it
    // is, not how often that happens: only as many accesses as it has words
    // speak for the task's work.
    G.Weight =
        std::min(G.Weight, double(B.Instances[Q.Inst].bytes) / WordBytes);
    // A call's own array says nothing of how many calls there will be.
    if (const SiteFact *Of = F.site(P.Instances[Q.Inst].Site);
        Of && (Of->Kind == "stack" || Of->Kind == "alloca"))
      G.Weight = 0;
    G.Count = !knowsTarget() ? CountWay::Base
              : Growth       ? CountWay::PowerLaw
                             : CountWay::SizeRatio;
  } else if (HaveWork) {
    C.All = C.Writes = WorkRatio;
    G.Count = CountWay::WorkRatio;
  } else {
    G.Count = CountWay::BaseCount;
  }
  const bool AsTeam = knowsTarget();
  G.Cache = cacheEffect(AsTeam && Q.TeamCurve ? Q.TeamCurve : Q.Curve, S);
  G.Reads = G.Cache.Lines
                ? *G.Cache.Lines
                : Q.Reads * (AsTeam ? Q.TeamScaled : 1) * G.Cache.Ratio;
  G.Reads *= C.All;
  // What never left the caches on the base input may do so on another: a
  // small object with very many accesses is worth its few bytes.
  if (AsTeam)
    G.Reads = std::max(G.Reads, Unseen * Q.Accesses * C.All);
  // A line cannot come more often than it is accessed.
  if (Q.Accesses > 0)
    G.Reads = std::min(G.Reads, std::max(Q.Accesses * C.All, Q.Reads * C.All));
  return G;
}

/// A page's lines: fewer of an object are none.
static constexpr double LeastLines = 64;

/// Lines that were seen tell how others overlap as much as what is known
/// without them when they are this share of those. Fewer may be odd ones that
/// missed for a reason of their own (conflicts in a set), with less around them
/// to overlap with: they tell what the exposure is at most. Of a team's, as
/// many count as one of its tasks has.
static constexpr double TellingShare = 1.0 / 32;

/// What fewer of the lines weighed that the caches held is within the error of
/// the others' estimate (one in eight is looked at).
static constexpr double LeastHeld = 1.0 / 8;

/// Exposed latencies of each of \p Lines of an instance that a task of the
/// phase fetches, and did not on the base input: as many as its own had there,
/// or its team's, or those of all that access the instance, or any, alike.
double Extrapolator::mlpOf(uint32_t Phase, const BaseDemand &Q,
                           double Lines) const {
  double Mlp = AllReads > 0 ? AllWeight / AllReads : 1;
  auto Learn = [&](const Weighed &Seen, double Tasks) {
    auto [Weight, Reads] = Seen;
    if (Reads <= 0)
      return;
    const double Telling = Weight / Reads < Mlp
                               ? LeastLines
                               : TellingShare * std::max(1.0, Lines) * Tasks,
                 Share = Reads / Telling;
    Mlp += (Weight / Reads - Mlp) / (1 + 1 / (Share * Share));
  };
  Learn(Overlap.at({Q.Pattern, AnyInstance}), 1);
  Learn(Overlap.at({Q.Pattern, Q.Inst}), 1);
  if (auto Team = TeamOverlap.find({Phase, Q.Inst}); Team != TeamOverlap.end())
    Learn(Team->second, P.Phases[Phase].Workers);
  Learn({Q.Weight, Q.Reads}, 1);
  return Mlp;
}

/// The same, \p Mlp, put right by what the lines that the caches held on the
/// base input would have weighed, the more of them no longer are: the first to
/// be lost are like those that were not held, the last ones like all that were.
/// \p Lines: as many as the base input's accesses would have lost.
double Extrapolator::farMlp(uint32_t Phase, const BaseDemand &Q, double Lines,
                            double Mlp) const {
  auto Far = TeamFar.find({B.Phases[Phase].sync, Q.Inst});
  if (Far == TeamFar.end() || Far->second.Accesses <= 0 || Q.Accesses <= 0)
    return Mlp;
  const auto [AllWeight, AllReads, Accesses, Through, Came] = Far->second;
  // Lines that any last level holds are never lost; and the number is counted,
  // where the weights are sampled.
  const double Reads = Through > 0 ? std::min(AllReads, Through) : AllReads,
               Weight = AllReads > 0 ? AllWeight / AllReads * Reads : 0;
  const double Held = Reads - Came.second;
  if (Reads < LeastLines || Held < LeastHeld * Reads)
    return Mlp;
  const double Each = std::max(0.0, Weight - Came.first) / Held,
               Lost = Lines / (Held * Q.Accesses / Accesses);
  // Gathers that mostly hit do so together, as the base input's data have it.
  if (Q.TeamMlp > 0 && Held > Came.second)
    return Mlp;
  return Mlp + std::min(1.0, Lost) * (std::min(1.0, Each) - Mlp);
}

/// Units of a walk, over those that may have more lines than the others.
static constexpr size_t FewUnits = 4;

/// Of \p New lines of an object, what each of its units gets: of one that is
/// walked through, those first that the caches held in single units of the walk
/// on the base input, but for its ends, which it may only have a part of; the
/// rest goes as \p Shape does, \p Scale times. Units of which they held all
/// lines get none: the task may not come by them.
static std::vector<double> newLines(const std::vector<UnitDemand> &Shape,
                                    double Scale, double New, bool Walked) {
  std::vector<double> Out(Shape.size());
  double Held = 0, All = 0;
  for (size_t K = 0; K < Shape.size(); ++K)
    All += Out[K] = Shape[K].ReadLines * Scale;
  // A few units may be read twice.
  const size_t Above = Shape.size() / FewUnits;
  double Whole = 0;
  if (Walked && Shape.size() > 2) {
    std::nth_element(Out.begin(), Out.end() - 1 - Above, Out.end());
    Whole = *(Out.end() - 1 - Above);
  }
  std::fill(Out.begin(), Out.end(), 0);
  for (size_t K = 1; Whole > 0 && K + 1 < Shape.size(); ++K)
    Held += Out[K] = std::max(0.0, Whole - Shape[K].ReadLines * Scale);
  const double Part = Held > 0 ? std::min(1.0, New / Held) : 0,
               Left = New - Part * Held, Full = All + Part * Held;
  for (size_t K = 0; K < Out.size(); ++K) {
    Out[K] *= Part;
    Out[K] +=
        Full > 0 ? Left * (Shape[K].ReadLines * Scale + Out[K]) / Full : 0;
  }
  return Out;
}

/// The same where the part is known that the task goes through: of what is new,
/// units get it first that have least, until all of the part are alike.
static std::vector<double> newLinesOfPart(const BaseDemand &Q, double Scale,
                                          double New) {
  struct Level {
    double Lines, Part;
    size_t K;
  };
  std::vector<Level> Levels; // of the part's units
  for (size_t K = 0; K < Q.Shape.size(); ++K)
    if (const double Part = Q.inPart(Q.Shape[K].Unit, Q.Parts); Part > 0)
      Levels.push_back({Q.Shape[K].ReadLines * Scale / Part, Part, K});
  std::sort(Levels.begin(), Levels.end(), [](const Level &X, const Level &Y) {
    return std::tie(X.Lines, X.K) < std::tie(Y.Lines, Y.K);
  });
  double Width = 0, Lines = New, Full = 0;
  for (const Level &X : Levels) {
    if (Width > 0 && X.Lines >= Full)
      break;
    Width += X.Part;
    Lines += X.Lines * X.Part;
    Full = Lines / Width;
  }
  std::vector<double> Out(Q.Shape.size());
  for (const Level &X : Levels)
    Out[X.K] = std::max(0.0, Full - X.Lines) * X.Part;
  return Out;
}

/// Write-backs that the base input did not have: \p More, of units from
/// \p First on that are walked through. A walk that ends has pushed out its
/// first lines, not its last ones; what the walk before it left, the share
/// \p Early, and is pushed out in its opening are the last ones.
static void addWriteBacks(std::vector<UnitDemand> &Units, size_t First,
                          double Dirty, double More, double Early) {
  double Own = More * (1 - Early), Left = More * Early, Lines = 0;
  auto Add = [&](UnitDemand &U, double &From, bool InOpening) {
    const double Its =
        std::clamp(U.ReadLines * Dirty - U.WriteLines, 0.0, From);
    U.WriteLines += Its;
    U.OpeningWrites += InOpening ? Its : 0;
    From -= Its;
  };
  for (size_t I = First; I < Units.size(); ++I) {
    Lines += Units[I].ReadLines;
    Add(Units[I], Own, false);
  }
  for (size_t I = Units.size(); I-- > First;)
    Add(Units[I], Left, true);
  // More than there are lines: some of them more than once.
  for (size_t I = First; I < Units.size() && Lines > 0; ++I) {
    UnitDemand &U = Units[I];
    U.WriteLines += (Own + Left) * U.ReadLines / Lines;
    U.OpeningWrites += Left * U.ReadLines / Lines;
  }
}

/// Of lines, those that the base input's tasks did not fetch: where more are
/// new, those that were not say little of when.
static constexpr double MostNew = 0.5;

/// Of a task that makes fewer accesses than one in so many instructions, they
/// do not tell how long it computes.
static constexpr double LeastAccesses = 1000;

void Extrapolator::addFetch(uint32_t T, const BaseDemand &Q, double Lines) {
  Fetched[T].push_back({Q.Inst, Lines, Lines * Q.Dirty});
}

PredictedTask Extrapolator::task(uint32_t T,
                                 const std::vector<uint32_t> &FirstUnit,
                                 DirtyCaches &Caches) {
  const ek_raw_task &Row = B.Tasks[T];
  PredictedTask X;
  X.Region = Row.region;
  X.Index = Row.index;
  X.Explicit = Row.flags & 1;

  std::vector<Grown> All;
  Fetched[T].clear();
  for (const BaseDemand &Q : Demands[T]) {
    All.push_back(grow(T, Q));
    addFetch(T, Q, All.back().Reads);
  }
  std::unordered_map<uint32_t, DirtyCaches::Back> PushedOut;
  const double Opening = X.Demand.Opening =
      Caches.run(Row.worker, Fetched[T], PushedOut);
  const double Gone = knowsTarget() && BaseGone[T] > 0
                          ? leftByGone(T, PushedOut) / BaseGone[T]
                          : 1;

  double Accesses0 = 0, Accesses1 = 0, Recorded = 0;
  for (size_t K = 0; K < All.size(); ++K) {
    BaseDemand &Q = Demands[T][K];
    const Grown &G = All[K];
    const Ratio &C = G.C;
    const uint32_t Inst = Q.Inst;
    const double Reads = G.Reads;
    count(text(G.Count));
    if (G.C.How.Below && !G.C.Usable)
      count("count: no formula, it is for values of 0 or more");
    const CacheWay Way = B.Mode == "counts" ? CacheWay::Counted : G.Cache.Way;
    count(text(Way));
    X.Estimates.push_back({Inst, G.Count, Way,
                           Q.TeamMlp > 0 || isGathered(Row.phase, Inst),
                           Q.Accesses * C.All, Reads});
    Accesses0 += G.Weight;
    Accesses1 += G.Weight * C.All;
    Recorded += Q.Accesses;
    X.Accesses += Q.Accesses * C.All;

    // What lies in the caches when a task ends does not grow with the input.
    // Of what the task does not touch, only what others left.
    const double Grows = Q.Accesses > 0 ? C.Writes : 1;
    double Writes = (Q.Writes - Q.OfGone) * Grows + Q.OfGone * Gone, More = 0;
    double Early = Opening; // share of the writes in the task's opening
    auto Out = PushedOut.find(Inst);
    if (Out != PushedOut.end() && Out->second.Lines > 0)
      Early = 1 - Out->second.Own / Out->second.Lines;
    if (knowsTarget()) {
      More = -Q.PushedOut * Grows;
      if (Out != PushedOut.end())
        More += Out->second.Lines;
      More = std::max(More, -Writes);
    }
    if (Out != PushedOut.end())
      Out->second.Lines = 0; // accounted for
    const double WriteScale =
        Q.Writes > 0 ? (Writes + std::min(0.0, More)) / Q.Writes : 0;
    More = std::max(0.0, More);

    const bool AsTeam = knowsTarget();
    const double TeamMlp = AsTeam ? Q.TeamMlp : 0;
    const unsigned Parts = FirstUnit[Inst + 1] - FirstUnit[Inst];
    const double Stretch = knowsTarget() ? stretchOf(Inst) : 1;
    const bool Loose =
        knowsTarget() && Q.Random && TakesTurns[Row.phase] && !Q.Rows.empty();
    if (Q.Parts != Parts || Q.Stretch != Stretch || Q.Loose != Loose)
      shape(Q, Parts, Stretch, Loose);
    const size_t FirstOfIts = X.Demand.Units.size();
    OfOwn = Who.Objects.count(Inst) != 0;
    const double PerLine = AsTeam ? runWeight(T, Q, C.All) : 1;
    OfOwn = false;
    if (Q.Reads > 0) {
      // The few lines that missed on the base input do not tell how those
      // overlap that no longer fit.
      const double Same = Q.Reads * C.All * (TeamMlp > 0 ? Q.TeamScaled : 1),
                   Lost = AsTeam ? std::max(0.0, Reads - Same) : 0,
                   Old = (Reads - Lost) / Q.Reads; // each of the base's
      const double Mlp =
          farMlp(Row.phase, Q, C.All > 0 ? Lost / C.All : 0,
                 TeamMlp > 0 ? TeamMlp : mlpOf(Row.phase, Q, Lost));
      const std::vector<double> New =
          Q.To > 0 ? newLinesOfPart(Q, Old, Lost)
                   : newLines(Q.Shape, Old, Lost, Q.Walked);
      for (size_t K = 0; K < Q.Shape.size(); ++K) {
        const UnitDemand &Z = Q.Shape[K];
        const double Back = Z.WriteLines * WriteScale +
                            (Q.Walked ? 0 : Z.ReadLines * More / Q.Reads);
        X.Demand.Units.push_back(
            {FirstUnit[Inst] + Z.Unit, Z.ReadLines * Old + New[K], Back,
             PerLine *
                 (Old * (TeamMlp > 0 ? Z.ReadLines * TeamMlp : Z.Exposed) +
                  New[K] * Mlp),
             Back * Early, Inst, Q.Walked,
             Lost > MostNew * Reads ? 0 : Z.Course});
      }
      if (Q.Walked)
        addWriteBacks(X.Demand.Units, FirstOfIts, Q.Dirty, More, Early);
      continue;
    }
    // Lines without a base histogram are spread over the task's part, or else
    // over the whole instance. A task whose part stayed in its caches overlaps
    // as its team does.
    const double Mlp =
        farMlp(Row.phase, Q, C.All > 0 ? Reads / C.All : 0,
               TeamMlp > 0 ? TeamMlp : mlpOf(Row.phase, Q, Reads));
    auto Z = Q.Shape.begin();
    for (unsigned K = 0; K < Parts; ++K) {
      const double Share = Q.To > 0
                               ? Q.inPart(K, Parts) / (Parts * (Q.To - Q.From))
                               : 1.0 / Parts;
      UnitDemand Y;
      Y.Unit = FirstUnit[Inst] + K;
      Y.Object = Inst;
      Y.Walked = Q.To > 0;
      Y.ReadLines = Reads * Share;
      Y.Exposed = Reads * Mlp * Share;
      Y.WriteLines = More * Share;
      if (Z != Q.Shape.end() && Z->Unit == K)
        Y.WriteLines += (Z++)->WriteLines * WriteScale;
      Y.OpeningWrites = Y.WriteLines * Early;
      if (Y.ReadLines > 0 || Y.WriteLines > 0)
        X.Demand.Units.push_back(Y);
    }
  }

  // What others left, and the task did not push out on the base input.
  if (knowsTarget())
    for (auto [Inst, Back] : std::map<uint32_t, DirtyCaches::Back>(
             PushedOut.begin(), PushedOut.end())) {
      if (Back.Lines < LeastLines || !isLive(P.Instances[Inst], Row.phase))
        continue;
      const unsigned Parts = FirstUnit[Inst + 1] - FirstUnit[Inst];
      const double Each = Back.Lines / Parts;
      for (unsigned K = 0; K < Parts; ++K)
        X.Demand.Units.push_back({FirstUnit[Inst] + K, 0, Each, 0, Each, Inst});
    }

  const bool Computes =
      HaveWork && Recorded * LeastAccesses < double(Row.instructions);
  X.Determined = !Computes && isDetermined(T, All);
  double Core = 1;
  if (Accesses0 > 0 && !Computes) {
    Core = Accesses1 / Accesses0;
    X.Core = CoreWay::Accesses;
  } else if (Accesses0 > 0) {
    Core = WorkRatio;
    X.Core = CoreWay::Work;
  } else {
    // No object was recorded: the region's own formulas, if any.
    double Old = 0, New = 0;
    Trace How;
    for (const AccessFact *A : AccessesIn[Row.region])
      for (CountOf Which : {CountOf::Reads, CountOf::Writes}) {
        std::optional<double> V0 = baseCount(*A, Which, T);
        std::optional<double> V1 =
            V0 ? targetCount(Counts, *A, Which, T, How) : std::nullopt;
        if (V1 && *V0 > 0) {
          Old += *V0;
          New += std::max(0.0, *V1);
        }
      }
    if (Old > 0) {
      Core = New / Old;
      X.Core = CoreWay::Formulas;
    } else if (HaveWork) {
      Core = WorkRatio;
      X.Core = CoreWay::Work;
    }
  }
  count(text(X.Core));
  X.Demand.CoreSeconds =
      static_cast<double>(Row.core_cycles) * Core / (R.M->GHz * 1e9);
  return X;
}

/// Of phases that are over, only teams that gather are compared with what was
/// measured.
bool Extrapolator::isLeft(uint32_t Phase) const {
  return isOver(Phase) && (Explicit[Phase] || (Gathered[Phase].empty() &&
                                               Scattered[Phase].empty()));
}

/// What tasks fetch, before any of them runs: of a folded base, others of their
/// kind run before them.
void Extrapolator::fetches() {
  for (uint32_t T = 0; T < B.Tasks.size(); ++T) {
    if (isLeft(B.Tasks[T].phase) && !Fetched[T].empty())
      continue;
    Fetched[T].clear();
    for (const BaseDemand &Q : Demands[T])
      addFetch(T, Q, grow(T, Q).Reads);
  }
}

/// Phases and tasks are those of the base.
void Extrapolator::tasks() {
  std::vector<uint32_t> FirstUnit(P.Instances.size() + 1, 0);
  for (const Unit &U : P.Units)
    ++FirstUnit[U.Instance + 1];
  for (size_t I = 0; I < P.Instances.size(); ++I)
    FirstUnit[I + 1] += FirstUnit[I];
  P.Phases.resize(B.Phases.size());
  for (uint32_t H = 0; H < B.Phases.size(); ++H)
    if (stands(H)) {
      PredictedPhase &X = P.Phases[H];
      const ek_raw_phase &Row = B.Phases[H];
      X.Phase = H;
      X.Gathered = Gathered[H];
      X.Scattered = Scattered[H];
      X.Kind = PhaseKind[H];
      uint32_t Team = Row.kind == 1 ? Row.width : 0;
      X.Workers = std::max(1u, Team ? Team : B.Config.workers);
    }
  std::vector<std::vector<PredictedTask>> Tasks(B.Phases.size());
  std::vector<uint32_t> Local(B.Tasks.size(), 0);
  if (!B.Like.empty())
    fetches();
  std::unordered_map<uint32_t, DirtyCaches::Back> Over;
  eachInOrder(
      [&](uint32_t T) -> const std::vector<DirtyCaches::Fetch> & {
        return Fetched[T];
      },
      [&](uint32_t T, DirtyCaches &Caches) {
        const uint32_t H = B.Tasks[T].phase;
        if (isLeft(H)) { // it leaves lines in the caches
          if (Fetched[T].empty())
            for (const BaseDemand &Q : Demands[T])
              addFetch(T, Q, grow(T, Q).Reads);
          Caches.run(B.Tasks[T].worker, Fetched[T], Over);
          return;
        }
        Repeats = unsigned(Times[H]);
        Local[T] = static_cast<uint32_t>(Tasks[H].size());
        Tasks[H].push_back(task(T, FirstUnit, Caches));
      });
  Repeats = 1;
  for (const ek_raw_dep &E : B.Deps)
    if (const uint32_t H = B.Tasks[E.task].phase;
        H == B.Tasks[E.pred].phase && !isLeft(H))
      Tasks[H][Local[E.task]].Preds.push_back(Local[E.pred]);
  for (uint32_t H = 0; H < B.Phases.size(); ++H) {
    PredictedPhase &X = P.Phases[H];
    if (!stands(H)) {
      X = P.Phases[Like[H]];
      X.Phase = H;
      continue;
    }
    X.Tasks = std::move(Tasks[H]);
    // A phase goes by the region most of its tasks run.
    std::map<uint64_t, unsigned> Votes;
    unsigned Most = 0;
    for (const PredictedTask &T : X.Tasks)
      if (++Votes[T.Region] > Most) {
        Most = Votes[T.Region];
        X.Region = T.Region;
      }
  }
}

} // namespace extrapolation
} // namespace evenkeel
