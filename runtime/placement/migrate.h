/*===- migrate.h - moving pages while the program runs ------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a pass brings pages to where they are wanted: objects whose plan has
 * changed with the phase, objects that fell short, and, where the fast tier is
 * full, objects worth less that make room. A hook starts a pass; a helper
 * thread carries it out while the program computes. Addresses never change; a
 * page that the system does not move stays where it was and is counted. Leaves
 * out: what is wanted (plan.h) and the books (place.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_MIGRATE_H
#define EVENKEEL_RUNTIME_MIGRATE_H

#include "objects/object.h"

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Nonzero when a pass has something to do. */
extern int ek_migrate_pending;

/* To be called at a hook by one thread if ek_migrate_pending: wakes the helper,
 * or makes the pass itself where there is none. */
void ek_migrate_at_hook(void);
/* A phase has begun: the plan may want other shares. */
void ek_migrate_phase(uint32_t phase);
/* Pages came to lie where nobody has looked yet. */
void ek_migrate_look(void);
/* There is something to plan again: the next pass begins with that. */
void ek_migrate_replan(void);
/* One pass, here and now; returns when it is done. */
void ek_migrate_pass(void);

/* Returns once all that hooks have asked for so far is done. */
void ek_migrate_wait(void);

/* Under the lock of place.h, which is \p lock: returns once no page of \p o is
 * on the move; none will be, until o->leaving is cleared. */
void ek_migrate_leave(ek_object *o, pthread_mutex_t *lock);

/* Ends the helper after the batch that is under way. */
void ek_migrate_stop(void);
/* Around fork, under the lock of place.h. */
void ek_migrate_fork_wait(pthread_mutex_t *lock);
void ek_migrate_forked(void);

#ifdef __cplusplus
}
#endif
#endif
