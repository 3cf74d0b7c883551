//===- Stream.cpp - writing the raw stream --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the order required by format/ek_raw.h: equal runs give equal files,
// independent of the threads' timing. Internal numbers of tasks and instances,
// which depend on timing, end here.
// Makes: <EVENKEEL_RAW>.<pid>, under a temporary name until it is complete.
//===----------------------------------------------------------------------===//
#include "Stream.h"
#include "LogRows.h"
#include "PageRows.h"
#include "core/file.h"
#include "record/host/Report.h"
#include "record/objects/Naming.h"
#include "record/races/Races.h"
#include "record/tasks/Burst.h"
#include "record/tasks/Recorder.h"
#include "record/tasks/RowBudget.h"
#include "record/tasks/RowTables.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <unistd.h>

using namespace ekrec;

namespace {

class File {
  int Fd;
  bool Failed = false;
  char Buffer[1 << 16];
  size_t Fill = 0;
  off_t Written = 0; // without the buffer's contents

public:
  explicit File(int Handle) : Fd(Handle) {}
  void put(const void *Data, size_t Bytes) {
    auto *P = static_cast<const char *>(Data);
    while (Bytes && !Failed) {
      size_t N = sizeof Buffer - Fill < Bytes ? sizeof Buffer - Fill : Bytes;
      memcpy(Buffer + Fill, P, N);
      Fill += N;
      P += N;
      Bytes -= N;
      if (Fill == sizeof Buffer)
        flush();
    }
  }
  void flush() {
    size_t Done = 0;
    while (Done < Fill && !Failed) {
      ssize_t N = write(Fd, Buffer + Done, Fill - Done);
      if (N < 0 && errno != EINTR)
        Failed = true;
      else if (N > 0)
        Done += static_cast<size_t>(N);
    }
    Written += static_cast<off_t>(Fill);
    Fill = 0;
  }
  void section(uint32_t Tag, uint64_t Rows, size_t RowBytes) {
    ek_raw_section S = {Tag, static_cast<uint32_t>(Rows), Rows * RowBytes};
    put(&S, sizeof S);
  }
  /// Consumes \p V.
  template <typename T> void rows(uint32_t Tag, Vec<T> V) {
    section(Tag, V.size(), sizeof(T));
    put(V.begin(), V.size() * sizeof(T));
    V.release();
  }
  /// A section of the rows that \p Each passes to its argument.
  template <typename T, typename Function>
  void rowsOf(uint32_t Tag, Function Each) {
    const off_t At = Written + static_cast<off_t>(Fill);
    uint64_t Rows = 0;
    section(Tag, 0, sizeof(T));
    Each([&](const T &Row) {
      put(&Row, sizeof Row);
      ++Rows;
    });
    flush();
    const ek_raw_section S = {Tag, static_cast<uint32_t>(Rows),
                              Rows * sizeof(T)};
    Failed |= pwrite(Fd, &S, sizeof S, At) != sizeof S;
  }
  bool close() {
    flush();
    return ::close(Fd) == 0 && !Failed;
  }
};

} // namespace

