//===- FirstThread.cpp - the first thread is held at the end --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: see FirstThread.h.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "FirstThread.h"
#include "Recorder.h"
#include "RunningTasks.h"
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace ekrec;

static pid_t FirstId;

pid_t ekrec::ownThread() { return static_cast<pid_t>(syscall(SYS_gettid)); }

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
static void hold() {
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
static void closeTasks() {
  const ThreadState Own = State;
  State = *TheRecorder.First;
  endTasks();
  State = Own;
}

void ekrec::watchFirstThread() { FirstId = ownThread(); }

void ekrec::closeFirstThread() {
  hold();
  closeTasks();
}

void ekrec::letFirstThreadGo() {
  TheRecorder.Ending.store(MayGoOn, std::memory_order_release);
}
