//===- Ending.cpp - the end of a recorded process -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the ways in which a process ends, on which thread, and that only the
// original process has a record.
// Makes: the record, once. Any thread may end the process: it closes the first
// thread's tasks, while the first thread waits, in the program or when it next
// calls the recorder.
// Not here: tasks of a team that is still running (counted).
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "Ending.h"
#include "Until.h"
#include "core/leave.h"
#include "core/text.h"
#include "core/tuning.h"
#include "record/abi/record_abi.h"
#include "record/files/Stream.h"
#include "record/files/Walks.h"
#include "record/host/Report.h"
#include "record/objects/Arena.h"
#include "record/races/Races.h"
#include "record/tasks/FirstThread.h"
#include "record/tasks/Frame.h"
#include "record/tasks/RunningTasks.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

using namespace ekrec;

static std::atomic<pid_t> Ender; // the thread that ends the process
static std::atomic<bool> Over;   // nothing will be written any more

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

/// Closes the record: nothing is added from here on. \p Between: no task runs.
static void closeRecord(bool Between) {
  Recorder &R = TheRecorder;
  const bool InTeam = !Between && R.InParallel.load(std::memory_order_acquire);
  const bool Others = !Between && !State.Main && !InTeam;
  if (InTeam)
    count(Why::UnfinishedTask);
  endTasks();
  if (Others)
    closeFirstThread();
  R.Closed.store(true);
  closeSpace(/*Child=*/false);
  for (Log *L = R.Logs.load(); L; L = L->NextLog)
    L->settle();
  if (Others)
    letFirstThreadGo();
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
  const ek_raw_ended Ended = howEnded();
  writeStream(FromStart, MayEndEarly ? &Ended : nullptr);
  summarise();
}

static void finish(bool Between) {
  if (!TheRecorder.Ready || Over.load())
    return;
  const pid_t Self = ownThread();
  pid_t Nobody = 0;
  if (!Ender.compare_exchange_strong(Nobody, Self)) {
    // Another thread is ending the process: this one must not end it before the
    // record is written. A signal handler must not wait for its own thread.
    constexpr int Longest = EK_LONGEST_END_S * 1000; // milliseconds
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

// For leave.c: the program ends without running exit handlers.
static void lastWords() { finish(/*Between=*/false); }
static void stays() {} // a record ends once

extern "C" void __ek_rec_ends(void) { ek_leave_words(); }

/// Launchers end ranks like this when one of them calls MPI_Abort, and
/// `evenkeel record` a process that runs for too long.
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

// daemon() ends the process inside the C library; the program continues in a
// child.
extern "C" int daemon(int StayHere, int KeepFiles) {
  if (TheRecorder.Ready && !Over.load()) {
    report(
        "the program continues as a daemon, which is not recorded: the record "
        "ends here; let it stay in the foreground to record all of it");
    ek_leave_words();
  }
  return NextDaemon(StayHere, KeepFiles);
}

void ekrec::watchForEnd() {
  watchFirstThread();
  ek_text_start();
  NextDaemon = reinterpret_cast<DaemonType>(dlsym(RTLD_NEXT, "daemon"));
  pthread_atfork(nullptr, nullptr, inChild);
  atexit(finishAtExit);
  ek_leave_start(lastWords, stays);
  watchForLauncher();
}
