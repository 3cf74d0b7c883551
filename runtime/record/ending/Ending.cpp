//===- Ending.cpp - how a recorded process ends ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the ends of a process, which thread meets the end, and that only the
// process that was started has a record.
// Makes: the record, once. Any thread may end the process: the first thread's
// tasks are closed by that thread, while the first one waits, be it in the
// program or where it comes by the recorder.
// Not here: tasks of a team that is still running (counted).
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "Until.h"
#include "core/leave.h"
#include "core/text.h"
#include "record/abi/record_abi.h"
#include "record/files/Walks.h"
#include "record/host/Report.h"
#include "record/tasks/Recorder.h"
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace ekrec;

static std::atomic<pid_t> Ender; // the thread that ends the process
static std::atomic<bool> Over;   // nothing will be written any more
static pid_t FirstId;

static pid_t ownId() { return static_cast<pid_t>(syscall(SYS_gettid)); }

//===----------------------------------------------------------------------===//
// The first thread's tasks
//===----------------------------------------------------------------------===//

namespace {
/// Recorder::Ending: what becomes of the first thread.
enum : uint32_t {
  GoesOn,
  IsToWait, // another thread ends the process
  Waits,    // it came by, and does nothing until
  MayGoOn   // its tasks are closed
};
} // namespace

void ekrec::waitForEnd() {
  std::atomic<uint32_t> &Ending = TheRecorder.Ending;
  uint32_t Now = IsToWait;
  Ending.compare_exchange_strong(Now, Waits);
  while (Ending.load(std::memory_order_acquire) == Waits)
    usleep(1000);
}

/// Does the kernel have the thread waiting, or has it ended? False also where
/// nobody tells.
static bool isBlocked(pid_t Thread) {
  char Text[512];
  snprintf(Text, sizeof Text, "/proc/self/task/%d/stat",
           static_cast<int>(Thread));
  int Fd = open(Text, O_RDONLY | O_CLOEXEC);
  if (Fd < 0)
    return false;
  ssize_t N = read(Fd, Text, sizeof Text - 1);
  close(Fd);
  Text[N > 0 ? N : 0] = 0;
  const char *Name = strrchr(Text, ')'); // which may have any characters
  return Name && strchr("SZXtT", Name[1] ? Name[2] : 'R');
}

/// Until the first thread is where it does not change its tasks. One that
/// neither comes by nor waits runs other code, or hits its first-level cache
/// alone.
static void holdFirst() {
  constexpr int Milliseconds = 2000;
  std::atomic<uint32_t> &Ending = TheRecorder.Ending;
  Ending.store(IsToWait, std::memory_order_seq_cst);
  for (int I = 0; I < Milliseconds; ++I) {
    if (Ending.load(std::memory_order_acquire) == Waits || isBlocked(FirstId))
      return;
    usleep(1000);
  }
}

/// Closes the first thread's tasks as if that did it. It goes on with frames
/// of which nothing is written any more.
static void closeFirst() {
  const ThreadState Own = State;
  State = *TheRecorder.First;
  endTasks();
  State = Own;
}

//===----------------------------------------------------------------------===//
// The record
//===----------------------------------------------------------------------===//

static void summarise() {
  uint64_t Tracked = 0, Untracked = 0;
  for (const Log *L = TheRecorder.Logs.load(); L; L = L->NextLog) {
    Tracked += L->Tracked;
    Untracked += L->Untracked;
  }
  if (TheRecorder.Opts.Rate != 1)
    report("sampled: about %llu accesses recorded; those outside known objects "
           "and code built without the pass are not seen",
           static_cast<unsigned long long>(Tracked));
  else
    report("%llu accesses recorded, %llu outside known objects; code built "
           "without the pass is not seen",
           static_cast<unsigned long long>(Tracked),
           static_cast<unsigned long long>(Untracked));
  RaceCount Found = racesFound();
  if (Found.Races)
    report("data races: %llu pairs of places touch the same bytes in a phase, "
           "one of them writes, and nothing orders them: the record may depend "
           "on how threads were scheduled",
           static_cast<unsigned long long>(Found.Races));
  if (Found.Doubtful)
    report("possible data races: %llu pairs of places in regions whose atomic "
           "operations or flushes may order them",
           static_cast<unsigned long long>(Found.Doubtful));
  for (unsigned I = 0; I < static_cast<unsigned>(Why::Number); ++I)
    if (uint64_t N = counted(static_cast<Why>(I)))
      report("%s: %llu times", reasonName(static_cast<Why>(I)),
             static_cast<unsigned long long>(N));
}

