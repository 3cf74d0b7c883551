//===- Until.cpp - a record that ends before its program ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows, makes, leaves out: see Until.h. All threads but the first only add up
// what their tasks did; a phase is looked at once all of its tasks are over,
// which inside of a team is a barrier later.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "Until.h"
#include "Bodies.h"
#include "hooks/mpi/mpi_ranks.h"
#include "record/host/Report.h"
#include "record/tasks/Recorder.h"
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

using namespace ekrec;

/// What a core waits for a line from memory that nothing hides (assumed).
static constexpr double WaitNs = 80;
/// A team's threads come to a barrier one after the other; then the record
/// ends without those that do not.
static constexpr int LongestWaitMs = 10000;
/// Who is not ended from outside ends by itself.
static constexpr int LongestParkedMs = 30000;

bool ekrec::MayEndEarly = false;

namespace {

enum class Mode : uint32_t { Phases, Count, Seconds };

/// What the tasks of one phase did so far.
struct Sums {
  std::atomic<uint64_t> Instructions, Cycles;
  std::atomic<uint64_t> Region; // of the first thread's
  std::atomic<uint32_t> Tasks;
};

struct UntilState {
  Mode Asked;
  double Amount; // phases or seconds; of Phases: seconds at most
  bool Keep;     // the program goes on
  bool GoesOn;   // and runs plain code
  bool IsRank;   // of an MPI program
  double Ghz;
  uint64_t BeganNs;
  ek_until_board *Board; // nullptr: nobody listens
  PhaseKinds *Kinds;
  /// By a phase's number: no thread is ahead of another by more than one.
  static constexpr unsigned Window = 4;
  Sums Of[Window];
  uint32_t Next;                   // phase to look at
  uint64_t Before;                 // last sync point in front of it
  uint32_t Collectives;            // of all ranks, so far
  bool Ready;                      // as the board has it
  std::atomic<uint32_t> StopPhase; // that a team ends; 0: none
  std::atomic<uint32_t> Arrived;   // threads, without the first
  std::atomic<uint32_t> Why;       // EK_ENDED_*
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
  U.Ghz = O.Ghz;
  U.BeganNs = nowNs();
  U.Board = openBoard();
  U.IsRank = isRank() && ek_mpi_is_there();
  MayEndEarly = true;
}

void ekrec::taskEnded(const TaskInfo &Task, double Waited) {
  Sums &S = U.Of[Task.Phase % UntilState::Window];
  S.Instructions.fetch_add(Task.Instructions, std::memory_order_relaxed);
  S.Cycles.fetch_add(Task.Cycles +
                         static_cast<uint64_t>(Waited * WaitNs * U.Ghz),
                     std::memory_order_relaxed);
  if (!Task.Explicit && !Task.Index)
    S.Region.store(Task.Region, std::memory_order_relaxed);
  S.Tasks.fetch_add(1, std::memory_order_relaxed);
}

//===----------------------------------------------------------------------===//
// Whether it ends
//===----------------------------------------------------------------------===//

/// Looks at the phases up to \p Last, all of whose tasks are over.
static void lookAt(uint32_t Last) {
  const ek_raw_phase *Phases = TheRecorder.Phases;
  for (; U.Next <= Last; ++U.Next) {
    Sums &S = U.Of[U.Next % UntilState::Window];
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

/// Why the record may end behind phase \p Last; EK_ENDED_PROGRAM: it may not.
/// Ranks do not end where one of them has just ended an iteration, but soon
/// after all of them did.
static uint32_t enough(uint32_t Last) {
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

/// Whether all ranks stop at this collective; \p Enough: this one may. Where a
/// rank comes to a collective and where the last one finds that all are ready
/// is one word, so nobody passes the collective that they will stop at.
static bool allStop(bool Enough) {
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

//===----------------------------------------------------------------------===//
// How it ends
//===----------------------------------------------------------------------===//

static void pauseMs(int Ms) { usleep(static_cast<useconds_t>(Ms) * 1000); }

/// Until `evenkeel record` ends the process, as a user's interrupt would.
[[noreturn]] static void park() {
  for (int Ms = 0; U.Board && Ms < LongestParkedMs; Ms += 10)
    pauseMs(10);
  kill(getpid(), SIGINT);
  pauseMs(LongestWaitMs);
  kill(getpid(), SIGKILL);
  for (;;)
    pause();
}

/// Writes the record, between two phases; \p AtBarrier: all others of the team
/// are at the barrier there. Returns where the program goes on.
static void endHere(bool AtBarrier = false) {
  endRecord();
  if (U.Board) {
    const int Ranks = U.IsRank ? ek_mpi_size() : 1;
    __atomic_store_n(&U.Board->expected,
                     Ranks > 0 ? static_cast<uint32_t>(Ranks) : 1u,
                     __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&U.Board->written, 1u, __ATOMIC_SEQ_CST);
  }
  if (!U.Keep)
    park();
  goOnUnrecorded(AtBarrier);
}

void ekrec::goOnUnrecorded(bool AtBarrier) {
  if (U.Keep && !U.GoesOn && recordIsWritten())
    U.GoesOn = goOnPlain(AtBarrier);
}

void ekrec::phaseEnded(uint32_t Phase, bool OfAllRanks) {
  U.StopPhase.store(0, std::memory_order_relaxed);
  lookAt(Phase);
  if (U.IsRank && !OfAllRanks)
    return;
  const uint32_t Why = enough(Phase);
  if (U.IsRank ? !allStop(Why != EK_ENDED_PROGRAM) : Why == EK_ENDED_PROGRAM)
    return;
  U.Why.store(Why, std::memory_order_relaxed);
  endHere();
}

bool ekrec::barrierReached(uint32_t Phase, uint32_t Number, uint32_t Width) {
  if (U.IsRank)
    return true;
  if (!Number && !U.StopPhase.load(std::memory_order_relaxed) && Phase) {
    lookAt(Phase - 1);
    if (const uint32_t Why = enough(Phase - 1)) {
      U.Why.store(Why, std::memory_order_relaxed);
      U.Arrived.store(0, std::memory_order_relaxed);
      // Not this barrier: others may have come to it already.
      U.StopPhase.store(Phase + 1, std::memory_order_release);
    }
    return true;
  }
  if (U.StopPhase.load(std::memory_order_acquire) != Phase || !Phase)
    return true;
  if (Number) {
    U.Arrived.fetch_add(1, std::memory_order_acq_rel);
    while (!recordIsWritten())
      pauseMs(1);
    if (!U.Keep)
      park();
    return false;
  }
  auto AllAreHere = [&] {
    return U.Arrived.load(std::memory_order_acquire) + 1 >= Width;
  };
  for (int Ms = 0; !AllAreHere(); ++Ms) {
    if (Ms >= LongestWaitMs) {
      count(Why::UnfinishedTask);
      break;
    }
    pauseMs(1);
  }
  endHere(AllAreHere());
  return false;
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
