//===- Fold.cpp - fold equal phases of a base profile ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Fold.h. Write-backs of lines that other tasks left in the caches are not
// in a task's rows; they follow from earlier tasks (predict/base/WriteBacks.h).
// So equal phases must also push out the same lines. Amounts are compared in
// units of 1/1024 line, because the order of summation differs.
//===----------------------------------------------------------------------===//
#include "Fold.h"
#include "Digest.h"
#include "WriteBacks.h"
#include "problem/Problem.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

using namespace evenkeel;
using prediction::Digest;
using prediction::DirtyCaches;

namespace {

class Folder {
  const Profile &B;
  std::vector<std::vector<uint32_t>> TasksOf;           // by phase, rows
  std::vector<uint32_t> Place;                          // by task: its position
                                                        // in its phase
  std::vector<Digest> Rows;                             // by task
  std::vector<std::vector<DirtyCaches::Fetch>> Fetches; // by task
  std::vector<bool> Single; // by phase: refers to tasks of other phases

public:
  explicit Folder(const Profile &B)
      : B(B), TasksOf(B.Phases.size()), Place(B.Tasks.size()),
        Rows(B.Tasks.size()), Fetches(B.Tasks.size()), Single(B.Phases.size()) {
    read();
  }

  /// Profile::Like.
  std::vector<uint32_t> like() {
    using Sum = std::pair<uint64_t, uint64_t>;
    struct Alike {
      uint32_t Last = 0; // the last phase that has rows
      unsigned Phases = 0;
    };
    std::map<Sum, Alike> Known;
    std::vector<uint32_t> Out(B.Phases.size());
    const std::vector<uint32_t> Lives = segments();
    DirtyCaches Caches(double(B.Config.llc_share_bytes) / LineBytes);
    for (uint32_t H = 0; H < Out.size(); ++H) {
      Digest Of;
      for (uint64_t X : {B.Phases[H].sync, uint64_t(B.Phases[H].kind),
                         uint64_t(B.Phases[H].width), uint64_t(Lives[H])})
        Of.add(X);
      for (uint32_t T : TasksOf[H]) {
        Of.add(Rows[T]);
        addPushedOut(Of, T, Caches);
      }
      Out[H] = H;
      if (Single[H])
        continue;
      Alike &Its = Known[Of.value()];
      if (++Its.Phases > figures().PhasesKept)
        Out[H] = Its.Last;
      else
        Its.Last = H;
    }
    return Out;
  }

  /// Far-line estimates differ between single phases, but only their sums are
  /// used: one phase gets the sum of all that it represents.
  std::vector<ek_raw_far> far(const std::vector<uint32_t> &Like,
                              const std::vector<uint32_t> &NewRow) const {
    std::map<std::pair<uint32_t, uint32_t>, ek_raw_far> Sums;
    for (const ek_raw_far &X : B.Far) {
      const uint32_t Phase = B.Tasks[X.task].phase,
                     Task = NewRow[TasksOf[Like[Phase]][Place[X.task]]];
      ek_raw_far &Sum =
          Sums.try_emplace({Task, X.inst}, ek_raw_far{Task, X.inst, 0, 0})
              .first->second;
      Sum.reads += X.reads;
      Sum.weight += X.weight;
    }
    std::vector<ek_raw_far> Out;
    for (const auto &Entry : Sums)
      Out.push_back(Entry.second);
    return Out;
  }

private:
  void read() {
    for (uint32_t T = 0; T < B.Tasks.size(); ++T) {
      const ek_raw_task &X = B.Tasks[T];
      Place[T] = uint32_t(TasksOf[X.phase].size());
      TasksOf[X.phase].push_back(T);
      for (uint64_t V : {X.region, uint64_t(X.index), uint64_t(X.worker),
                         uint64_t(X.flags), X.core_cycles, X.instructions})
        Rows[T].add(V);
    }
    // Tables differ in the columns after the instance; a mark distinguishes
    // them.
    auto Add = [&](uint32_t Task, uint64_t Mark, auto... Values) {
      Rows[Task].add(Mark);
      (Rows[Task].add(Values), ...);
    };
    for (const ek_raw_access &A : B.Accesses)
      Add(A.task, 1, uint64_t(A.inst), A.reads, A.writes);
    for (const ek_raw_miss &M : B.Misses) {
      Add(M.task, 2, uint64_t(M.inst), uint64_t(M.chunk), M.reads, M.writes,
          M.weight, M.course);
      auto &Its = Fetches[M.task];
      if (Its.empty() || Its.back().Inst != M.inst)
        Its.push_back({M.inst, 0, 0});
      Its.back().Lines += double(M.reads);
      Its.back().Dirty += double(M.reads);
    }
    for (const ek_raw_mrc &C : B.Curves) {
      Add(C.task, 3, uint64_t(C.inst));
      for (uint64_t Reads : C.reads)
        Rows[C.task].add(Reads);
    }
    for (const ek_raw_symbol &S : B.Symbols)
      if (S.task != EK_NO_TASK)
        Add(S.task, 4, S.symbol, S.times, uint64_t(S.first), uint64_t(S.last),
            uint64_t(S.min), uint64_t(S.max), S.sum);
    auto Phase = [&](uint32_t T) { return B.Tasks[T].phase; };
    for (const ek_raw_dep &E : B.Deps)
      if (Phase(E.task) == Phase(E.pred))
        Add(E.task, 5, uint64_t(Place[E.pred]));
      else
        Single[Phase(E.task)] = Single[Phase(E.pred)] = true;
    for (const ek_raw_part &X : B.Parts)
      Single[Phase(X.task)] = Single[Phase(X.first)] = true;
  }