static const char *rankText() {
  for (const char *Name :
       {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"})
    if (const char *Text = getenv(Name))
      return Text;
  return nullptr;
}

bool ekrec::isRank() { return rankText(); }

static uint32_t rank() {
  const char *Text = rankText();
  return Text ? static_cast<uint32_t>(atoi(Text)) : 0;
}

static Vec<ek_raw_inst> orderInstances(RowOrder &Of) {
  const Instance *Table = TheSpace.Table;
  Vec<uint32_t> Ids;
  for (uint32_t N = 1; N <= TheSpace.NumInstances; ++N)
    Ids.push(N);
  std::sort(Ids.begin(), Ids.end(), [&](uint32_t A, uint32_t B) {
    const Instance &X = Table[A], &Y = Table[B];
    if (X.Site != Y.Site)
      return X.Site < Y.Site;
    if (X.Creator != Y.Creator)
      return X.Creator < Y.Creator;
    return X.Ordinal < Y.Ordinal;
  });
  Of.Instance.resize(TheSpace.NumInstances + 1);
  Vec<ek_raw_inst> Rows;
  for (uint32_t N : Ids) {
    const Instance &I = Table[N];
    Of.Instance[N] = static_cast<uint32_t>(Rows.size());
    Rows.push({I.Site, I.Context, I.Ordinal, I.Creator, I.Bytes, I.AllocPhase,
               I.FreePhase, I.InContext, I.Number});
  }
  return Rows;
}

static Vec<ek_raw_task> orderTasks(RowOrder &Of) {
  const TaskInfo *Table = TheRecorder.Tasks;
  uint32_t Last = TheRecorder.LastTask.load();
  if (Last >= MaxTasks)
    Last = MaxTasks - 1;
  Vec<uint32_t> Ids;
  for (uint32_t N = 1; N <= Last; ++N)
    if (Table[N].Done)
      Ids.push(N);
  std::sort(Ids.begin(), Ids.end(), [&](uint32_t A, uint32_t B) {
    const TaskInfo &X = Table[A], &Y = Table[B];
    if (X.Phase != Y.Phase)
      return X.Phase < Y.Phase;
    if (X.Explicit != Y.Explicit)
      return !X.Explicit;
    if (X.Creator != Y.Creator)
      return X.Creator < Y.Creator;
    return X.Index < Y.Index;
  });
  Of.Task.resize(Last + 1);
  for (uint32_t &T : Of.Task)
    T = EK_NO_TASK;
  Vec<ek_raw_task> Rows;
  uint32_t Ordinal = 0;
  for (uint32_t N : Ids) {
    const TaskInfo &T = Table[N];
    // Ordinals count per creator while the program runs, but per phase here.
    bool Continues = T.Explicit && !Rows.empty() && Rows.back().flags &&
                     Rows.back().phase == T.Phase;
    Ordinal = Continues ? Ordinal + 1 : 0;
    Of.Task[N] = static_cast<uint32_t>(Rows.size());
    Rows.push({T.Region, T.Phase, T.Explicit ? Ordinal : T.Index, T.Worker,
               T.Explicit ? 1u : 0u, T.Cycles, T.Instructions, 0});
  }
  return Rows;
}

/// The rows that continue another row's execution.
static Vec<ek_raw_part> orderParts(const RowOrder &Of) {
  Vec<ek_raw_part> Rows;
  for (uint32_t N = 1; N < Of.Task.size(); ++N) {
    const uint32_t First = TheRecorder.Tasks[N].First;
    if (First != N && Of.Task[N] != EK_NO_TASK && Of.Task[First] != EK_NO_TASK)
      Rows.push({Of.Task[N], Of.Task[First]});
  }
  std::sort(Rows.begin(), Rows.end(),
            [](const ek_raw_part &A, const ek_raw_part &B) {
              return A.task < B.task;
            });
  return Rows;
}

/// Collects symbols or dependences from all threads, with final numbers, in any
/// order.
template <typename T>
static Vec<T> collect(Vec<T> Log::*Which, const RowOrder &Of) {
  Vec<T> All;
  for (Log *From = TheRecorder.Logs.load(); From; From = From->NextLog) {
    for (T Row : From->*Which) {
      Row.task = Of.Task[Row.task];
      if constexpr (std::is_same_v<T, ek_raw_dep>)
        Row.pred = Of.Task[Row.pred];
      bool Known = Row.task != EK_NO_TASK;
      if constexpr (std::is_same_v<T, ek_raw_dep>)
        Known = Known && Row.pred != EK_NO_TASK;
      if (Known)
        All.push(Row);
    }
    (From->*Which).release();
  }
  return All;
}

/// Each row belongs to one task; rows of program-wide symbols are joined in the
/// order of the tasks that saw them. A symbol may be both: an argument of a
/// function, in serial code and captured by its regions. Symbols without a
/// value follow, seen 0 times.
static Vec<ek_raw_symbol> orderSymbols(const RowOrder &Of) {
  struct Place { // of a row: its sort key and its number
    uint64_t Symbol, Task;
    uint32_t Row;
  };
  Vec<ek_raw_symbol> Unsorted = collect(&Log::Symbols, Of);
  Vec<Place> Seen;
  for (const ek_raw_symbol &S : Unsorted)
    Seen.push({S.symbol, uint64_t(!(S.reserved & ProgramWide)) << 32 | S.task,
               static_cast<uint32_t>(&S - Unsorted.begin())});
  std::sort(Seen.begin(), Seen.end(), [](const Place &A, const Place &B) {
    return A.Symbol != B.Symbol ? A.Symbol < B.Symbol : A.Task < B.Task;
  });
  Vec<ek_raw_symbol> Rows;
  for (const Place &Next : Seen) {
    ek_raw_symbol S = Unsorted[Next.Row];
    bool PerTask = !(S.reserved & ProgramWide);
    S.reserved = 0;
    if (!PerTask)
      S.task = EK_NO_TASK;
    if (!PerTask && !Rows.empty() && Rows.back().symbol == S.symbol) {
      ek_raw_symbol &All = Rows.back();
      All.times += S.times;
      All.last = S.last;
      All.min = std::min(All.min, S.min);
      All.max = std::max(All.max, S.max);
      All.sum += S.sum;
    } else {
      Rows.push(S);
    }
  }
  Seen.release();
  Unsorted.release();
  const size_t Seldom = Rows.size();
  size_t At = 0;
  for (uint64_t Id : knownSymbols()) {
    while (At < Seldom && Rows[At].symbol < Id)
      ++At;
    if (At == Seldom || Rows[At].symbol != Id)
      Rows.push({Id, EK_NO_TASK, 0, 0, 0, 0, 0, 0, 0});
  }
  return Rows;
}

static void writeRowCounts(File &F, const RowOrder &Of) {
  Vec<ek_raw_row_table> Tables;
  Vec<ek_raw_row_count> Counts;
  Vec<ek_raw_row_sample> Sampled;
  collectRows(Of.Instance, Tables, Counts, Sampled);
  if (Tables.empty())
    return;
  F.rows(EK_RAW_ROWT, Tables);
  F.rows(EK_RAW_ROWC, Counts);
  F.rows(EK_RAW_ROWS, Sampled);
}

static void writeSections(File &F, const ek_raw_ended *Ended) {
  const Recorder &R = TheRecorder;
  const Options &O = R.Opts;
  RowOrder Of;
  finishInstances();
  correctWeights();
  Vec<ek_raw_inst> Instances = orderInstances(Of);
  Vec<ek_raw_task> Tasks = orderTasks(Of);
  const unsigned Level = finishRows();
  nameRows(Of);

  ek_raw_header H = {};
  memcpy(H.magic, EK_RAW_MAGIC, sizeof H.magic);
  H.process = rank();
  H.mode = O.Counts ? 1 : O.Rate == 1 ? 2 : 4;
  F.put(&H, sizeof H);

  ek_raw_conf C = {};
  C.line_bytes = LineBytes;
  C.l1_bytes = O.L1Bytes;
  C.l1_ways = O.L1Ways;
  C.l2_bytes = O.L2Bytes;
  C.l2_ways = O.L2Ways;
  C.llc_share_bytes = O.LlcBytes;
  C.llc_ways = O.LlcWays;
  C.rob_instructions = O.Rob;
  C.prefetch_depth = O.PrefetchDepth;
  C.quantum_cycles = O.QuantumCycles << joinedQuanta(Level);
  memcpy(C.llc_sizes, O.LlcSize, sizeof C.llc_sizes);
  C.ghz = O.Ghz;
  C.workers = 1;
  for (const ek_raw_task &T : Tasks)
    C.workers = std::max(C.workers, T.worker + 1);
  for (const ek_raw_inst &I : Instances)
    C.workers = std::max(C.workers, I.creator + 1);
  for (uint32_t P = 0; P < R.NumPhases; ++P)
    C.workers = std::max(C.workers, R.Phases[P].width);
  for (const Log *L = R.Logs.load(); L; L = L->NextLog) {
    C.tracked_accesses += L->Tracked;
    C.untracked_accesses += L->Untracked;
  }
  F.section(EK_RAW_CONF, 1, sizeof C);
  F.put(&C, sizeof C);
  if (O.Rate != 1) {
    ek_raw_sampling S = {O.Rate, 0};
    F.section(EK_RAW_SMPL, 1, sizeof S);
    F.put(&S, sizeof S);
  }

  if (Ended) {
    F.section(EK_RAW_ENDD, 1, sizeof *Ended);
    F.put(Ended, sizeof *Ended);
  }
  F.section(EK_RAW_INST, Instances.size(), sizeof(ek_raw_inst));
  F.put(Instances.begin(), Instances.size() * sizeof(ek_raw_inst));
  F.section(EK_RAW_PHAS, R.NumPhases, sizeof(ek_raw_phase));
  F.put(R.Phases, R.NumPhases * sizeof(ek_raw_phase));
  F.section(EK_RAW_TASK, Tasks.size(), sizeof(ek_raw_task));
  F.put(Tasks.begin(), Tasks.size() * sizeof(ek_raw_task));
  Vec<ek_raw_dep> Deps = collect(&Log::Deps, Of);
  std::sort(Deps.begin(), Deps.end(),
            [](const ek_raw_dep &A, const ek_raw_dep &B) {
              return lessTaskInst(A.task, A.pred, B.task, B.pred);
            });
  F.rows(EK_RAW_DEPS, Deps);
  F.rows(EK_RAW_PART, orderParts(Of));
  F.rowsOf<ek_raw_access>(
      EK_RAW_ACCS, [&](auto Put) { forEachRow(&Log::Accesses, Of, Put); });
  F.rowsOf<ek_raw_miss>(EK_RAW_MISS, [&](auto Put) {
    forEachChunk(orderSegments(Of), Instances, Tasks, Put);
  });
  endQuanta(Level);
  F.rowsOf<ek_raw_mrc>(EK_RAW_MRCV, [&](auto Put) { forEachCurve(Of, Put); });
  F.rowsOf<ek_raw_far>(EK_RAW_FARW,
                       [&](auto Put) { forEachRow(&Log::Far, Of, Put); });
  uint64_t Pages = 0;
  Vec<TaskSegment> Segments = orderSegments(Of);
  for (const TaskSegment &T : Segments)
    Pages += T.S->Count;
  F.section(EK_RAW_PAGE, Pages, sizeof(ek_raw_page));
  for (const TaskSegment &T : Segments)
    F.put(T.From->Pages.begin() + T.S->First, T.S->Count * sizeof(ek_raw_page));
  F.rows(EK_RAW_SYMB, orderSymbols(Of));
  Vec<ek_raw_race> Races;
  Vec<ek_raw_image> Images;
  collectRaces(
      [](uint32_t N, const void *Self) {
        return static_cast<const RowOrder *>(Self)->Instance[N];
      },
      &Of, Races, Images);
  if (!Races.empty()) {
    F.rows(EK_RAW_IMAG, Images);
    F.rows(EK_RAW_RACE, Races);
  }
  writeRowCounts(F, Of);
  F.section(EK_RAW_END, 0, 0);
}

void ekrec::writeStream(const char *Path, const ek_raw_ended *Ended) {
  char Name[4096], Temporary[4200];
  int N =
      snprintf(Name, sizeof Name, "%s.%d", Path, static_cast<int>(getpid()));
  if (N < 0 || N >= static_cast<int>(sizeof Name)) {
    report("EVENKEEL_RAW is too long; nothing is written");
    return;
  }
  int Fd = ek_file_beside(Name, Temporary, sizeof Temporary);
  if (Fd < 0) {
    report("cannot write %s: %s", Name, strerror(errno));
    return;
  }
  void *Memory = reservePages(sizeof(File));
  if (!Memory) {
    close(Fd);
    unlink(Temporary);
    count(Why::NoMemory);
    return;
  }
  File *F = new (Memory) File(Fd);
  writeSections(*F, Ended);
  if (!F->close() || rename(Temporary, Name) != 0) {
    report("cannot write %s: %s", Name, strerror(errno));
    unlink(Temporary);
  }
}
