/*===- times.h - times of threads and explicit tasks --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: how long each thread of a team, and its explicit tasks of each region,
 * took in an interval between hooks (ek_balance_task, ek_balance_explicit). A
 * thread writes to slots of its own, without locks; hooks sum them up.
 * Not here: the comparison with the plan (balance.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_REPLAN_TIMES_H
#define EVENKEEL_RUNTIME_REPLAN_TIMES_H

#include <stdint.h>

/* Threads that are timed, and regions whose explicit tasks a thread times in an
 * interval. */
enum { EK_TIMED_THREADS = 1024, EK_TASK_KINDS = 8 };

#ifdef __cplusplus
extern "C" {
#endif

/* Thread \p thread of its team took another \p ns in interval \p key.
 * Thread-safe. */
void ek_balance_task(uint32_t thread, uint64_t key, uint64_t ns);

/* On thread \p thread, an explicit task of \p region that began in interval
 * \p key took \p ns. Thread-safe. */
void ek_balance_explicit(uint32_t thread, uint64_t region, uint64_t key,
                         uint64_t ns);

/* The number of threads that took time in interval \p key. */
uint32_t ek_times_threads(uint64_t key);
/* The same; stores the seconds of thread t in \p seconds[t], if t is less than
 * \p count. */
uint32_t ek_times_take(uint64_t key, double *seconds, uint32_t count);
/* The seconds that explicit tasks of \p region took in interval \p key. Adds
 * their number to \p tasks. */
double ek_times_of_kind(uint64_t key, uint64_t region, uint64_t *tasks);
/* The number of threads that ran explicit tasks in interval \p key. */
uint32_t ek_times_kind_threads(uint64_t key);

#ifdef __cplusplus
}
#endif

#endif
