//===- PreparedRecord.cpp - a miss record, checked and indexed ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PreparedRecord.h.
//===----------------------------------------------------------------------===//
#include "PreparedRecord.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace evenkeel {
namespace {

/// 1 TiB of pages: larger records are damaged.
constexpr uint64_t MaxPages = uint64_t(1) << 28;

Error bad(const char *Table, size_t Row, const std::string &What) {
  return {"malformed miss record: " + std::string(Table) + " row " +
          std::to_string(Row) + " " + What + "; record the program again"};
}

std::string num(uint64_t N) { return std::to_string(N); }

class Preparer {
  const MissRecord &R;
  PreparedRecord &Out;

public:
  Preparer(const MissRecord &R, PreparedRecord &Out) : R(R), Out(Out) {}

  MaybeError run() {
    Out.Record = &R;
    if (R.Phases.empty() || R.Tasks.empty())
      return Error{"empty miss record: no tasks; record a run with --misses"};
    if (MaybeError E = instances())
      return E;
    if (MaybeError E = tasks())
      return E;
    if (MaybeError E = dependences())
      return E;
    if (MaybeError E = rows())
      return E;
    touches();
    return {};
  }

private:
  MaybeError instances() {
    Out.FirstPage.assign(1, 0);
    Out.Allocated.resize(R.Phases.size());
    Out.Freed.resize(R.Phases.size());
    for (uint32_t I = 0; I < R.Instances.size(); ++I) {
      const ek_raw_inst &Inst = R.Instances[I];
      if (Inst.alloc_phase >= R.Phases.size())
        return bad("INST", I,
                   "is allocated in phase " + num(Inst.alloc_phase) + " of " +
                       num(R.Phases.size()));
      if (Inst.free_phase != EK_NO_TASK &&
          (Inst.free_phase < Inst.alloc_phase ||
           Inst.free_phase >= R.Phases.size()))
        return bad("INST", I,
                   "is allocated in phase " + num(Inst.alloc_phase) +
                       " and freed in phase " + num(Inst.free_phase) + " of " +
                       num(R.Phases.size()));
      uint64_t Pages = Inst.bytes / EK_PAGE + (Inst.bytes % EK_PAGE != 0);
      if (Pages > MaxPages || Out.FirstPage.back() + Pages > MaxPages)
        return bad("INST", I, "brings the instances above 1 TiB");
      Out.FirstPage.push_back(Out.FirstPage.back() + Pages);
      Out.Allocated[Inst.alloc_phase].push_back(I);
      if (Inst.free_phase != EK_NO_TASK)
        Out.Freed[Inst.free_phase].push_back(I);
    }
    return {};
  }

  MaybeError tasks() {
    Out.FirstTask.assign(R.Phases.size() + 1, 0);
    Out.Workers.resize(R.Phases.size());
    for (size_t P = 0; P < R.Phases.size(); ++P) {
      uint32_t Team = R.Phases[P].kind == 1 ? R.Phases[P].width : 0;
      Out.Workers[P] = std::max(1u, Team ? Team : R.Config.workers);
    }
    for (size_t T = 0; T < R.Tasks.size(); ++T) {
      const ek_raw_task &Task = R.Tasks[T];
      if (Task.phase >= R.Phases.size())
        return bad("TASK", T,
                   "is in phase " + num(Task.phase) + " of " +
                       num(R.Phases.size()));
      if (T &&
          std::make_tuple(Task.phase, Task.flags & 1, Task.index) <
              std::make_tuple(R.Tasks[T - 1].phase, R.Tasks[T - 1].flags & 1,
                              R.Tasks[T - 1].index))
        return bad("TASK", T, "is out of order (phase, explicit, index)");
      if (Task.worker >= std::max(1u, R.Config.workers))
        return bad("TASK", T,
                   "ran on virtual worker " + num(Task.worker) + " of " +
                       num(R.Config.workers));
      // A thread task shows that its worker belongs to the team.
      if (!(Task.flags & 1))
        Out.Workers[Task.phase] =
            std::max(Out.Workers[Task.phase], Task.worker + 1);
      ++Out.FirstTask[Task.phase + 1];
    }
    std::partial_sum(Out.FirstTask.begin(), Out.FirstTask.end(),
                     Out.FirstTask.begin());
    return {};
  }

