/*===- pass.h - one pass over misplaced pages ---------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the order of a pass. First, pages that the plan no longer wants leave
 * the fast tier; in between, pages of the objects of most worth take the room
 * that they leave. Then objects are promoted by descending worth; if the tier
 * is full, pages of clearly lower worth are moved out first.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_PASS_H
#define EVENKEEL_RUNTIME_PASS_H

#include "placement/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs one pass; callers serialize. \p beside: on the migration thread. */
void ek_pass_run(bool beside);

/* Sets the function that plans again, which a pass calls first if that was
 * requested. It returns the new plan, or NULL. */
void ek_pass_plan_by(ek_plan *(*again)(void));

#ifdef __cplusplus
}
#endif
#endif
