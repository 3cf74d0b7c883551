/*===- in_force.h - the plan that is carried out ------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: which plan is in force, and the lock of all of placement.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_IN_FORCE_H
#define EVENKEEL_RUNTIME_IN_FORCE_H

#include "placement/plan.h"

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

extern ek_plan *ek_plan_now; /* NULL: none */
/* For threads other than the one that changes it (moves/pass.c). */
#define ek_plan_of_now() __atomic_load_n(&ek_plan_now, __ATOMIC_ACQUIRE)
/* Which of the plan's ranks this process is. */
extern uint32_t ek_plan_rank;

/* From here on this is the plan; objects of an older one are gone. */
void ek_place_plan(ek_plan *plan);
/* Takes the groups of another plan in beside those there are; without the lock.
 * False: no memory. */
bool ek_place_add_groups(ek_plan *plan);
/* The launch has \p ranks ranks; 0: not known. A plan for another number of
 * them is not carried out from here on, which is said once. */
void ek_place_launched(uint32_t ranks);

void ek_place_lock(void);
void ek_place_unlock(void);
/* With the lock: waits for \p what. */
void ek_place_wait(pthread_cond_t *what);

#ifdef __cplusplus
}
#endif
#endif
