/*===- work_clock.h - a clock of work, not of time ----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A program with this file gives the runtime a clock that advances only by the
 * work that the calling thread reports: then the runtime's times do not depend
 * on how busy the computer is. All other code has the real clock. With
 * WORK_CLOCK_FREE_LOOKS the clock does not count the processor time of the
 * runtime's planning either, which is long in a sanitizer's build and in a
 * guest whose host is busy. For the runtime's own threads the clock never
 * advances: a bound on the rate of moves (EVENKEEL_MIGRATE_RATE) would make
 * them wait for ever.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_TEST_RUNTIME_WORK_CLOCK_H
#define EVENKEEL_TEST_RUNTIME_WORK_CLOCK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "evenkeel/ek.h"
#include <dlfcn.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
#define WORK_CLOCK_THROW noexcept
extern "C" {
#else
#define WORK_CLOCK_THROW
#endif

static __thread uint64_t work_clock_ns;

static inline void clock_work(uint64_t ns) { work_clock_ns += ns; }

/* Interposes the C library's function, also for the runtime. */
__attribute__((visibility("default"))) int
clock_gettime(clockid_t id, struct timespec *t) WORK_CLOCK_THROW {
  struct dl_find_object caller, runtime;
#ifdef WORK_CLOCK_FREE_LOOKS
  const int mine = id == CLOCK_MONOTONIC || id == CLOCK_THREAD_CPUTIME_ID;
#else
  const int mine = id == CLOCK_MONOTONIC;
#endif
  if (mine && _dl_find_object(__builtin_return_address(0), &caller) == 0 &&
      _dl_find_object((void *)&ek_sync, &runtime) == 0 &&
      caller.dlfo_map_start == runtime.dlfo_map_start) {
    t->tv_sec = (time_t)(work_clock_ns / 1000000000);
    t->tv_nsec = (long)(work_clock_ns % 1000000000);
    return 0;
  }
  return (int)syscall(SYS_clock_gettime, id, t);
}

#ifdef __cplusplus
}
#endif
#endif
