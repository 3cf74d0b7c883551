//===- RowTables.cpp - look-ups of tables' rows per thread ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RowTables.h. A thread that still runs while the record is written may
// count a row: it holds its lock meanwhile.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "RowTables.h"
#include "Frame.h"
#include "Recorder.h"
#include "record/host/Report.h"
#include "record/objects/Space.h"
#include <algorithm>
#include <atomic>
#include <tuple>
#include <unistd.h>

using namespace ekrec;

namespace {

struct RowTable {
  uint64_t Region, RowBytes, First;
  uint32_t Instance, Worker;
  SpaceSaving<EK_ROWS_KEPT> Counts;
  RowSample<EK_ROWS_SAMPLED> Sampled;
};

struct ThreadRows {
  ThreadRows *NextThread;
  std::atomic_flag Lock;
  uint32_t Used;
  uint64_t Unkept; // look-ups of tables without a summary
  RowTable *Last;
  RowTable *Of[EK_ROW_TABLES];

  void lock() {
    while (Lock.test_and_set(std::memory_order_acquire)) {
    }
  }
  void unlock() { Lock.clear(std::memory_order_release); }
  /// Call at the end: waits until no row is being counted, for a limited time,
  /// because a signal handler that ends the program may have interrupted that.
  void settle() {
    for (int Tries = 0;
         Tries < 1000 && Lock.test_and_set(std::memory_order_acquire); ++Tries)
      usleep(1000);
    unlock();
  }
};

std::atomic<ThreadRows *> AllRows;
__thread ThreadRows *Mine __attribute__((tls_model("initial-exec")));

ThreadRows *rowsOfThread() {
  if (Mine)
    return Mine;
  auto *New = makeZeroed<ThreadRows>();
  if (!New) {
    count(Why::NoMemory);
    return nullptr;
  }
  New->NextThread = AllRows.load();
  while (!AllRows.compare_exchange_weak(New->NextThread, New)) {
  }
  return Mine = New;
}

auto keyOf(const RowTable &T) {
  return std::tie(T.Region, T.Instance, T.RowBytes, T.First, T.Worker);
}

/// The thread's summary of a table; nullptr: there is no room.
RowTable *tableOf(ThreadRows &R, uint64_t Region, uint32_t Instance,
                  uint64_t RowBytes, uint64_t First, uint32_t Worker) {
  const auto Key = std::tie(Region, Instance, RowBytes, First, Worker);
  if (R.Last && keyOf(*R.Last) == Key)
    return R.Last;
  for (uint32_t I = 0; I < R.Used; ++I)
    if (keyOf(*R.Of[I]) == Key)
      return R.Last = R.Of[I];
  if (R.Used == EK_ROW_TABLES)
    return nullptr;
  auto *New = makeZeroed<RowTable>();
  if (!New) {
    count(Why::NoMemory);
    return nullptr;
  }
  New->Region = Region;
  New->Instance = Instance;
  New->RowBytes = RowBytes;
  New->First = First;
  New->Worker = Worker;
  return R.Last = R.Of[R.Used++] = New;
}

} // namespace

void ekrec::countRow(uintptr_t Base, uintptr_t Address, uint64_t RowBytes) {
  ThreadState &T = State;
  const uint64_t C = canonical(Address);
  if (!T.Current || !C || !RowBytes || RowBytes > INT64_MAX)
    return;
  const uint32_t Number = instanceOfByte(C);
  const Instance &I = TheSpace.Table[Number];
  // Small objects are not placed, and share an instance.
  if (!Number || I.Bytes < LargeBytes || !I.Start || C < I.Start)
    return;
  ThreadRows *R = rowsOfThread();
  if (!R)
    return;
  // The table may begin before the object (rows counted from 1), or in it.
  const uint64_t At = C - I.Start;
  const int64_t Begin = int64_t(At - (Address - Base)) % int64_t(RowBytes);
  const uint64_t First =
      uint64_t(Begin < 0 ? Begin + int64_t(RowBytes) : Begin);
  const uint64_t Row = At < First ? 0 : (At - First) / RowBytes;
  R->lock();
  if (!closed()) {
    if (RowTable *Its = tableOf(*R, TheRecorder.Tasks[T.Current->Task].Region,
                                Number, RowBytes, First, T.Thread)) {
      Its->Counts.add(Row);
      Its->Sampled.add(Row);
    } else {
      ++R->Unkept;
    }
  }
  R->unlock();
}

void ekrec::collectRows(const Vec<uint32_t> &Instances,
                        Vec<ek_raw_row_table> &Tables,
                        Vec<ek_raw_row_count> &Counts,
                        Vec<ek_raw_row_sample> &Sampled) {
  struct Named {
    ek_raw_row_table Row;
    const RowTable *From;
  };
  Vec<Named> All;
  uint64_t Unkept = 0;
  for (ThreadRows *R = AllRows.load(); R; R = R->NextThread) {
    R->settle(); // nothing is added any more: the record is closed
    Unkept += R->Unkept;
    for (uint32_t I = 0; I < R->Used; ++I) {
      const RowTable &T = *R->Of[I];
      All.push({{T.Region, Instances[T.Instance], T.Worker, T.RowBytes, T.First,
                 T.Counts.total(), T.Counts.error(), T.Counts.size(),
                 T.Sampled.size(), T.Sampled.shift(), 0},
                &T});
    }
  }
  std::sort(All.begin(), All.end(), [](const Named &A, const Named &B) {
    auto Of = [](const ek_raw_row_table &R) {
      return std::tie(R.region, R.inst, R.row_bytes, R.first, R.worker,
                      R.lookups);
    };
    return Of(A.Row) < Of(B.Row);
  });
  for (const Named &N : All) {
    Tables.push(N.Row);
    const size_t Begin = Counts.size();
    for (uint32_t I = 0; I < N.Row.rows; ++I) {
      const auto &E = N.From->Counts[I];
      Counts.push({E.Row, E.Count, E.Over});
    }
    std::sort(Counts.begin() + Begin, Counts.end(),
              [](const ek_raw_row_count &A, const ek_raw_row_count &B) {
                return A.row < B.row;
              });
    const size_t First = Sampled.size();
    N.From->Sampled.each(
        [&](uint64_t Row, uint64_t Lookups) { Sampled.push({Row, Lookups}); });
    std::sort(Sampled.begin() + First, Sampled.end(),
              [](const ek_raw_row_sample &A, const ek_raw_row_sample &B) {
                return A.row < B.row;
              });
  }
  All.release();
  if (Unkept)
    Tables.push({0, EK_NO_TASK, 0, 0, 0, Unkept, Unkept, 0, 0, 0, 0});
}