  /// By phase: a number that increases whenever objects are allocated or freed.
  std::vector<uint32_t> segments() const {
    std::vector<uint32_t> Out(B.Phases.size() + 1, 0);
    for (const ek_raw_inst &I : B.Instances) {
      if (I.alloc_phase < Out.size())
        Out[I.alloc_phase] = 1;
      if (I.free_phase < Out.size() - 1)
        Out[I.free_phase + 1] = 1;
    }
    for (size_t H = 1; H < Out.size(); ++H)
      Out[H] += Out[H - 1];
    return Out;
  }

  void addPushedOut(Digest &To, uint32_t T, DirtyCaches &Caches) const {
    std::unordered_map<uint32_t, DirtyCaches::Back> Back;
    Caches.run(B.Tasks[T].worker, Fetches[T], Back);
    const std::map<uint32_t, DirtyCaches::Back> Sorted(Back.begin(),
                                                       Back.end());
    for (const auto &[Inst, Its] : Sorted)
      for (double X : {double(Inst), Its.Lines, Its.Own})
        To.add(std::round(X * 1024));
  }
};

template <typename RowT>
void keepOf(const std::vector<uint32_t> &NewRow, const std::vector<RowT> &From,
            std::vector<RowT> &To) {
  To.clear();
  for (RowT Row : From) {
    if (Row.task != EK_NO_TASK) {
      Row.task = NewRow[Row.task];
      if (Row.task == EK_NO_TASK)
        continue;
    }
    To.push_back(Row);
  }
}

/// Whether enough phases end alike for one to represent another.
bool mayFold(const Profile &B) {
  std::map<std::array<uint64_t, 3>, unsigned> Ending;
  return std::any_of(B.Phases.begin(), B.Phases.end(), [&](const auto &H) {
    return ++Ending[{H.sync, uint64_t(H.kind), uint64_t(H.width)}] >
           figures().PhasesKept;
  });
}

} // namespace

Profile evenkeel::foldPhases(const Profile &B) {
  if (!B.Like.empty() || !mayFold(B))
    return B;
  Folder Its(B);
  std::vector<uint32_t> Like = Its.like();
  uint32_t H = 0;
  if (std::all_of(Like.begin(), Like.end(),
                  [&](uint32_t K) { return K == H++; }))
    return B;
  Profile Out = B;
  Out.Tasks.clear();
  std::vector<uint32_t> NewRow(B.Tasks.size(), EK_NO_TASK);
  for (uint32_t T = 0; T < B.Tasks.size(); ++T)
    if (Like[B.Tasks[T].phase] == B.Tasks[T].phase) {
      NewRow[T] = uint32_t(Out.Tasks.size());
      Out.Tasks.push_back(B.Tasks[T]);
    }
  keepOf(NewRow, B.Deps, Out.Deps);
  for (ek_raw_dep &E : Out.Deps)
    E.pred = NewRow[E.pred];
  keepOf(NewRow, B.Parts, Out.Parts);
  for (ek_raw_part &X : Out.Parts)
    X.first = NewRow[X.first];
  keepOf(NewRow, B.Accesses, Out.Accesses);
  keepOf(NewRow, B.Misses, Out.Misses);
  keepOf(NewRow, B.Curves, Out.Curves);
  Out.Far = Its.far(Like, NewRow);
  keepOf(NewRow, B.Symbols, Out.Symbols);
  Out.Like = std::move(Like);
  return Out;
}
