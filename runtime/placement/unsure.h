/*===- unsure.h - objects that a plan may mistake -----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a plan means the object that the same calls made on the base input.
 * Makes: counts of the objects for which that is not sure, or which the plan
 * does not mean although it has their site.
 * Leaves out: which entry an object gets (plan.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_UNSURE_H
#define EVENKEEL_RUNTIME_UNSURE_H

#include "objects/object.h"
#include "placement/plan.h"

/* Of a new object that \p plan, which is carried out, has \p entry for; NULL:
 * it has none. */
void ek_unsure_count(const ek_plan *plan, const ek_plan_object *entry,
                     const ek_object *o);

#endif
