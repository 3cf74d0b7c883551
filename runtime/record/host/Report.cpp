//===- Report.cpp - one line per kind of problem --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: the recorder's lines on stderr, and its counts per reason.
//===----------------------------------------------------------------------===//
#include "Report.h"
#include "core/say.h"
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <unistd.h>

using namespace ekrec;

void ekrec::report(const char *Format, ...) {
  if (!ek_say_may())
    return;
  char Line[512];
  int N = snprintf(Line, sizeof Line, "evenkeel: record: ");
  va_list Args;
  va_start(Args, Format);
  int M = vsnprintf(Line + N, sizeof Line - N - 1, Format, Args);
  va_end(Args);
  if (M < 0)
    return;
  N += M;
  if (N > static_cast<int>(sizeof Line) - 2)
    N = sizeof Line - 2;
  Line[N++] = '\n';
  if (write(STDERR_FILENO, Line, N) < 0)
    return; // there is no other channel
}

static std::atomic<uint64_t> Counts[static_cast<unsigned>(Why::Number)];

static const struct {
  const char *Name, *Line;
} Reasons[] = {
    {"arena-refused", "fixed addresses for a thread's blocks are not free; the "
                      "C library serves them and they are not tracked"},
    {"arena-full", "a block does not fit a thread's address range; the C "
                   "library serves it and it is not tracked"},
    {"foreign-thread", "a thread outside OpenMP teams runs recorded code; its "
                       "objects are recorded, its accesses are not"},
    {"other-team", "a thread outside OpenMP teams has a team of its own beside "
                   "the program's; their tasks may be mixed up"},
    {"nested-parallel", "an inner parallel region is recorded as part of the "
                        "outer task"},
    {"image-refused", "too many libraries with static arrays; those of the "
                      "last ones are not tracked"},
    {"forked-child", "a forked child is not recorded"},
    {"unfinished-task", "the program ended inside a parallel region; its "
                        "unfinished tasks are missing"},
    {"no-memory", "no memory for the record; rows are missing"},
    {"mixed-units", "the program has units built with --record=counts and "
                    "others; nothing is recorded: build all of them with one "
                    "--record"},
    {"not-interposed", "the process's free() is not the recorder's, as in a "
                       "program that was not built with --record; nothing is "
                       "recorded"},
};

void ekrec::count(Why W) {
  unsigned I = static_cast<unsigned>(W);
  if (Counts[I].fetch_add(1, std::memory_order_relaxed) == 0)
    report("%s: %s", Reasons[I].Name, Reasons[I].Line);
}

uint64_t ekrec::counted(Why W) {
  return Counts[static_cast<unsigned>(W)].load(std::memory_order_relaxed);
}

const char *ekrec::reasonName(Why W) {
  return Reasons[static_cast<unsigned>(W)].Name;
}
