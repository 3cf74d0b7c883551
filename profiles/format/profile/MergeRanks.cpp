//===- MergeRanks.cpp - one record from those of the ranks ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MergeRanks.h.
//===----------------------------------------------------------------------===//
#include "MergeRanks.h"
#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <tuple>

namespace evenkeel {
namespace {

/// For each phase of a rank, the phase of the merged record.
using PhaseMap = std::vector<uint32_t>;

/// The first phase after each collective, and the end.
std::vector<uint32_t> partsOf(const MissRecord &R) {
  std::vector<uint32_t> Out = {0};
  for (uint32_t P = 0; P < R.Phases.size(); ++P)
    if (R.Phases[P].kind == 2)
      Out.push_back(P + 1);
  if (Out.back() != R.Phases.size())
    Out.push_back(uint32_t(R.Phases.size()));
  return Out;
}

/// Sorts stably by \p Less; returns the new position of each row.
template <typename T, typename F>
std::vector<uint32_t> sortRows(std::vector<T> &Rows, F Less) {
  std::vector<uint32_t> Order(Rows.size()), Place(Rows.size());
  std::iota(Order.begin(), Order.end(), 0);
  std::sort(Order.begin(), Order.end(), [&](uint32_t A, uint32_t B) {
    return Less(Rows[A], Rows[B]) || (!Less(Rows[B], Rows[A]) && A < B);
  });
  std::vector<T> Sorted;
  Sorted.reserve(Rows.size());
  for (uint32_t I : Order) {
    Place[I] = uint32_t(Sorted.size());
    Sorted.push_back(Rows[I]);
  }
  Rows = std::move(Sorted);
  return Place;
}

bool sameCaches(ek_raw_conf A, ek_raw_conf B) {
  for (ek_raw_conf *C : {&A, &B}) {
    C->workers = 0;
    C->tracked_accesses = C->untracked_accesses = 0;
  }
  return A.line_bytes == B.line_bytes && A.l1_bytes == B.l1_bytes &&
         A.l2_bytes == B.l2_bytes && A.llc_share_bytes == B.llc_share_bytes &&
         A.rob_instructions == B.rob_instructions &&
         A.prefetch_depth == B.prefetch_depth && A.ghz == B.ghz &&
         std::equal(A.llc_sizes, A.llc_sizes + EK_RAW_LLC_SIZES, B.llc_sizes);
}

/// Joins the quanta of virtual time in \p R until they are \p Cycles long. A
/// rank that fetched more pages than its memory has room for has joined its
/// own. False: \p Cycles is not a power of two times their length.
bool joinQuanta(MissRecord &R, uint64_t Cycles) {
  unsigned Level = 0;
  while (Level < 32 && R.Config.quantum_cycles << Level < Cycles)
    ++Level;
  if (R.Config.quantum_cycles << Level != Cycles)
    return false;
  R.Config.quantum_cycles = Cycles;
  if (!Level)
    return true;
  for (ek_raw_page &P : R.Pages)
    P.quantum >>= Level;
  auto Key = [](const ek_raw_page &P) {
    return std::tie(P.task, P.quantum, P.inst, P.page);
  };
  std::sort(R.Pages.begin(), R.Pages.end(),
            [&](const ek_raw_page &A, const ek_raw_page &B) {
              return Key(A) < Key(B);
            });
  size_t Last = 0;
  for (size_t I = 1; I < R.Pages.size(); ++I) {
    ek_raw_page &Into = R.Pages[Last];
    const ek_raw_page &P = R.Pages[I];
    if (Key(Into) != Key(P)) {
      R.Pages[++Last] = P;
      continue;
    }
    Into.reads += P.reads;
    Into.writes += P.writes;
    Into.weight += P.weight;
    Into.dependent += P.dependent;
  }
  if (!R.Pages.empty())
    R.Pages.resize(Last + 1);
  return true;
}

/// Values of the whole program that are equal in all ranks are joined into one;
/// a value that differs is attached to the first task of each rank, \p
/// FirstTask by rank. \p Rows are ordered by rank.
void joinSymbols(std::vector<ek_raw_symbol> &Rows,
                 const std::vector<uint32_t> &FirstTask,
                 const std::vector<uint32_t> &RankOf) {
  struct Several {
    std::vector<std::pair<uint32_t, ek_raw_symbol>> Values; // by rank
    bool Differ = false;
  };
  std::map<uint64_t, Several> Program;
  std::vector<ek_raw_symbol> Out;
  for (size_t I = 0; I < Rows.size(); ++I) {
    if (Rows[I].task != EK_NO_TASK) {
      Out.push_back(Rows[I]);
      continue;
    }
    Several &S = Program[Rows[I].symbol];
    if (!Rows[I].times && !S.Values.empty())
      continue;
    if (!S.Values.empty() && !S.Values.back().second.times)
      S.Values.clear();
    if (!S.Values.empty())
      S.Differ |= S.Values.back().second.first != Rows[I].first ||
                  S.Values.back().second.sum != Rows[I].sum;
    S.Values.push_back({RankOf[I], Rows[I]});
  }
  for (auto &[Id, S] : Program) {
    ek_raw_symbol All = S.Values[0].second;
    for (size_t I = S.Differ ? 0 : 1; I < S.Values.size(); ++I) {
      auto &[Rank, Row] = S.Values[I];
      if (S.Differ) {
        Row.task = FirstTask[Rank];
        Out.push_back(Row);
        continue;
      }
      All.times += Row.times;
      All.last = Row.last;
      All.min = std::min(All.min, Row.min);
      All.max = std::max(All.max, Row.max);
      All.sum += Row.sum;
    }
    if (!S.Differ)
      Out.push_back(All);
  }
  sortRows(Out, [](const ek_raw_symbol &A, const ek_raw_symbol &B) {
    return std::tie(A.symbol, A.task) < std::tie(B.symbol, B.task);
  });
  Rows = std::move(Out);
}

/// Makes one record of several. Ranks go through the parts between collectives
/// together.
class Merger {
  std::vector<MissRecord> &Ranks;
  std::vector<PhaseMap> Phase; // by rank
  /// The first task of each rank, and the rank of each row of Out.Symbols.
  std::vector<uint32_t> FirstTask, SymbolRank;
  MissRecord Out;

