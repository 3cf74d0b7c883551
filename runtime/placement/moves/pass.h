/*===- pass.h - one pass over what lies wrong ---------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the order of a pass: what the plan wants out of the fast tier, then
 * promotions by worth; where no room is left, pages worth clearly less go
 * first.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_PASS_H
#define EVENKEEL_RUNTIME_PASS_H

#include "placement/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One pass; one thread at a time. \p beside: on a thread of its own. */
void ek_pass_run(bool beside);

/* Who plans again, before a pass, where that was asked for: the plan from now
 * on, or NULL. */
void ek_pass_plan_by(ek_plan *(*again)(void));

#ifdef __cplusplus
}
#endif
#endif