/// Nothing is added to the record from here on. \p Between: no task runs.
static void closeRecord(bool Between) {
  Recorder &R = TheRecorder;
  const bool InTeam = !Between && R.InParallel.load(std::memory_order_acquire);
  const bool Others = !Between && !State.Main && !InTeam;
  if (InTeam)
    count(Why::UnfinishedTask);
  endTasks();
  if (Others) {
    holdFirst();
    closeFirst();
  }
  R.Closed.store(true);
  closeSpace(/*Child=*/false);
  for (Log *L = R.Logs.load(); L; L = L->NextLog)
    L->settle();
  if (Others)
    R.Ending.store(MayGoOn, std::memory_order_release);
}

static void write() {
  if (writeWalks())
    return;
  const char *Path = getenv("EVENKEEL_RAW");
  char FromStart[4096];
  if (!Path || !*Path) {
    report("EVENKEEL_RAW is not set: nothing is written; run the program "
           "through `evenkeel record`");
    return;
  }
  if (!ek_text_from_start(FromStart, sizeof FromStart, Path)) {
    report("cannot write %s: %s", Path, strerror(errno));
    return;
  }
  writeStream(FromStart);
  summarise();
}

static void finish(bool Between) {
  if (!TheRecorder.Ready || Over.load())
    return;
  const pid_t Self = ownId();
  pid_t Nobody = 0;
  if (!Ender.compare_exchange_strong(Nobody, Self)) {
    // Another thread ends the process, too: it must not end before the record
    // is there. A signal handler that interrupted us must not wait for us.
    constexpr int Longest = 300 * 1000; // milliseconds, as in leave.c
    for (int I = 0; Nobody != Self && I < Longest && !Over.load(); ++I)
      usleep(1000);
    return;
  }
  closeRecord(Between);
  write();
  Over.store(true);
}

static void finishAtExit() { finish(/*Between=*/false); }

void ekrec::endRecord() { finish(/*Between=*/true); }
bool ekrec::recordIsWritten() { return Over.load(); }

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

// For leave.c: the program ends without running handlers of exit.
static void lastWords() { finish(/*Between=*/false); }
static void stays() {} // a record ends once

extern "C" void __ek_rec_ends(void) { ek_leave_words(); }

/// A launcher ends ranks like this when one of them called MPI_Abort, and
/// `evenkeel record` who goes on for too long.
static void terminated(int Signal) {
  if (MayEndEarly)
    cutOff();
  ek_leave_words();
  signal(Signal, SIG_DFL);
  raise(Signal);
}

static void watchForLauncher() {
  struct sigaction Old;
  if ((isRank() || MayEndEarly) && sigaction(SIGTERM, nullptr, &Old) == 0 &&
      !(Old.sa_flags & SA_SIGINFO) && Old.sa_handler == SIG_DFL)
    signal(SIGTERM, terminated);
}

static void inChild() {
  if (Over.load())
    return;
  TheRecorder.Closed.store(true);
  closeSpace(/*Child=*/true);
  Over.store(true);
  State.runs(nullptr);
  count(Why::ForkedChild);
}

using DaemonType = int (*)(int, int);
static DaemonType NextDaemon;

// The C library ends the process inside of it; the program goes on in a child.
extern "C" int daemon(int StayHere, int KeepFiles) {
  if (TheRecorder.Ready && !Over.load()) {
    report("the program goes on as a daemon, which is not recorded: the record "
           "ends here; let it stay in the foreground to record all of it");
    ek_leave_words();
  }
  return NextDaemon(StayHere, KeepFiles);
}

void ekrec::watchForEnd() {
  FirstId = ownId();
  ek_text_start();
  NextDaemon = reinterpret_cast<DaemonType>(dlsym(RTLD_NEXT, "daemon"));
  pthread_atfork(nullptr, nullptr, inChild);
  atexit(finishAtExit);
  ek_leave_start(lastWords, stays);
  watchForLauncher();
}
