//===- SharedRows.cpp - similar phases share their rows -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SharedRows.h.
//===----------------------------------------------------------------------===//
#include "SharedRows.h"
#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <tuple>

using namespace evenkeel;

namespace {

/// More rows than any record has in a table; a file that needs more is damaged.
constexpr size_t MostRows = size_t(1) << 28;

//===----------------------------------------------------------------------===//
// For each kind of row: its names within a task, in order, and a row without
// figures.
//===----------------------------------------------------------------------===//

uint32_t nameOf(const ek_raw_access &R) { return R.inst; }
uint32_t nameOf(const ek_raw_mrc &R) { return R.inst; }
uint32_t nameOf(const ek_raw_far &R) { return R.inst; }
uint64_t nameOf(const ek_raw_symbol &R) { return R.symbol; }
auto nameOf(const ek_raw_miss &R) { return std::tuple(R.inst, R.chunk); }
auto nameOf(const ek_raw_page &R) {
  return std::tuple(R.quantum, R.inst, R.page);
}

ek_raw_access without(const ek_raw_access &R) { return {R.task, R.inst, 0, 0}; }
ek_raw_mrc without(const ek_raw_mrc &R) { return {R.task, R.inst, {}}; }
ek_raw_far without(const ek_raw_far &R) { return {R.task, R.inst, 0, 0}; }
ek_raw_symbol without(const ek_raw_symbol &R) {
  return {R.symbol, R.task, 0, 0, 0, 0, 0, 0, 0};
}
ek_raw_miss without(const ek_raw_miss &R) {
  return {R.task, R.inst, R.chunk, 0, 0, 0, 0, 0};
}
ek_raw_page without(const ek_raw_page &R) {
  return {R.task, R.quantum, R.inst, R.page, 0, 0, 0, 0};
}

template <typename T> T ofTask(T Row, uint32_t Task) {
  Row.task = Task;
  return Row;
}
ek_raw_task ofPhase(ek_raw_task Row, uint32_t Phase) {
  Row.phase = Phase;
  return Row;
}

template <typename T> bool equal(const T &A, const T &B) {
  return !std::memcmp(&A, &B, sizeof(T));
}
template <typename T> bool isWithout(const T &Row) {
  return equal(Row, without(Row));
}

/// Rows grouped by task.
template <typename T> struct ByTask {
  std::vector<T> Rows;
  std::vector<bool>
      Odd; // tasks with two rows of one name, or with a row without figures
  std::vector<size_t> First; // first row of each task, and the end
  struct Range {
    const T *B, *E;
    const T *begin() const { return B; }
    const T *end() const { return E; }
    size_t size() const { return size_t(E - B); }
  };
  Range of(uint32_t Task) const {
    return {Rows.data() + First[Task], Rows.data() + First[Task + 1]};
  }
};

/// False if rows have no task or are out of order.
template <typename T>
bool byTask(std::vector<T> Rows, size_t Tasks, ByTask<T> &Out) {
  Out.First.assign(Tasks + 1, 0);
  Out.Odd.assign(Tasks, false);
  for (size_t I = 0; I < Rows.size(); ++I) {
    const T &R = Rows[I];
    const T &Last = Rows[I ? I - 1 : 0];
    if (R.task >= Tasks ||
        std::tuple(Last.task, nameOf(Last)) > std::tuple(R.task, nameOf(R)))
      return false;
    if (isWithout(R) || (I && Last.task == R.task && nameOf(Last) == nameOf(R)))
      Out.Odd[R.task] = true;
    ++Out.First[R.task + 1];
  }
  for (size_t I = 0; I < Tasks; ++I)
    Out.First[I + 1] += Out.First[I];
  Out.Rows = std::move(Rows);
  return true;
}

/// Stable.
template <typename F> void sort(std::vector<ek_raw_symbol> &Rows, F Less) {
  std::vector<uint32_t> Order(Rows.size());
  std::iota(Order.begin(), Order.end(), 0);
  std::sort(Order.begin(), Order.end(), [&](uint32_t A, uint32_t B) {
    return Less(Rows[A], Rows[B]) || (!Less(Rows[B], Rows[A]) && A < B);
  });
  std::vector<ek_raw_symbol> Sorted;
  Sorted.reserve(Rows.size());
  for (uint32_t I : Order)
    Sorted.push_back(Rows[I]);
  Rows = std::move(Sorted);
}

bool before(const ek_raw_symbol &A, const ek_raw_symbol &B) {
  return std::tie(A.symbol, A.task) < std::tie(B.symbol, B.task);
}
bool beforeByTask(const ek_raw_symbol &A, const ek_raw_symbol &B) {
  return std::tie(A.task, A.symbol) < std::tie(B.task, B.symbol);
}

//===----------------------------------------------------------------------===//
// Sharing
//===----------------------------------------------------------------------===//

/// Calls \p Put with the rows that the file needs for task \p Task if it shares
/// the rows of \p As.
template <typename T, typename Function>
void differences(const ByTask<T> &All, uint32_t Task, uint32_t As,
                 Function Put) {
  const auto Mine = All.of(Task), Others = All.of(As);
  const T *O = Others.begin();
  for (const T &M : Mine) {
    for (; O != Others.end() && nameOf(*O) < nameOf(M); ++O)
      Put(without(ofTask(*O, Task)));
    const bool Same = O != Others.end() && nameOf(*O) == nameOf(M);
    if (!Same || !equal(ofTask(*O, Task), M))
      Put(M);
    O += Same;
  }
  for (; O != Others.end(); ++O)
    Put(without(ofTask(*O, Task)));
}

/// The begin, contents and end of a phase.
using PhaseKind =
    std::tuple<uint64_t, uint64_t, uint32_t, uint32_t, uint64_t,
               uint32_t>; // sync points, kind, width, region, tasks

class Sharer {
  const MissRecord &R;
  ByTask<ek_raw_access> Accesses;
  ByTask<ek_raw_miss> Misses;
  ByTask<ek_raw_mrc> Curves;
  ByTask<ek_raw_far> Far;
  ByTask<ek_raw_symbol> Symbols;
  ByTask<ek_raw_page> Pages;
  std::vector<uint32_t> FirstTask; // first task of each phase, and the end
  std::vector<uint32_t> SymbolRow; // row numbers of Symbols

public:
  HeldRows Held;

