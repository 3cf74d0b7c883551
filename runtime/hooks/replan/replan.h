/*===- replan.h - planning again for the rest of the run ----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: given the data in the plan (profiles/format/Replan.h), actual sizes
 * and measured times, the planner library finds moves that shorten the rest of
 * the run by clearly more than they cost; the cost per page is that of past
 * moves. This runs on the migration thread, not in a hook, and uses slow
 * memory. The predicted gain is compared with the phases that follow: if two
 * plans together did not help, it stops. A gain far beyond the prediction has
 * another cause and says nothing about the plan. Times are compared only on the
 * plan's machine.
 * Under a plan for several ranks the first rank of the node plans for all, from
 * what they write on the board (board.h), and the others follow.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_REPLAN_H
#define EVENKEEL_RUNTIME_REPLAN_H

#include "hooks/replan/report.h"
#include "placement/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns a plan that differs from ek_plan_now, or NULL. Callers serialize.
 * Throws nothing. */
ek_plan *ek_replan(void);
/* Joins the ranks that plan again together, once they are known; if they cannot
 * be, that is counted. */
void ek_replan_join(void);
/* Judges the last plan by the phases since then; at the end of the run. */
void ek_replan_end(void);

#ifdef __cplusplus
}
#endif
#endif
