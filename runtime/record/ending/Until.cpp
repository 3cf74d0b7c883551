//===- Until.cpp - the decision to end a record early ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Until.h. All threads but the first only add up their tasks' work. A phase
// is evaluated when all of its tasks have ended; inside a team, that is one
// barrier later.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "Until.h"
#include "PhaseKinds.h"
#include "hooks/mpi/mpi_ranks.h"
#include "record/files/Stream.h"
#include "record/host/Report.h"
#include "record/tasks/PhaseSums.h"
#include "record/tasks/Recorder.h"
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

using namespace ekrec;

bool ekrec::MayEndEarly = false;

namespace {

enum class Mode : uint32_t { Phases, Count, Seconds };

struct UntilState {
  Mode Asked;
  double Amount; // phases or seconds; for Phases: the time limit
  bool Keep;     // the program continues after the record
  bool IsRank;   // of an MPI program
  uint64_t BeganNs;
  ek_until_board *Board; // nullptr: evenkeel record does not watch
  PhaseKinds *Kinds;
  uint32_t Next;             // the next phase to evaluate
  uint64_t Before;           // the last sync point before it
  uint32_t Collectives;      // of all ranks, so far
  bool Ready;                // this process's state on the board
  std::atomic<uint32_t> Why; // EK_ENDED_*
};

UntilState U{};

uint64_t nowNs() {
  timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return uint64_t(T.tv_sec) * 1000000000u + uint64_t(T.tv_nsec);
}

bool readAsked(const char *Text) {
  constexpr char ByKinds[] = "phases ";
  const bool IsByKinds = !strncmp(Text, ByKinds, strlen(ByKinds));
  if (IsByKinds)
    Text += strlen(ByKinds);
  char *End = nullptr;
  U.Amount = strtod(Text, &End);
  if (End == Text || !(U.Amount > 0) || !*End || End[1])
    return false;
  U.Asked = IsByKinds     ? Mode::Phases
            : *End == 'p' ? Mode::Count
                          : Mode::Seconds;
  return *End == 's' || (*End == 'p' && !IsByKinds);
}

ek_until_board *openBoard() {
  const char *Path = getenv(EK_UNTIL_BOARD_ENV);
  if (!Path || !*Path)
    return nullptr;
  const int Fd = open(Path, O_RDWR | O_CLOEXEC);
  struct stat S;
  if (Fd < 0 || fstat(Fd, &S) != 0 || S.st_size < off_t(sizeof(*U.Board))) {
    if (Fd >= 0)
      close(Fd);
    return nullptr;
  }
  void *P = mmap(nullptr, sizeof(*U.Board), PROT_READ | PROT_WRITE, MAP_SHARED,
                 Fd, 0);
  close(Fd);
  return P == MAP_FAILED ? nullptr : static_cast<ek_until_board *>(P);
}

} // namespace

void ekrec::startUntil(const Options &O) {
  const char *Text = getenv(EK_UNTIL_ENV);
  if (!Text || !*Text)
    return;
  if (!readAsked(Text)) {
    report("%s='%s' is not a usable value; the record ends with the program",
           EK_UNTIL_ENV, Text);
    return;
  }
  void *Memory = reservePages(sizeof(PhaseKinds));
  if (!Memory) {
    count(Why::NoMemory);
    return;
  }
  U.Kinds = new (Memory)
      PhaseKinds(static_cast<uint64_t>(O.LeastMs * 1e-3 * O.Ghz * 1e9));
  const char *Keep = getenv(EK_UNTIL_KEEP_ENV);
  U.Keep = Keep && !strcmp(Keep, "1");
  U.BeganNs = nowNs();
  U.Board = openBoard();
  U.IsRank = isRank() && ek_mpi_is_there();
  MayEndEarly = SumsPhases = true;
}

//===----------------------------------------------------------------------===//
// The decision
//===----------------------------------------------------------------------===//

void ekrec::lookAtPhases(uint32_t Last) {
  const ek_raw_phase *Phases = TheRecorder.Phases;
  for (; U.Next <= Last; ++U.Next) {
    PhaseSums &S = sumsOf(U.Next);
    const ek_raw_phase &P = Phases[U.Next];
    const uint64_t Width = P.width ? P.width : 1;
    if (S.Tasks.load(std::memory_order_relaxed))
      U.Kinds->ended(
          {U.Before, P.sync, S.Region.load(std::memory_order_relaxed)},
          {S.Instructions.load(std::memory_order_relaxed),
           S.Cycles.load(std::memory_order_relaxed) / Width});
    U.Before = P.sync ? P.sync : U.Before;
    S.Instructions.store(0, std::memory_order_relaxed);
    S.Cycles.store(0, std::memory_order_relaxed);
    S.Region.store(0, std::memory_order_relaxed);
    S.Tasks.store(0, std::memory_order_relaxed);
  }
}

