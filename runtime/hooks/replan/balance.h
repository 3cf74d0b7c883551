/*===- balance.h - task times compared with the plan --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the current phase of the plan (hooks identify it by the ids that end
 * phases), the time each thread of a team took in it, and when the times differ
 * enough from the plan to plan again (replan.h). Times are compared only if
 * EVENKEEL_BALANCE asks for it and this is the plan's machine; object sizes and
 * values (values.h) that differ from the plan are another reason. In any case
 * planning takes a small share of the run's time. A hook sums what threads have
 * stored; it takes no lock, allocates nothing and does not plan.
 * Under a plan for several ranks the times are those of each rank between two
 * collectives, and the first rank of the node compares them (board.h).
 * Of explicit tasks, whose numbers a run does not know, the sums of each region
 * are compared.
 * Not here: nested teams; explicit tasks under a plan for several ranks.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_BALANCE_H
#define EVENKEEL_RUNTIME_BALANCE_H

#include "hooks/replan/times.h"
#include "placement/plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Starts the clock, at the beginning of the program. */
void ek_balance_start(void);
/* The key of the current interval between hooks; each hook increments it. A
 * task uses the key at its begin plus the number of its team's hooks passed. */
uint64_t ek_balance_key(void);
/* This rank waited \p ns for others since the last phase ended. */
void ek_balance_waited(uint64_t ns);

/* Handles a hook that ends a phase, on one thread: thread 0 of the outermost
 * team, or (\p serial) a thread outside all teams. Returns whether the run
 * should look at the plan. */
bool ek_balance_hook(uint64_t id, bool serial);
/* The program has handed over the values of the next region, outside all
 * teams; \p news: one is not as expected. Returns whether the run should look
 * at the plan: looks that were due at the last hook wait for such values. */
bool ek_balance_values(bool news);
/* In a forked child: no other thread is in a hook. */
void ek_balance_forked(void);
/* The plan's phase up to which changes may be applied now. */
uint32_t ek_balance_phase(void);

/* --- for replan.cpp; callers serialize ------------------------------------ */

typedef struct ek_measured {
  size_t step;    /* of the plan */
  size_t count;   /* threads or ranks; 0: not as many as in the plan */
  bool departed;  /* this phase, or one before it since the last look */
  bool of_kinds;  /* the times are those of the step's kinds of explicit tasks,
                     for as many as in the plan; count: kinds */
  double longest; /* seconds of the slowest */
  const double *seconds;
} ek_measured;
/* Takes the oldest phase that has ended and was not taken; false: none. *out is
 * valid until the next call. */
bool ek_balance_take(ek_measured *out);
/* A look at the plan took \p ns of CPU time. \p planned: it planned, rather
 * than only judge the last plan, which says nothing about the cost of planning.
 * \p changed: the plan is a new one. */
void ek_balance_looked(uint64_t ns, bool planned, bool changed);
/* Ends all looks. */
void ek_balance_stop(void);
/* Whether task times are compared; and the end of that, because this is not the
 * plan's machine. */
bool ek_balance_by_times(void);
void ek_balance_other_machine(void);
/* Whether the run can afford to plan once more. */
bool ek_balance_affords(void);
/* Adds the estimated gain of a plan so far. */
void ek_balance_gained(double seconds);

/* --- for the summary ------------------------------------------------------ */

typedef struct ek_phase_sum { /* all phases that one hook ends */
  uint64_t sync, times;
  double predicted_s, measured_s;
} ek_phase_sum;
/* Returns the number of sums, sorted by first phase; the caller frees *out. */
size_t ek_balance_phases(ek_phase_sum **out);

#ifdef __cplusplus
}
#endif
#endif
