/*===- moving.h - what is on the move, and what is to be ----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the object whose pages a batch is moving, which must not be given back
 * meanwhile; and what the next pass has to do.
 * Leaves out: passes and batches (moves/).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_MOVING_H
#define EVENKEEL_RUNTIME_MOVING_H

#include "objects/record.h"
#include "placement/walk.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Nonzero when a pass has something to do. */
extern int ek_migrate_pending;

/* A phase has begun: the plan may want other shares. */
void ek_migrate_phase(uint32_t phase);
/* Pages came to lie where nobody has looked yet. */
void ek_migrate_look(void);
/* There is something to plan again: the next pass begins with that. */
void ek_migrate_replan(void);

/* --- for passes ------------------------------------------------------------
 */

/* A pass has something to do. */
void ek_moving_pending(void);
/* The phase of the plan: changes up to it are due. */
uint32_t ek_moving_phase(void);
/* Somebody has asked to plan again, since the last call. */
bool ek_moving_replans(void);
/* Pages were not touched when a look came: at which phase to look again is
 * kept, after a pause that doubles until another object is placed. */
void ek_moving_look_later(void);
/* That phase has come; once. */
bool ek_moving_looks_again(void);

/* Under the lock of placement. */
extern struct ek_moving {
  ek_object *current; /* the pass is at it */
  ek_object *waiting; /* the pass makes room for it */
  struct {            /* where a pass ended that had used up its budget */
    ek_object *object;
    ek_walk walk;
  } resume;
  bool busy; /* a batch of it is under way, without the lock */
} ek_moving;

/* Under the lock: returns once no page of \p o is on the move; none will be,
 * until o->leaving is cleared. */
void ek_moving_leave(ek_object *o);
/* Around a batch of \p o, which gives the lock back. */
void ek_moving_begin(ek_object *o);
void ek_moving_end(void);

/* Around fork: with the lock, returns once no page is on the move; in the
 * child. */
void ek_moving_fork_wait(void);
void ek_moving_forked(void);

#ifdef __cplusplus
}
#endif
#endif
