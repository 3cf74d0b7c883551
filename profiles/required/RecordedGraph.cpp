//===- RecordedGraph.cpp - the task graph of a recorded run ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RecordedGraph.h.
//===----------------------------------------------------------------------===//
#include "RecordedGraph.h"
#include "StepTimes.h"
#include "format/Identity.h"
#include <algorithm>
#include <map>
#include <set>

namespace evenkeel::required {
namespace {

constexpr uint32_t None = ~uint32_t(0);

class Builder {
  const PreparedRecord &R;
  const MissRecord &Rec;
  const StepTimes Times;
  TaskGraph G;
  std::vector<uint32_t> StepOf;             // of each task
  std::vector<uint32_t> DatumOf;            // of each instance
  std::vector<std::vector<uint32_t>> Waits; // of each task of the record
  std::vector<uint32_t> Sinks; // of the phase before: nobody waits for them

  struct Touched {
    uint64_t Reads = 0, Writes = 0; // accesses
    bool Overwrites = false;
  };

public:
  Builder(const PreparedRecord &R, StepTimes Times)
      : R(R), Rec(*R.Record), Times(std::move(Times)),
        StepOf(Rec.Tasks.size(), None), DatumOf(Rec.Instances.size(), None),
        Waits(Rec.Tasks.size()) {
    for (const ek_raw_dep &D : Rec.Deps)
      if (Rec.Tasks[D.task].phase == Rec.Tasks[D.pred].phase)
        Waits[D.task].push_back(D.pred);
  }

  TaskGraph run() {
    for (uint32_t P = 0; P < Rec.Phases.size(); ++P)
      addPhase(P);
    addUses();
    return std::move(G);
  }

private:
  /// Explicit tasks of a phase, each after those that it waits for; of those
  /// that may come next, the first of the record.
  std::vector<uint32_t> inOrder(uint32_t From, uint32_t To) const {
    std::vector<uint32_t> Open(To - From), Out;
    std::set<uint32_t> Ready;
    for (uint32_t T = From; T < To; ++T) {
      Open[T - From] = R.PredecessorCount[T];
      if (!Open[T - From])
        Ready.insert(T);
    }
    while (!Ready.empty()) {
      const uint32_t T = *Ready.begin();
      Ready.erase(Ready.begin());
      Out.push_back(T);
      for (uint32_t S = R.FirstSuccessor[T]; S < R.FirstSuccessor[T + 1]; ++S)
        if (--Open[R.Successors[S] - From] == 0)
          Ready.insert(R.Successors[S]);
    }
    return Out;
  }

  uint32_t addStep(std::string Name, double Seconds,
                   std::vector<uint32_t> Before) {
    G.Steps.push_back({std::move(Name), Seconds, {}, std::move(Before)});
    return uint32_t(G.Steps.size() - 1);
  }

  void addPhase(uint32_t Phase) {
    const std::string In = "phase " + std::to_string(Phase);
    const uint32_t From = R.FirstTask[Phase], End = R.FirstTask[Phase + 1];
    uint32_t Explicit = From;
    while (Explicit < End && !R.isExplicit(Explicit))
      ++Explicit;
    if (Explicit > From) {
      double Seconds = Times.OfPhase[Phase];
      if (Explicit < End)
        Seconds = longestThread(From, Explicit);
      const uint32_t Threads = addStep(In, Seconds, Sinks);
      std::fill(StepOf.begin() + From, StepOf.begin() + Explicit, Threads);
      Sinks = {Threads};
    }
    if (Explicit == End)
      return;
    if (Sinks.size() > 1)
      Sinks = {addStep("the beginning of " + In, 0, Sinks)};
    const std::vector<uint32_t> Before = Sinks;
    std::set<uint32_t> Last;
    for (uint32_t T : inOrder(Explicit, End)) {
      std::set<uint32_t> WaitsFor;
      for (uint32_t P : Waits[T])
        WaitsFor.insert(StepOf[P]);
      if (WaitsFor.empty())
        WaitsFor.insert(Before.begin(), Before.end());
      for (uint32_t S : WaitsFor)
        Last.erase(S);
      StepOf[T] =
          addStep("task " + std::to_string(Rec.Tasks[T].index) + " of " + In,
                  Times.OfTask[T], {WaitsFor.begin(), WaitsFor.end()});
      Last.insert(StepOf[T]);
    }
    Sinks.assign(Last.begin(), Last.end());
  }

  double longestThread(uint32_t From, uint32_t End) const {
    std::map<uint32_t, double> ByWorker;
    double Longest = 0;
    for (uint32_t T = From; T < End; ++T)
      Longest =
          std::max(Longest, ByWorker[Rec.Tasks[T].worker] += Times.OfTask[T]);
    return Longest;
  }

  using Touches = std::map<std::pair<uint32_t, uint32_t>, Touched>;

  /// Sets Overwrites where all lines of all pages of an instance were fetched
  /// by a step that reads none of it.
  void findOverwrites(Touches &All) const {
    struct Fetched {
      std::set<uint32_t> Pages;
      uint64_t Lines = 0;
    };
    std::map<std::pair<uint32_t, uint32_t>, Fetched> Found;
    for (const ek_raw_page &Row : Rec.Pages) {
      auto It = All.find({StepOf[Row.task], Row.inst});
      if (It == All.end() || It->second.Reads || !Row.reads)
        continue;
      Fetched &F = Found[It->first];
      F.Pages.insert(Row.page);
      F.Lines += Row.reads;
    }
    for (const auto &[Key, F] : Found)
      All[Key].Overwrites = F.Pages.size() == R.pages(Key.second) &&
                            double(F.Lines) * R.lineBytes() >=
                                double(Rec.Instances[Key.second].bytes);
  }

  uint32_t datumOf(uint32_t Instance, bool Fresh) {
    if (DatumOf[Instance] == None) {
      const ek_raw_inst &I = Rec.Instances[Instance];
      DatumOf[Instance] = G.datum("object " + idToString(I.site) + " #" +
                                      std::to_string(I.ordinal),
                                  I.bytes);
      G.Data.back().Fresh = Fresh;
    }
    return DatumOf[Instance];
  }

  void addUses() {
    Touches All; // by step and instance
    for (const ek_raw_access &A : Rec.Accesses)
      if ((A.reads || A.writes) && Rec.Instances[A.inst].bytes) {
        Touched &T = All[{StepOf[A.task], A.inst}];
        T.Reads += A.reads;
        T.Writes += A.writes;
      }
    findOverwrites(All);
    for (const auto &[Key, T] :
         All) // the first step of an instance comes first
      G.Steps[Key.first].Uses.push_back(
          {datumOf(Key.second, T.Writes > 0), !T.Overwrites, T.Writes > 0});
  }
};

} // namespace

Expected<TaskGraph> recordedGraph(const PreparedRecord &R, const Machine &M) {
  if (R.Record->Accesses.empty())
    return Error{"the record has no counts of accesses, so which data a task "
                 "needs is not known; record the run again with record "
                 "--misses"};
  auto Times = stepTimes(R, M);
  if (!Times)
    return Times.takeError();
  TaskGraph G = Builder(R, std::move(*Times)).run();
  if (MaybeError E = checkGraph(G))
    return *E;
  return G;
}

} // namespace evenkeel::required
