//===- FirstThread.cpp - stopping the first thread at the end -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FirstThread.h.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "FirstThread.h"
#include "Recorder.h"
#include "RunningTasks.h"
#include "core/tuning.h"
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace ekrec;

static pid_t FirstId;

pid_t ekrec::ownThread() { return static_cast<pid_t>(syscall(SYS_gettid)); }

namespace {
/// Values of Recorder::Ending, the state of the first thread.
enum : uint32_t {
  Continues,
  IsToWait,   // another thread ends the process
  Waits,      // it is in the recorder, and does nothing until
  MayContinue // its tasks are closed
};
} // namespace

void ekrec::waitForEnd() {
  std::atomic<uint32_t> &Ending = TheRecorder.Ending;
  uint32_t Now = IsToWait;
  Ending.compare_exchange_strong(Now, Waits);
  while (Ending.load(std::memory_order_acquire) == Waits)
    usleep(1000);
}

/// Whether the kernel reports that the thread is blocked or has ended. False
/// also if that is unknown.
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
  const char *Name = strrchr(Text, ')'); // may contain any characters
  return Name && strchr("SZXtT", Name[1] ? Name[2] : 'R');
}

/// Waits until the first thread does not change its tasks. If it neither calls
/// the recorder nor blocks for EK_HELD_MS, it runs other code, or only hits in
/// its first-level cache.
static void hold() {
  std::atomic<uint32_t> &Ending = TheRecorder.Ending;
  Ending.store(IsToWait, std::memory_order_seq_cst);
  for (int I = 0; I < EK_HELD_MS; ++I) {
    if (Ending.load(std::memory_order_acquire) == Waits || isBlocked(FirstId))
      return;
    usleep(1000);
  }
}

/// Closes the first thread's tasks on its behalf. The first thread continues
/// with frames that are never written.
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
  TheRecorder.Ending.store(MayContinue, std::memory_order_release);
}
