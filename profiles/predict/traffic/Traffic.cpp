//===- Traffic.cpp - lines of tasks on the target -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the lines that a task fetches of each object (Caches.cpp), where they
// were on the base input (Shapes.h), and the lines that caches push out
// meanwhile.
// Makes: the task's lines by unit, read and written.
//===----------------------------------------------------------------------===//
#include "Traffic.h"
#include "problem/Problem.h"
#include "tuning/Tuning.h"
#include <algorithm>

using namespace evenkeel;
using namespace evenkeel::prediction;

/// Adds \p More write-backs that the base input did not have, to units from
/// \p First on that are walked through. At the end of a walk, its first lines
/// have been pushed out, but not its last ones. The share \p Early is pushed
/// out in the task's opening: these are the last lines of the previous walk.
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
  // More write-backs than lines: some lines are written back repeatedly.
  for (size_t I = First; I < Units.size() && Lines > 0; ++I) {
    UnitDemand &U = Units[I];
    U.WriteLines += (Own + Left) * U.ReadLines / Lines;
    U.OpeningWrites += Left * U.ReadLines / Lines;
  }
}

namespace {

/// A task's write-backs of an object.
struct Written {
  double Scale = 0; // factor for the base input's write-backs
  double More = 0;  // lines that the base input did not have
  double Early = 0; // share of them in the task's opening
};

/// Units of one task.
class TaskUnits {
  const CountInputs &In;
  const std::vector<CountGrowth> &Growth;
  const std::vector<FetchedLines> &Lines;
  const std::vector<double> &Stretches;
  const std::vector<uint32_t> &FirstUnit;
  Shapes &Known;
  const Rules &Use;
  const uint32_t Task;
  const bool KnowsTarget; // the target may be another input
  double Opening;
  std::unordered_map<uint32_t, DirtyCaches::Back> &PushedOut;
  std::vector<UnitDemand> &Out;

  unsigned partsOf(uint32_t Inst) const {
    return FirstUnit[Inst + 1] - FirstUnit[Inst];
  }
  double exposure(const BaseDemand &Q, double New, double Lost) const;
  Written writeBacks(const BaseDemand &Q, const Ratio &C);
  void addKnown(size_t K, const std::vector<UnitDemand> &Shape,
                const Written &W);
  void addSpread(size_t K, const std::vector<UnitDemand> &Shape,
                 const Written &W);

public:
  TaskUnits(const CountInputs &In, const AccessCounts &Counts,
            const TaskTraffic &Its, const std::vector<double> &Stretches,
            const std::vector<uint32_t> &FirstUnit, Shapes &Known,
            const Rules &Use, uint32_t Task,
            std::unordered_map<uint32_t, DirtyCaches::Back> &PushedOut,
            std::vector<UnitDemand> &Out);
  void addDemand(size_t K);
  void addLeft();
};

} // namespace

TaskUnits::TaskUnits(const CountInputs &In, const AccessCounts &Counts,
                     const TaskTraffic &Its,
                     const std::vector<double> &Stretches,
                     const std::vector<uint32_t> &FirstUnit, Shapes &Known,
                     const Rules &Use, uint32_t Task,
                     std::unordered_map<uint32_t, DirtyCaches::Back> &PushedOut,
                     std::vector<UnitDemand> &Out)
    : In(In), Growth(Counts.Of[Task]), Lines(Its.Lines), Stretches(Stretches),
      FirstUnit(FirstUnit), Known(Known), Use(Use), Task(Task),
      KnowsTarget(In.New.values().knowsTarget()), Opening(Its.Opening),
      PushedOut(PushedOut), Out(Out) {}

Written TaskUnits::writeBacks(const BaseDemand &Q, const Ratio &C) {
  // The lines that are in the caches when a task ends do not grow with the
  // input. Write-backs of objects that the task does not access are lines left
  // by other tasks.
  const double Grows = Q.Accesses > 0 ? C.Writes : 1;
  const double Writes = Q.Writes * Grows;
  Written W;
  double More = 0;
  W.Early = Opening;
  auto Back = PushedOut.find(Q.Inst);
  if (Back != PushedOut.end() && Back->second.Lines > 0)
    W.Early = 1 - Back->second.Own / Back->second.Lines;
  if (KnowsTarget) {
    More = -Q.PushedOut * Grows;
    if (Back != PushedOut.end())
      More += Back->second.Lines;
    More = std::max(More, -Writes);
  }
  if (Back != PushedOut.end())
    Back->second.Lines = 0; // accounted for
  W.Scale = Q.Writes > 0 ? (Writes + std::min(0.0, More)) / Q.Writes : 0;
  W.More = std::max(0.0, More);
  return W;
}

