/*===- in_force.h - the plan in force -----------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: which plan is in force, and the lock of placement/.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_IN_FORCE_H
#define EVENKEEL_RUNTIME_IN_FORCE_H

#include "placement/plan.h"

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

extern ek_plan *ek_plan_now; /* NULL: none */
/* For threads other than the one that changes the plan (moves/pass.c). */
#define ek_plan_of_now() __atomic_load_n(&ek_plan_now, __ATOMIC_ACQUIRE)
/* The index of this process among the plan's ranks. */
extern uint32_t ek_plan_rank;

/* Puts \p plan in force; no object of an older plan may be left. */
void ek_place_plan(ek_plan *plan);
/* Adds the groups of a second plan. Called without the lock. Returns false if
 * there is no memory. */
bool ek_place_add_groups(ek_plan *plan);
/* Reports that the launch has \p ranks ranks; 0: unknown. A plan for another
 * number of ranks is dropped, and a line says so once. */
void ek_place_launched(uint32_t ranks);

void ek_place_lock(void);
void ek_place_unlock(void);
/* Waits for \p what; the caller holds the lock. */
void ek_place_wait(pthread_cond_t *what);

#ifdef __cplusplus
}
#endif
#endif
