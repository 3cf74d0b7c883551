/*===- replan.h - another plan for the rest of the run ------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: from what the plan carries (profiles/format/Replan.h), real sizes and
 * measured times, the planner library says which moves shorten the rest of the
 * run by clearly more than they cost; the cost of a page is what moves have
 * taken so far. Runs where pages move, never in a hook's way, and its own
 * memory is slow memory. What it promised is compared with what phases then
 * take: where two plans together did not help, it stops. What comes beyond the
 * promise has another cause, and says nothing of the plan. Times are compared
 * only on the plan's own machine. Under a plan for several ranks the first rank
 * of the node does so for all, with what they write on the board (board.h), and
 * the others follow.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_REPLAN_H
#define EVENKEEL_RUNTIME_REPLAN_H

#include "hooks/replan/report.h"
#include "placement/plan.h"

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

#ifdef __cplusplus
}
#endif
#endif