/// The exposed latency of each of \p New lines; \p Lost: the number of lines
/// that the base input's accesses would have lost.
double TaskUnits::exposure(const BaseDemand &Q, double New, double Lost) const {
  const uint32_t Phase = In.Base.B.Tasks[Task].phase;
  const Overlaps &Of = In.Demands.Overlap;
  const double Each =
      exposureOf(Of, Phase, workersOf(In.Base.B, Phase), Q, New);
  if (!Use.FarLines)
    return Each;
  return farExposure(Of, In.Base.B.Phases[Phase].sync, Q, Lost, Each);
}

/// Lines of an object that the task also fetched on the base input: they keep
/// their distribution.
void TaskUnits::addKnown(size_t K, const std::vector<UnitDemand> &Shape,
                         const Written &W) {
  const BaseDemand &Q = In.Demands.Of[Task][K];
  const double C = Growth[K].C.All, Reads = Lines[K].Lines;
  // The few lines that missed on the base input do not show the overlap of
  // lines that no longer fit.
  const double Lost = KnowsTarget ? std::max(0.0, Reads - Q.Reads * C) : 0,
               Old = (Reads - Lost) / Q.Reads; // per line of the base
  const double Mlp = exposure(Q, Lost, C > 0 ? Lost / C : 0);
  const std::vector<double> New = newLines(Shape, Old, Lost, Q.Walked);
  const size_t First = Out.size();
  for (size_t I = 0; I < Shape.size(); ++I) {
    const UnitDemand &Z = Shape[I];
    const double Back = Z.WriteLines * W.Scale +
                        (Q.Walked ? 0 : Z.ReadLines * W.More / Q.Reads);
    Out.push_back({FirstUnit[Q.Inst] + Z.Unit, Z.ReadLines * Old + New[I], Back,
                   Z.Exposed * Old + New[I] * Mlp, Back * W.Early, Q.Inst,
                   Q.Walked, Lost > figures().MostNew * Reads ? 0 : Z.Course});
  }
  if (Q.Walked)
    addWriteBacks(Out, First, Q.Dirty, W.More, W.Early);
}

/// Lines without a base histogram are spread over the whole instance.
void TaskUnits::addSpread(size_t K, const std::vector<UnitDemand> &Shape,
                          const Written &W) {
  const BaseDemand &Q = In.Demands.Of[Task][K];
  const double C = Growth[K].C.All, Reads = Lines[K].Lines;
  const unsigned Parts = partsOf(Q.Inst);
  const double Mlp = exposure(Q, Reads, C > 0 ? Reads / C : 0);
  auto Z = Shape.begin();
  for (unsigned I = 0; I < Parts; ++I) {
    const double Share = 1.0 / Parts;
    UnitDemand Y;
    Y.Unit = FirstUnit[Q.Inst] + I;
    Y.Object = Q.Inst;
    Y.ReadLines = Reads * Share;
    Y.Exposed = Reads * Mlp * Share;
    Y.WriteLines = W.More * Share;
    if (Z != Shape.end() && Z->Unit == I)
      Y.WriteLines += (Z++)->WriteLines * W.Scale;
    Y.OpeningWrites = Y.WriteLines * W.Early;
    if (Y.ReadLines > 0 || Y.WriteLines > 0)
      Out.push_back(Y);
  }
}

void TaskUnits::addDemand(size_t K) {
  const BaseDemand &Q = In.Demands.Of[Task][K];
  const Written W = writeBacks(Q, Growth[K].C);
  const std::vector<UnitDemand> &Shape =
      Known.at(Task, K, {partsOf(Q.Inst), KnowsTarget ? Stretches[Q.Inst] : 1});
  if (Q.Reads > 0)
    addKnown(K, Shape, W);
  else
    addSpread(K, Shape, W);
}