  explicit Sharer(const MissRecord &R) : R(R) {}

  bool arrange() {
    const size_t Tasks = R.Tasks.size();
    FirstTask.assign(R.Phases.size() + 1, 0);
    for (size_t I = 0; I < Tasks; ++I) {
      if (R.Tasks[I].phase >= R.Phases.size() ||
          (I && R.Tasks[I - 1].phase > R.Tasks[I].phase))
        return false;
      ++FirstTask[R.Tasks[I].phase + 1];
    }
    for (size_t P = 0; P < R.Phases.size(); ++P)
      FirstTask[P + 1] += FirstTask[P];
    return byTask(R.Accesses, Tasks, Accesses) &&
           byTask(R.Misses, Tasks, Misses) && byTask(R.Curves, Tasks, Curves) &&
           byTask(R.Far, Tasks, Far) && byTask(R.Pages, Tasks, Pages) &&
           arrangeSymbols();
  }

  void share() {
    std::map<PhaseKind, uint32_t> Last;
    uint64_t Before = 0;
    for (uint32_t P = 0; P < R.Phases.size(); ++P) {
      const ek_raw_phase &H = R.Phases[P];
      const uint32_t Tasks = FirstTask[P + 1] - FirstTask[P];
      if (Tasks) {
        const uint32_t As =
            Last.try_emplace({Before, H.sync, H.kind, H.width,
                              R.Tasks[FirstTask[P]].region, Tasks},
                             P)
                .first->second;
        if (As != P && pays(P, As))
          sharePhase(P, As);
        else
          keepPhase(P);
        Last[{Before, H.sync, H.kind, H.width, R.Tasks[FirstTask[P]].region,
              Tasks}] = P;
      }
      Before = H.sync ? H.sync : Before;
    }
    orderSymbols();
  }

private:
  bool arrangeSymbols() {
    std::vector<ek_raw_symbol> Own;
    for (uint32_t I = 0; I < R.Symbols.size(); ++I)
      if (R.Symbols[I].task == EK_NO_TASK) {
        Held.Symbols.push_back(R.Symbols[I]);
        Held.SymbolRows.push_back(I);
      } else {
        if (!Own.empty() && before(R.Symbols[I], Own.back()))
          return false;
        Own.push_back(R.Symbols[I]);
        Own.back().reserved = 0; // not in any file
      }
    sort(Own, beforeByTask);
    return byTask(std::move(Own), R.Tasks.size(), Symbols);
  }