  MaybeError dependences() {
    size_t N = R.Tasks.size();
    Out.FirstSuccessor.assign(N + 1, 0);
    Out.PredecessorCount.assign(N, 0);
    // Predecessors of earlier phases have ended: no edge.
    auto SamePhase = [&](const ek_raw_dep &D) {
      return R.Tasks[D.task].phase == R.Tasks[D.pred].phase;
    };
    for (size_t I = 0; I < R.Deps.size(); ++I) {
      const ek_raw_dep &D = R.Deps[I];
      if (D.task >= N || D.pred >= N)
        return bad("DEPS", I,
                   "names task " + num(std::max(D.task, D.pred)) + " of " +
                       num(N));
      if (!(R.Tasks[D.task].flags & 1) || !(R.Tasks[D.pred].flags & 1))
        return bad("DEPS", I, "joins tasks that are not both explicit");
      if (R.Tasks[D.pred].phase > R.Tasks[D.task].phase)
        return bad("DEPS", I, "waits for a task of a later phase");
      if (SamePhase(D)) {
        ++Out.FirstSuccessor[D.pred + 1];
        ++Out.PredecessorCount[D.task];
      }
    }
    std::partial_sum(Out.FirstSuccessor.begin(), Out.FirstSuccessor.end(),
                     Out.FirstSuccessor.begin());
    Out.Successors.resize(Out.FirstSuccessor[N]);
    std::vector<uint32_t> Next(Out.FirstSuccessor.begin(),
                               Out.FirstSuccessor.end() - 1);
    for (const ek_raw_dep &D : R.Deps)
      if (SamePhase(D))
        Out.Successors[Next[D.pred]++] = D.task;

    // Remove tasks without open predecessors; the rest is on cycles.
    std::vector<uint32_t> Open = Out.PredecessorCount, Ready;
    for (uint32_t T = 0; T < N; ++T)
      if (!Open[T])
        Ready.push_back(T);
    size_t Done = 0;
    while (!Ready.empty()) {
      uint32_t T = Ready.back();
      Ready.pop_back();
      ++Done;
      for (uint32_t S = Out.FirstSuccessor[T]; S < Out.FirstSuccessor[T + 1];
           ++S)
        if (--Open[Out.Successors[S]] == 0)
          Ready.push_back(Out.Successors[S]);
    }
    for (uint32_t T = 0; Done != N && T < N; ++T)
      if (Open[T])
        return bad("TASK", T, "waits for itself through DEPS");
    return {};
  }

  MaybeError checkRow(size_t I) const {
    const ek_raw_page &Row = R.Pages[I];
    if (Row.task >= R.Tasks.size())
      return bad("PAGE", I,
                 "names task " + num(Row.task) + " of " + num(R.Tasks.size()));
    if (Row.inst >= R.Instances.size())
      return bad("PAGE", I,
                 "names instance " + num(Row.inst) + " of " +
                     num(R.Instances.size()));
    if (Row.page >= Out.pages(Row.inst))
      return bad("PAGE", I,
                 "names page " + num(Row.page) + " of " +
                     num(Out.pages(Row.inst)));
    if (!std::isfinite(Row.weight) || Row.weight < 0)
      return bad("PAGE", I, "has a weight that is not a number >= 0");
    if (Row.dependent > Row.reads)
      return bad("PAGE", I, "has more dependent reads than reads");
    const ek_raw_task &Task = R.Tasks[Row.task];
    if (Row.quantum > Task.core_cycles / R.Config.quantum_cycles)
      return bad("PAGE", I,
                 "lies in quantum " + num(Row.quantum) +
                     ", behind the end of its task");
    const ek_raw_inst &Inst = R.Instances[Row.inst];
    // Dirty lines may reach memory after their block was freed; reads cannot.
    if (Task.phase < Inst.alloc_phase ||
        (Row.reads && Inst.free_phase != EK_NO_TASK &&
         Task.phase > Inst.free_phase))
      return bad("PAGE", I,
                 "touches instance " + num(Row.inst) + " outside its lifetime");
    if (I) {
      const ek_raw_page &B = R.Pages[I - 1];
      if (std::tie(Row.task, Row.quantum, Row.inst, Row.page) <
          std::tie(B.task, B.quantum, B.inst, B.page))
        return bad("PAGE", I, "is out of order (task, quantum, inst, page)");
    }
    return {};
  }