/// Dirty lines that other tasks left and that the task did not push out on the
/// base input.
void TaskUnits::addLeft() {
  if (!KnowsTarget)
    return;
  const uint32_t Phase = In.Base.B.Tasks[Task].phase;
  for (auto [Inst, Back] : std::map<uint32_t, DirtyCaches::Back>(
           PushedOut.begin(), PushedOut.end())) {
    if (Back.Lines < LeastLines || !isLive(In.Sizes.Instances[Inst], Phase))
      continue;
    const unsigned Parts = partsOf(Inst);
    const double Each = Back.Lines / Parts;
    for (unsigned I = 0; I < Parts; ++I)
      Out.push_back({FirstUnit[Inst] + I, 0, Each, 0, Each, Inst});
  }
}

unsigned evenkeel::prediction::workersOf(const Profile &B, uint32_t Phase) {
  const ek_raw_phase &Row = B.Phases[Phase];
  const uint32_t Team = Row.kind == 1 ? Row.width : 0;
  return std::max(1u, Team ? Team : B.Config.workers);
}

/// The lines of \p Task by demand.
static std::vector<FetchedLines>
linesOfTask(const CountInputs &In, const AccessCounts &Counts, uint32_t Task) {
  const std::vector<BaseDemand> &Its = In.Demands.Of[Task];
  std::vector<FetchedLines> Out;
  Out.reserve(Its.size());
  for (size_t K = 0; K < Its.size(); ++K)
    if (const FittedGrowth *Fit = Counts.Of[Task][K].Lines)
      Out.push_back({Its[K].Reads * Fit->Times, CacheWay::Bases});
    else
      Out.push_back(linesOf(In.Base.B, Its[K], Counts.Of[Task][K].C,
                            In.Sizes.Ratio[Its[K].Inst]));
  return Out;
}

Traffic evenkeel::prediction::predictTraffic(
    const CountInputs &In, const AccessCounts &Counts,
    const std::vector<double> &Stretches,
    const std::vector<uint32_t> &FirstUnit, const std::vector<bool> &Predicted,
    FetchesOfTasks Fetched, Shapes &Known, const Rules &Use) {
  const Profile &B = In.Base.B;
  Traffic Out;
  Out.Of.resize(B.Tasks.size());
  Fetched.resize(B.Tasks.size());
  for (uint32_t T = 0; T < B.Tasks.size(); ++T) {
    if (!Predicted[T] && !Fetched[T].empty())
      continue; // as last predicted
    std::vector<FetchedLines> Lines = linesOfTask(In, Counts, T);
    Fetched[T].clear();
    for (size_t K = 0; K < Lines.size(); ++K) {
      const BaseDemand &Q = In.Demands.Of[T][K];
      Fetched[T].push_back({Q.Inst, Lines[K].Lines, Lines[K].Lines * Q.Dirty});
    }
    if (Predicted[T])
      Out.Of[T].Lines = std::move(Lines);
  }
  std::unordered_map<uint32_t, DirtyCaches::Back> Unasked; // of other tasks
  eachInOrder(
      In.Base,
      [&](uint32_t T) -> const std::vector<DirtyCaches::Fetch> & {
        return Fetched[T];
      },
      [&](uint32_t T, DirtyCaches &Caches) {
        if (!Predicted[T]) { // it leaves lines in the caches
          Caches.run(B.Tasks[T].worker, Fetched[T], Unasked);
          return;
        }
        std::unordered_map<uint32_t, DirtyCaches::Back> PushedOut;
        TaskTraffic &Its = Out.Of[T];
        Its.Opening = Caches.run(B.Tasks[T].worker, Fetched[T], PushedOut);
        TaskUnits Units(In, Counts, Its, Stretches, FirstUnit, Known, Use, T,
                        PushedOut, Its.Units);
        for (size_t K = 0; K < In.Demands.Of[T].size(); ++K)
          Units.addDemand(K);
        Units.addLeft();
      });
  Out.Fetched = std::move(Fetched);
  return Out;
}