  /// Calls \p Each with every table and its destination in Held.
  template <typename Function> void forTables(Function Each) {
    Each(Accesses, Held.Accesses);
    Each(Misses, Held.Misses);
    Each(Curves, Held.Curves);
    Each(Far, Held.Far);
    Each(Symbols, Held.Symbols);
    Each(Pages, Held.Pages);
  }

  bool pays(uint32_t Phase, uint32_t As) {
    size_t All = 0, Own = 0;
    const uint32_t Tasks = FirstTask[Phase + 1] - FirstTask[Phase];
    for (uint32_t I = 0; I < Tasks; ++I) {
      const uint32_t A = FirstTask[Phase] + I, B = FirstTask[As] + I;
      ++All;
      Own += !equal(ofPhase(R.Tasks[B], Phase), R.Tasks[A]);
      bool Odd = false;
      forTables([&](const auto &Table, auto &) {
        Odd |= Table.Odd[A] || Table.Odd[B];
        All += Table.of(A).size();
        differences(Table, A, B, [&](const auto &) { ++Own; });
      });
      if (Odd)
        return false;
    }
    return Own < All;
  }

  void sharePhase(uint32_t Phase, uint32_t As) {
    Held.Shared.push_back({Phase, As});
    const uint32_t Tasks = FirstTask[Phase + 1] - FirstTask[Phase];
    for (uint32_t I = 0; I < Tasks; ++I) {
      const uint32_t A = FirstTask[Phase] + I, B = FirstTask[As] + I;
      if (!equal(ofPhase(R.Tasks[B], Phase), R.Tasks[A]))
        keepTask(A);
      forTables([&](const auto &Table, auto &Out) {
        differences(Table, A, B, [&](const auto &Row) { Out.push_back(Row); });
      });
    }
  }

  void keepPhase(uint32_t Phase) {
    for (uint32_t A = FirstTask[Phase]; A < FirstTask[Phase + 1]; ++A) {
      keepTask(A);
      forTables([&](const auto &Table, auto &Out) {
        Out.insert(Out.end(), Table.of(A).begin(), Table.of(A).end());
      });
    }
  }

  void keepTask(uint32_t Task) {
    Held.TaskRows.push_back(Task);
    Held.Tasks.push_back(R.Tasks[Task]);
  }

  /// Symbols without a task come first, as their numbers are stored; the
  /// numbers of the others rise in the order of symbol and task.
  void orderSymbols() {
    std::vector<ek_raw_symbol> OfTasks(Held.Symbols.begin() +
                                           ptrdiff_t(Held.SymbolRows.size()),
                                       Held.Symbols.end());
    sort(OfTasks, before);
    Held.Symbols.resize(Held.SymbolRows.size());
    auto Next = uint32_t(R.Symbols.size());
    for (const ek_raw_symbol &S : OfTasks) {
      Held.Symbols.push_back(S);
      Held.SymbolRows.push_back(Next++);
    }
  }
};

//===----------------------------------------------------------------------===//
// Restoring all rows
//===----------------------------------------------------------------------===//

/// The rows of a table restored so far, and the rows in the file.
template <typename T> class Giver {
  std::vector<T> Held, Out;
  std::vector<size_t>
      First;       // first row in Out of each finished task, and the end
  size_t Next = 0; // next row in Held

public:
  explicit Giver(std::vector<T> Rows) : Held(std::move(Rows)) {
    First.push_back(0);
  }

  /// Restores the next task; \p As: the task whose rows it shares, or
  /// EK_NO_TASK.
  bool task(uint32_t As) {
    const auto Task = uint32_t(First.size() - 1);
    const bool Shares = As != EK_NO_TASK;
    size_t O = Shares ? First[As] : 0;
    const size_t End = Shares ? First[As + 1] : 0;
    for (; Next < Held.size() && Held[Next].task == Task; ++Next) {
      const T &Row = Held[Next];
      for (; O != End && nameOf(Out[O]) < nameOf(Row); ++O)
        Out.push_back(ofTask(T(Out[O]), Task));
      O += O != End && nameOf(Out[O]) == nameOf(Row);
      if (!Shares || !isWithout(Row))
        Out.push_back(Row);
    }
    for (; O != End; ++O)
      Out.push_back(ofTask(T(Out[O]), Task));
    First.push_back(Out.size());
    return Out.size() <= MostRows;
  }
  /// False if rows are left over: the file is damaged.
  bool take(std::vector<T> &Rows) {
    Rows = std::move(Out);
    return Next == Held.size();
  }
};

/// Puts the symbols without a task at their numbers among \p Others.
bool mixSymbols(const HeldRows &Held, std::vector<ek_raw_symbol> Others,
                std::vector<ek_raw_symbol> &Out) {
  sort(Others, before);
  size_t Next = 0;
  for (size_t I = 0; I < Held.Symbols.size(); ++I) {
    if (Held.Symbols[I].task != EK_NO_TASK)
      continue;
    while (Out.size() < Held.SymbolRows[I] && Next < Others.size())
      Out.push_back(Others[Next++]);
    if (Out.size() != Held.SymbolRows[I])
      return false;
    Out.push_back(Held.Symbols[I]);
  }
  Out.insert(Out.end(), Others.begin() + ptrdiff_t(Next), Others.end());
  return true;
}

} // namespace

