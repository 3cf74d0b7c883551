/*===- raw.h - system calls without a C library -------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the calls that the sampler's thread needs. It has no thread-local
 * storage of its own, so nothing that it calls may touch errno.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_RAW_H
#define EVENKEEL_RUNTIME_TOUCHES_RAW_H

#include "core/raw_call.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>

static inline long ek_raw3(long number, long a, long b, long c) {
  return ek_raw_call(number, a, b, c, 0, 0, 0);
}

static inline uint64_t ek_raw_ns(int clock) {
  struct timespec t = {0, 0};
  ek_raw3(SYS_clock_gettime, clock, (long)&t, 0);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Sleeps until \p word is no longer \p value, or for \p ns at most. */
static inline void ek_raw_wait(const uint32_t *word, uint32_t value,
                               uint64_t ns) {
  struct timespec t = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
  ek_raw_call(SYS_futex, (long)word, FUTEX_WAIT_PRIVATE, (long)value, (long)&t,
              0, 0);
}

static inline void ek_raw_wake(const uint32_t *word) {
  ek_raw3(SYS_futex, (long)word, FUTEX_WAKE_PRIVATE, 1 << 30);
}

/* A lock that the sampler shares with the program's threads. A thread that has
 * it takes no signals: a handler may fork, which needs the lock too. Signals
 * that tell of the thread's own faults stay. */
typedef struct ek_raw_lock_t {
  uint32_t word;
  uint64_t signals; /* blocked before, of the thread that has it */
} ek_raw_lock_t;

#define EK_SIGNAL(n) ((uint64_t)1 << ((n) - 1))
#define EK_FAULTS                                                              \
  (EK_SIGNAL(SIGSEGV) | EK_SIGNAL(SIGBUS) | EK_SIGNAL(SIGFPE) |                \
   EK_SIGNAL(SIGILL) | EK_SIGNAL(SIGTRAP) | EK_SIGNAL(SIGSYS))

static inline uint64_t ek_raw_signals(int how, uint64_t signals) {
  uint64_t before = 0;
  ek_raw_call(SYS_rt_sigprocmask, how, (long)&signals, (long)&before,
              sizeof signals, 0, 0);
  return before;
}

static inline void ek_raw_take(ek_raw_lock_t *lock) {
  const uint64_t signals = ek_raw_signals(SIG_BLOCK, ~EK_FAULTS);
  uint32_t free = 0;
  if (!__atomic_compare_exchange_n(&lock->word, &free, 1, false,
                                   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    while (__atomic_exchange_n(&lock->word, 2, __ATOMIC_ACQUIRE) != 0)
      ek_raw_wait(&lock->word, 2, 1000000000);
  lock->signals = signals;
}

static inline void ek_raw_give(ek_raw_lock_t *lock) {
  const uint64_t signals = lock->signals;
  if (__atomic_exchange_n(&lock->word, 0, __ATOMIC_RELEASE) == 2)
    ek_raw_wake(&lock->word);
  ek_raw_signals(SIG_SETMASK, signals);
}

#endif