/// Ranks do not end when one of them ends an iteration, but soon after all of
/// them did.
uint32_t ekrec::whyEnough(uint32_t Last) {
  const double Seconds = double(nowNs() - U.BeganNs) * 1e-9;
  switch (U.Asked) {
  case Mode::Count:
    return Last + 1 >= U.Amount ? EK_ENDED_COUNT : EK_ENDED_PROGRAM;
  case Mode::Seconds:
    return Seconds >= U.Amount ? EK_ENDED_SECONDS : EK_ENDED_PROGRAM;
  case Mode::Phases:
    if (U.IsRank ? U.Kinds->missing() == EK_UNSEEN_NOTHING : U.Kinds->seen())
      return EK_ENDED_PHASES;
    return Seconds >= U.Amount ? EK_ENDED_LIMIT : EK_ENDED_PROGRAM;
  }
  return EK_ENDED_PROGRAM;
}

/// The number of the collective that a rank reaches, and the decision of the
/// last rank that all are ready, are in one word, so no rank passes the
/// collective at which all stop.
bool ekrec::allRanksStop(bool Enough) {
  ++U.Collectives;
  if (!U.Board)
    return false;
  uint64_t Now = __atomic_load_n(&U.Board->course, __ATOMIC_SEQ_CST);
  while (!(Now >> 32) && U.Collectives > static_cast<uint32_t>(Now) &&
         !__atomic_compare_exchange_n(&U.Board->course, &Now, U.Collectives,
                                      false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST)) {
  }
  if (Now >> 32)
    return U.Collectives >= Now >> 32;
  if (Enough != U.Ready) {
    U.Ready = Enough;
    __atomic_fetch_add(&U.Board->ready, Enough ? 1u : ~0u, __ATOMIC_SEQ_CST);
  }
  const int Ranks = ek_mpi_size();
  if (!Enough || Ranks < 1 ||
      __atomic_load_n(&U.Board->ready, __ATOMIC_SEQ_CST) !=
          static_cast<uint32_t>(Ranks))
    return false;
  Now = __atomic_load_n(&U.Board->course, __ATOMIC_SEQ_CST);
  uint64_t Stop;
  do
    Stop =
        (static_cast<uint32_t>(Now) + 1ull) << 32 | static_cast<uint32_t>(Now);
  while (!(Now >> 32) &&
         !__atomic_compare_exchange_n(&U.Board->course, &Now, Stop, false,
                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return false;
}

bool ekrec::endsWithRanks() { return U.IsRank; }
bool ekrec::programContinues() { return U.Keep; }
bool ekrec::isListenedTo() { return U.Board; }

void ekrec::setWhy(uint32_t Why) {
  U.Why.store(Why, std::memory_order_relaxed);
}

void ekrec::reportWritten() {
  if (!U.Board)
    return;
  const int Ranks = U.IsRank ? ek_mpi_size() : 1;
  __atomic_store_n(&U.Board->expected,
                   Ranks > 0 ? static_cast<uint32_t>(Ranks) : 1u,
                   __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&U.Board->written, 1u, __ATOMIC_SEQ_CST);
}

void ekrec::cutOff() {
  uint32_t Nothing = EK_ENDED_PROGRAM;
  U.Why.compare_exchange_strong(Nothing, EK_ENDED_CUT);
}

ek_raw_ended ekrec::howEnded() {
  ek_raw_ended E = {};
  if (!MayEndEarly)
    return E;
  E.why = U.Why.load(std::memory_order_relaxed);
  E.asked = static_cast<uint32_t>(U.Asked);
  E.missing = U.Asked != Mode::Phases || E.why == EK_ENDED_PHASES
                  ? uint32_t(EK_UNSEEN_NOTHING)
                  : U.Kinds->missing();
  if (U.Asked == Mode::Phases && E.why != EK_ENDED_PHASES && !E.missing)
    E.missing = U.IsRank ? EK_UNSEEN_RANKS : EK_UNSEEN_SHORT;
  E.kinds = U.Kinds->kinds();
  E.seen_share = U.Kinds->seenShare();
  return E;
}