  MaybeError rows() {
    if (!R.Pages.empty() && !R.Config.quantum_cycles)
      return Error{"malformed miss record: PAGE rows without quantum_cycles; "
                   "record the program again"};
    Out.Rows.reserve(R.Pages.size());
    Out.FirstInterval.reserve(R.Tasks.size() + 1);
    size_t I = 0;
    for (uint32_t T = 0; T < R.Tasks.size(); ++T) {
      Out.FirstInterval.push_back(uint32_t(Out.Intervals.size()));
      const double Q = double(R.Config.quantum_cycles);
      const double Total = double(R.Tasks[T].core_cycles);
      double Reached = 0; // core cycles covered by intervals so far
      auto Empty = [&](double Until) {
        uint32_t At = uint32_t(Out.Rows.size());
        if (Until > Reached)
          Out.Intervals.push_back({Until - Reached, At, At});
        Reached = Until;
      };
      while (I < R.Pages.size() && R.Pages[I].task == T) {
        uint32_t Quantum = R.Pages[I].quantum;
        Empty(Q * Quantum);
        uint32_t First = uint32_t(Out.Rows.size());
        for (; I < R.Pages.size() && R.Pages[I].task == T &&
               R.Pages[I].quantum == Quantum;
             ++I) {
          if (MaybeError E = checkRow(I))
            return E;
          const ek_raw_page &Row = R.Pages[I];
          Out.Rows.push_back({uint32_t(Out.FirstPage[Row.inst] + Row.page),
                              Row.weight, Row.reads, Row.writes});
        }
        double End = std::min(Q * Quantum + Q, Total);
        Out.Intervals.push_back(
            {End - Reached, First, uint32_t(Out.Rows.size())});
        Reached = End;
      }
      Empty(Total);
    }
    Out.FirstInterval.push_back(uint32_t(Out.Intervals.size()));
    // A remaining row belongs to no task, or is out of order.
    if (I < R.Pages.size())
      return checkRow(I);
    return {};
  }

  /// Pages whose first row is a write-back after their block was freed. The
  /// block was allocated where lines of a freed block were still cached, so it
  /// was used without a fetch. Such pages count as touched in the last phase of
  /// their lives.
  std::vector<std::pair<uint32_t, PreparedRecord::TouchedPage>>
  neverFetched(std::vector<bool> &Seen) const {
    std::vector<std::pair<uint32_t, PreparedRecord::TouchedPage>> Late;
    std::vector<bool> Met(Out.totalPages(), false);
    for (size_t I = 0; I < R.Pages.size(); ++I) {
      uint32_t Page = Out.Rows[I].Page;
      if (Met[Page])
        continue;
      Met[Page] = true;
      uint32_t Freed = R.Instances[R.Pages[I].inst].free_phase;
      if (Freed < R.Tasks[R.Pages[I].task].phase) {
        Seen[Page] = true;
        Late.push_back({Freed, {R.Pages[I].inst, R.Pages[I].page}});
      }
    }
    std::sort(Late.begin(), Late.end(), [](auto &A, auto &B) {
      return std::tie(A.first, A.second.Instance, A.second.Page) <
             std::tie(B.first, B.second.Instance, B.second.Page);
    });
    return Late;
  }

  void touches() {
    // A phase's rows by (quantum, task, row); tasks are sorted already.
    std::vector<bool> Seen(Out.totalPages(), false);
    auto Late = neverFetched(Seen);
    size_t NextLate = 0;
    std::vector<uint32_t> Order;
    size_t I = 0;
    Out.FirstTouch.push_back(0);
    for (uint32_t P = 0; P < R.Phases.size(); ++P) {
      Order.clear();
      for (; I < R.Pages.size() && R.Tasks[R.Pages[I].task].phase == P; ++I)
        if (!Seen[Out.Rows[I].Page])
          Order.push_back(uint32_t(I));
      std::sort(Order.begin(), Order.end(), [&](uint32_t A, uint32_t B) {
        return std::tie(R.Pages[A].quantum, A) <
               std::tie(R.Pages[B].quantum, B);
      });
      for (uint32_t Row : Order) {
        if (Seen[Out.Rows[Row].Page])
          continue;
        const ek_raw_page &Page = R.Pages[Row];
        Seen[Out.Rows[Row].Page] = true;
        Out.Touches.push_back({Page.inst, Page.page});
      }
      for (; NextLate < Late.size() && Late[NextLate].first == P; ++NextLate)
        Out.Touches.push_back(Late[NextLate].second);
      Out.FirstTouch.push_back(uint32_t(Out.Touches.size()));
    }
  }
};

} // namespace

Expected<std::unique_ptr<PreparedRecord>> prepareRecord(const MissRecord &R) {
  auto Out = std::make_unique<PreparedRecord>();
  if (MaybeError E = Preparer(R, *Out).run())
    return *E;
  return Out;
}

} // namespace evenkeel