  void addPhases();
  void addRank(size_t Rank);
  void addTasks(const MissRecord &In, size_t Rank, uint32_t FirstWorker);
  void addRaces(const MissRecord &In, uint32_t FirstInst);
  std::vector<uint32_t> sortTasks();
  std::vector<uint32_t> sortInstances();
  void renumber(const std::vector<uint32_t> &Task,
                const std::vector<uint32_t> &Inst);
  void sortOthers();

public:
  /// \p Ranks are empty afterwards.
  explicit Merger(std::vector<MissRecord> &Ranks)
      : Ranks(Ranks), Phase(Ranks.size()) {}

  MissRecord run() && {
    Out.Mode = Ranks[0].Mode;
    Out.OneIn = Ranks[0].OneIn;
    Out.End = Ranks[0].End;
    Out.Ended = Ranks[0].Ended;
    Out.Config = Ranks[0].Config;
    Out.Config.workers = 0;
    Out.Config.tracked_accesses = Out.Config.untracked_accesses = 0;
    addPhases();
    for (size_t R = 0; R < Ranks.size(); ++R)
      addRank(R);
    const std::vector<uint32_t> Task = sortTasks(), Inst = sortInstances();
    renumber(Task, Inst);
    sortOthers();
    joinSymbols(Out.Symbols, FirstTask, SymbolRank);
    return std::move(Out);
  }
};

/// Adds the phases of all ranks, and fills Phase.
void Merger::addPhases() {
  std::vector<std::vector<uint32_t>> Parts;
  size_t Most = 0; // number of parts between collectives
  for (const MissRecord &R : Ranks) {
    Parts.push_back(partsOf(R));
    Most = std::max(Most, Parts.back().size());
  }
  for (size_t Part = 0; Part + 1 < Most; ++Part) {
    uint32_t Longest = 0, First = uint32_t(Out.Phases.size());
    for (const auto &P : Parts)
      if (Part + 1 < P.size())
        Longest = std::max(Longest, P[Part + 1] - P[Part]);
    Out.Phases.resize(First + Longest, ek_raw_phase{0, 1, 0});
    for (size_t R = 0; R < Ranks.size(); ++R) {
      if (Part + 1 >= Parts[R].size())
        continue; // the rank has ended
      uint32_t Begin = Parts[R][Part], End = Parts[R][Part + 1];
      for (uint32_t P = Begin; P < End; ++P)
        Phase[R].push_back(P + 1 == End ? First + Longest - 1
                                        : First + P - Begin);
      if (Ranks[R].Phases[End - 1].kind == 2 || !Out.Phases.back().sync)
        Out.Phases.back().sync = Ranks[R].Phases[End - 1].sync;
    }
  }
}

/// Adds the rows of a rank, numbered after those of the ranks before it.
void Merger::addRank(size_t Rank) {
  MissRecord &In = Ranks[Rank];
  const uint32_t Worker = Out.Config.workers;
  const uint32_t Task = uint32_t(Out.Tasks.size());
  const uint32_t Inst = uint32_t(Out.Instances.size());
  Out.Ranks.push_back(Worker);
  FirstTask.push_back(Task);
  Out.Config.workers += std::max(1u, In.Config.workers);
  Out.Config.tracked_accesses += In.Config.tracked_accesses;
  Out.Config.untracked_accesses += In.Config.untracked_accesses;
  for (ek_raw_inst I : In.Instances) {
    I.creator += Worker;
    I.alloc_phase = Phase[Rank][I.alloc_phase];
    if (I.free_phase != EK_NO_TASK)
      I.free_phase = Phase[Rank][I.free_phase];
    Out.Instances.push_back(I);
  }
  addTasks(In, Rank, Worker);
  auto Append = [&](auto &To, const auto &From) {
    for (auto Row : From) {
      Row.task += Task;
      Row.inst += Inst;
      To.push_back(Row);
    }
  };
  Append(Out.Accesses, In.Accesses);
  Append(Out.Misses, In.Misses);
  Append(Out.Curves, In.Curves);
  Append(Out.Far, In.Far);
  Append(Out.Pages, In.Pages);
  for (ek_raw_dep D : In.Deps)
    Out.Deps.push_back({D.task + Task, D.pred + Task});
  for (ek_raw_part P : In.Parts)
    Out.Parts.push_back({P.task + Task, P.first + Task});
  for (ek_raw_symbol S : In.Symbols) {
    S.task += S.task == EK_NO_TASK ? 0 : Task;
    Out.Symbols.push_back(S);
    SymbolRank.push_back(uint32_t(Rank));
  }
  addRaces(In, Inst);
  In = MissRecord(); // frees the memory before the next copy
}

void Merger::addTasks(const MissRecord &In, size_t Rank, uint32_t FirstWorker) {
  for (ek_raw_task T : In.Tasks) {
    ek_raw_phase &P = Out.Phases[Phase[Rank][T.phase]];
    // Thread numbers are unique over ranks; explicit tasks get theirs in
    // sortTasks.
    if (!(T.flags & 1)) {
      T.index += FirstWorker;
      P.width = std::max(P.width, T.index + 1);
    }
    T.phase = Phase[Rank][T.phase];
    T.worker += FirstWorker;
    Out.Tasks.push_back(T);
  }
}

void Merger::addRaces(const MissRecord &In, uint32_t FirstInst) {
  const uint32_t Image = uint32_t(Out.Images.size());
  for (ek_raw_race X : In.RaceRows) {
    X.inst += X.inst == EK_NO_TASK ? 0 : FirstInst;
    for (uint32_t &I : X.image)
      I += I == EK_NO_TASK ? 0 : Image;
    Out.RaceRows.push_back(X);
  }
  Out.Images.insert(Out.Images.end(), In.Images.begin(), In.Images.end());
  Out.Races += In.Races;
}

/// Sorts tasks by phase and numbers explicit tasks; returns the new numbers.
std::vector<uint32_t> Merger::sortTasks() {
  std::vector<uint32_t> Task = sortRows(Out.Tasks, [](const ek_raw_task &A,
                                                      const ek_raw_task &B) {
    return std::make_tuple(A.phase, A.flags & 1, A.flags & 1 ? 0 : A.index) <
           std::make_tuple(B.phase, B.flags & 1, B.flags & 1 ? 0 : B.index);
  });
  uint32_t Ordinal = 0;
  for (size_t I = 0; I < Out.Tasks.size(); ++I) {
    bool Goes = I && (Out.Tasks[I].flags & Out.Tasks[I - 1].flags & 1) &&
                Out.Tasks[I].phase == Out.Tasks[I - 1].phase;
    Ordinal = Goes ? Ordinal + 1 : 0;
    if (Out.Tasks[I].flags & 1)
      Out.Tasks[I].index = Ordinal;
  }
  return Task;
}

/// Returns the new numbers.
std::vector<uint32_t> Merger::sortInstances() {
  return sortRows(Out.Instances,
                  [](const ek_raw_inst &A, const ek_raw_inst &B) {
                    return std::tie(A.site, A.creator, A.ordinal) <
                           std::tie(B.site, B.creator, B.ordinal);
                  });
}

/// Makes all rows refer to tasks and instances by their new numbers.
void Merger::renumber(const std::vector<uint32_t> &Task,
                      const std::vector<uint32_t> &Inst) {
  auto Number = [&](auto &Rows) {
    for (auto &Row : Rows) {
      Row.task = Task[Row.task];
      Row.inst = Inst[Row.inst];
    }
  };
  Number(Out.Accesses);
  Number(Out.Misses);
  Number(Out.Curves);
  Number(Out.Far);
  Number(Out.Pages);
  for (ek_raw_dep &D : Out.Deps)
    D = {Task[D.task], Task[D.pred]};
  for (ek_raw_part &P : Out.Parts)
    P = {Task[P.task], Task[P.first]};
  for (ek_raw_symbol &S : Out.Symbols)
    S.task = S.task == EK_NO_TASK ? S.task : Task[S.task];
  for (uint32_t &T : FirstTask)
    T = Task[T];
  for (ek_raw_race &X : Out.RaceRows)
    X.inst = X.inst == EK_NO_TASK ? X.inst : Inst[X.inst];
}

void Merger::sortOthers() {
  auto ByTask = [](const auto &A, const auto &B) {
    return std::tie(A.task, A.inst) < std::tie(B.task, B.inst);
  };
  std::sort(Out.Accesses.begin(), Out.Accesses.end(), ByTask);
  std::sort(Out.Curves.begin(), Out.Curves.end(), ByTask);
  std::sort(Out.Far.begin(), Out.Far.end(), ByTask);
  std::sort(Out.Misses.begin(), Out.Misses.end(),
            [](const ek_raw_miss &A, const ek_raw_miss &B) {
              return std::tie(A.task, A.inst, A.chunk) <
                     std::tie(B.task, B.inst, B.chunk);
            });
  std::sort(Out.Pages.begin(), Out.Pages.end(),
            [](const ek_raw_page &A, const ek_raw_page &B) {
              return std::tie(A.task, A.quantum, A.inst, A.page) <
                     std::tie(B.task, B.quantum, B.inst, B.page);
            });
  std::sort(Out.Deps.begin(), Out.Deps.end(),
            [](const ek_raw_dep &A, const ek_raw_dep &B) {
              return std::tie(A.task, A.pred) < std::tie(B.task, B.pred);
            });
  std::sort(Out.Parts.begin(), Out.Parts.end(),
            [](const ek_raw_part &A, const ek_raw_part &B) {
              return A.task < B.task;
            });
}

} // namespace

std::string earlyRanks(const std::vector<MissRecord> &Ranks) {
  std::vector<size_t> Collectives;
  for (const MissRecord &R : Ranks)
    Collectives.push_back(size_t(
        std::count_if(R.Phases.begin(), R.Phases.end(),
                      [](const ek_raw_phase &P) { return P.kind == 2; })));
  size_t Most = 0;
  for (size_t N : Collectives)
    Most = std::max(Most, N);
  std::string Out;
  for (size_t I = 0; I < Ranks.size(); ++I)
    if (Collectives[I] < Most)
      Out += (Out.empty() ? "rank " : ", rank ") +
             std::to_string(Ranks[I].Rank) + " after " +
             std::to_string(Collectives[I]);
  return Out.empty() ? Out
                     : "ended before the last of " + std::to_string(Most) +
                           " collectives: " + Out;
}

Expected<MissRecord> mergeRanks(std::vector<MissRecord> Ranks) {
  if (Ranks.empty())
    return Error{"no rank wrote a record"};
  if (Ranks.size() == 1)
    return std::move(Ranks[0]);
  uint64_t Quantum = 0;
  for (const MissRecord &R : Ranks)
    Quantum = std::max<uint64_t>(Quantum, R.Config.quantum_cycles);
  for (MissRecord &R : Ranks)
    if (R.Mode != Ranks[0].Mode || !sameCaches(R.Config, Ranks[0].Config) ||
        !joinQuanta(R, Quantum))
      return Error{
          "ranks were recorded with different settings; build and start all "
          "of them alike"};
  return Merger(Ranks).run();
}

} // namespace evenkeel
