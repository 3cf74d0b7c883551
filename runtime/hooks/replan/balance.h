/*===- balance.h - what tasks take, against the plan --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: which phase of the plan runs (hooks tell it by the ids that end
 * phases), what each thread of a team took in it, and when that departs from
 * the plan by enough to plan again (replan.h): only where EVENKEEL_BALANCE asks
 * for it, and this is the machine of the plan. Sizes that are not as planned
 * are a reason by themselves. Either way planning takes a small share of the
 * run's time, whatever it promises. A hook adds up what threads left
 * behind: no lock, no memory, no planning.
 * Under a plan for several ranks it is what each rank took between two
 * collectives, and the first rank of the node compares (board.h).
 * Leaves out: explicit tasks, whose numbers a run does not know; nested teams.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_BALANCE_H
#define EVENKEEL_RUNTIME_BALANCE_H

#include "placement/plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The program begins. */
void ek_balance_start(void);
/* What ends a thread's part of a phase: hooks count it up. A task takes the
 * value it begins with, plus the hooks of its team that it passes. */
uint64_t ek_balance_key(void);
/* The calling thread, number \p thread of its team, took \p ns more in the part
 * \p key. */
void ek_balance_task(uint32_t thread, uint64_t key, uint64_t ns);

/* The calling rank waited so long for others, since the last phase ended. */
void ek_balance_waited(uint64_t ns);

/* A hook that ends a phase, passed by one thread: the elected one of the
 * outermost team, or one outside all teams. True: there is something to plan.
 */
bool ek_balance_hook(uint64_t id);
/* The phase of the plan up to which changes may be carried out by now. */
uint32_t ek_balance_phase(void);

/* --- for replan.cpp, one thread at a time --------------------------------- */

typedef struct ek_measured {
  size_t step;    /* of the plan */
  size_t count;   /* threads or ranks; 0: not all of the plan's */
  bool departed;  /* it, or one before it since the last look */
  double longest; /* seconds */
  const double *seconds;
} ek_measured;
/* The oldest phase that is over and was not yet taken; false: none. Valid until
 * the next call. */
bool ek_balance_take(ek_measured *out);
/* A look at the plan took so much CPU time. It \p planned, or only judged what
 * the last one did, which says nothing of what planning costs; and it changed
 * the plan, or not. */
void ek_balance_looked(uint64_t ns, bool planned, bool changed);
/* No more looks are wanted. */
void ek_balance_stop(void);
/* Whether tasks' times are looked at; and no more, as this is not the machine
 * of the plan. */
bool ek_balance_by_times(void);
void ek_balance_other_machine(void);
/* Whether the run can bear the price of one more plan. */
bool ek_balance_affords(void);
/* A plan has saved so much so far, as far as can be told. */
void ek_balance_gained(double seconds);

/* --- for the summary ------------------------------------------------------ */

typedef struct ek_phase_sum { /* of all phases that one hook ends */
  uint64_t sync, times;
  double predicted_s, measured_s;
} ek_phase_sum;
/* Sorted by first phase; free() it. Returns the number. */
size_t ek_balance_phases(ek_phase_sum **out);

#ifdef __cplusplus
}
#endif
#endif
