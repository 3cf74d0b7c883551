/*===- replan.h - another plan for the rest of the run ------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: from what the plan carries (profiles/format/Replan.h), real sizes and
 * measured times, the planner library says which moves shorten the rest of the
 * run by clearly more than they cost; the cost of a page is what moves have
 * taken so far. Runs where pages move, never in a hook's way, and its own
 *memory is slow memory. What it promised is compared with what phases then
 *take: where two plans together did not help, it stops. What comes beyond the
 *promise has another cause, and says nothing of the plan. Times are compared
 *only on the plan's own machine. Under a plan for several ranks the first rank
 *of the node does so for all, with what they write on the board (board.h), and
 *the others follow.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_REPLAN_H
#define EVENKEEL_RUNTIME_REPLAN_H

#include "placement/plan.h"
#include "placement/unlike.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The plan from now on, if it is another one than ek_plan_now; or NULL. One
 * thread at a time. Never throws. */
ek_plan *ek_replan(void);
/* Ranks that are to plan again do so together: once they are known, or are
 * known not to be told of, which is counted. */
void ek_replan_join(void);
/* Judges the last plan by the phases since. */
void ek_replan_end(void);

typedef struct ek_replan_sum {
  uint64_t looks, plans, objects; /* of plans: entries that changed */
  double look_s;
  /* Of the phases after each plan, as parts of their time before: what was
   * promised, and what came of it; only of judged plans. */
  uint64_t judged;
  double promised, came;
  uint64_t incomparable; /* more came than was promised */
  bool stopped;
  uint64_t followed; /* plans of the node's first rank */
  /* Looks for what the plan does not know (unlike.h), and plans by them. */
  uint64_t unlike_looks, unlike_plans;
  ek_unlike_sum unlike; /* from ek_replan_end on */
  char why[160];        /* it could not plan, if it could not */
  /* JSON of what tasks took (profiles/format/SeenTypes.h), from
   * ek_replan_end on; or NULL: all took what the plan says. */
  char *seen;
} ek_replan_sum;
extern ek_replan_sum ek_replan_sums;

#ifdef __cplusplus
}
#endif
#endif
