/*===- raw.h - system calls without a C library -------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the kernel's calling conventions. The sampler's thread has no
 * thread-local storage of its own, so nothing that it calls may touch errno.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_RAW_H
#define EVENKEEL_RUNTIME_TOUCHES_RAW_H

#include <errno.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>

#if defined(__x86_64__) || defined(__aarch64__)
#define EK_RAW_CALLS 1
#else
#define EK_RAW_CALLS 0 /* no pages are watched on this processor */
#endif

/* The result, or minus an error number. */
static inline long ek_raw_call(long number, long a, long b, long c, long d,
                               long e, long f) {
#if defined(__x86_64__)
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8),
                     "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc 0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
#else
  return -ENOSYS;
#endif
}

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

/* A lock that the sampler shares with the program's threads. */
typedef uint32_t ek_raw_lock_t;

static inline void ek_raw_take(ek_raw_lock_t *lock) {
  uint32_t free = 0;
  if (__atomic_compare_exchange_n(lock, &free, 1, false, __ATOMIC_ACQUIRE,
                                  __ATOMIC_RELAXED))
    return;
  while (__atomic_exchange_n(lock, 2, __ATOMIC_ACQUIRE) != 0)
    ek_raw_wait(lock, 2, 1000000000);
}

static inline void ek_raw_give(ek_raw_lock_t *lock) {
  if (__atomic_exchange_n(lock, 0, __ATOMIC_RELEASE) == 2)
    ek_raw_wake(lock);
}

#endif