std::optional<HeldRows> evenkeel::shareRows(const MissRecord &R) {
  Sharer S(R);
  if (!S.arrange())
    return std::nullopt;
  S.share();
  if (S.Held.Shared.empty())
    return std::nullopt;
  return std::move(S.Held);
}

bool evenkeel::giveAllRows(HeldRows Held, MissRecord &R) {
  std::vector<ek_raw_symbol> OfTasks;
  for (const ek_raw_symbol &S : Held.Symbols)
    if (S.task != EK_NO_TASK)
      OfTasks.push_back(S);
  sort(OfTasks, beforeByTask);
  Giver<ek_raw_access> Accesses(std::move(Held.Accesses));
  Giver<ek_raw_miss> Misses(std::move(Held.Misses));
  Giver<ek_raw_mrc> Curves(std::move(Held.Curves));
  Giver<ek_raw_far> Far(std::move(Held.Far));
  Giver<ek_raw_symbol> Symbols(std::move(OfTasks));
  Giver<ek_raw_page> Pages(std::move(Held.Pages));
  std::vector<uint32_t> FirstTask = {0}; // of each finished phase, and the end
  size_t Next = 0;                       // next row in Held.Tasks
  auto Shared = Held.Shared.begin();
  auto HasTask = [&](uint32_t Task, uint32_t Phase) {
    return Next < Held.Tasks.size() && Held.TaskRows[Next] == Task &&
           Held.Tasks[Next].phase == Phase;
  };
  R.Tasks.clear();
  for (uint32_t P = 0; P < R.Phases.size(); ++P) {
    uint32_t As = EK_NO_TASK, AsEnd = EK_NO_TASK;
    if (Shared != Held.Shared.end() && Shared->phase == P) {
      if (Shared->as >= P)
        return false;
      As = FirstTask[Shared->as];
      AsEnd = FirstTask[Shared->as + 1];
      ++Shared;
    }
    for (;; As += As != EK_NO_TASK) {
      const auto Task = uint32_t(R.Tasks.size());
      if (AsEnd == EK_NO_TASK ? !HasTask(Task, P) : As == AsEnd)
        break;
      R.Tasks.push_back(HasTask(Task, P)
                            ? Held.Tasks[Next++]
                            : ofPhase(ek_raw_task(R.Tasks[As]), P));
      if (R.Tasks.size() > MostRows || !Accesses.task(As) || !Misses.task(As) ||
          !Curves.task(As) || !Far.task(As) || !Symbols.task(As) ||
          !Pages.task(As))
        return false;
    }
    FirstTask.push_back(uint32_t(R.Tasks.size()));
  }
  std::vector<ek_raw_symbol> Others;
  R.Symbols.clear();
  return Shared == Held.Shared.end() && Next == Held.Tasks.size() &&
         Accesses.take(R.Accesses) && Misses.take(R.Misses) &&
         Curves.take(R.Curves) && Far.take(R.Far) && Symbols.take(Others) &&
         Pages.take(R.Pages) && mixSymbols(Held, std::move(Others), R.Symbols);
}
