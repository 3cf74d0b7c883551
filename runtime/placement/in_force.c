/*===- in_force.c - the plan in force -----------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See in_force.h.
 *===----------------------------------------------------------------------===*/
#include "placement/in_force.h"
#include "core/options.h"
#include "core/stats.h"
#include "placement/groups.h"
#include "placement/kept.h"
#include "ranks/rank.h"

#include <stdio.h>
#include <stdlib.h>

ek_plan *ek_plan_now;
uint32_t ek_plan_rank;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void ek_place_lock(void) { pthread_mutex_lock(&lock); }
void ek_place_unlock(void) { pthread_mutex_unlock(&lock); }

void ek_place_wait(pthread_cond_t *what) { pthread_cond_wait(what, &lock); }

void ek_place_plan(ek_plan *plan) {
  ek_plan_rank = ek_rank();
  void *memory = plan ? ek_groups_memory(plan, false) : NULL;
  if (plan && !memory)
    return; /* run without a plan */
  pthread_mutex_lock(&lock);
  ek_kept_drop_all(); /* extents placed by the old plan */
  void *old = ek_groups_take(plan, false, memory);
  ek_plan_now = plan;
  pthread_mutex_unlock(&lock);
  free(old);
}

bool ek_place_add_groups(ek_plan *plan) {
  /* No other thread changes the number of groups meanwhile. */
  void *memory = ek_groups_memory(plan, true);
  if (!memory)
    return false;
  pthread_mutex_lock(&lock);
  void *old = ek_groups_take(plan, true, memory);
  pthread_mutex_unlock(&lock);
  free(old);
  return true;
}

void ek_place_launched(uint32_t ranks) {
  ek_plan *plan = ek_plan_now;
  unsigned planned = plan && plan->rank_count ? (unsigned)plan->rank_count : 1;
  if (!plan || !ranks || ranks == planned || ek_get(why[EK_WHY_other_ranks]))
    return;
  ek_plan_drop(plan);
  ek_count(EK_WHY_other_ranks, 1);
  if (ek_rank() == 0)
    fprintf(stderr,
            "evenkeel: %s: other-ranks: made for %u rank%s, not for %u: "
            "first touch is kept; record a base run with %u and plan again\n",
            ek_opt.plan, planned, planned == 1 ? "" : "s", ranks, ranks);
}
