/*===- unsure.h - objects that a plan may confuse -----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: an entry of a plan means the object that the same calls allocated in
 * the base run.
 * Makes: counts of objects for which that is uncertain, and of objects that
 * have no entry although the plan has their site.
 * Not here: which entry an object gets (plan.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_UNSURE_H
#define EVENKEEL_RUNTIME_UNSURE_H

#include "objects/object.h"
#include "placement/plan.h"

/* Counts a new object; \p entry is its entry in \p plan, the plan in force, or
 * NULL. */
void ek_unsure_count(const ek_plan *plan, const ek_plan_object *entry,
                     const ek_object *o);

#endif
