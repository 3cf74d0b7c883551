/*===- moving.h - state of migration ------------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the object whose pages a batch is moving, which must not be freed
 * meanwhile; and the work of the next pass.
 * Not here: passes and batches (moves/).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_MOVING_H
#define EVENKEEL_RUNTIME_MOVING_H

#include "objects/record.h"
#include "placement/walk.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Nonzero if a pass has work to do. */
extern int ek_migrate_pending;

/* Reports that a phase has begun: the plan may change shares. */
void ek_migrate_phase(uint32_t phase);
/* Reports newly placed pages that no look has checked yet. */
void ek_migrate_look(void);
/* Requests planning again: the next pass begins with it. */
void ek_migrate_replan(void);

/* --- for passes ------------------------------------------------------------
 */

/* Records that a pass has work to do. */
void ek_moving_pending(void);
/* The plan's current phase: changes up to it are due. */
uint32_t ek_moving_phase(void);
/* Whether planning again was requested since the last call. */
bool ek_moving_replans(void);
/* A look found untouched pages: schedules another look, after a number of
 * phases that doubles each time until another object is placed. */
void ek_moving_look_later(void);
/* Whether that phase has come; true only once. */
bool ek_moving_looks_again(void);

/* Under the lock of placement. */
extern struct ek_moving {
  ek_object *current; /* the object that the pass is moving */
  ek_object *waiting; /* the object for which the pass makes room */
  struct {            /* where a pass stopped that had used up its budget */
    ek_object *object;
    ek_walk walk;
  } resume;
  bool busy; /* a batch of `current` is moving, without the lock */
} ek_moving;

/* Under the lock: waits until no page of \p o is moving. None will move until
 * o->leaving is cleared. */
void ek_moving_leave(ek_object *o);
/* Enclose a batch of \p o: begin releases the lock, end takes it again. */
void ek_moving_begin(ek_object *o);
void ek_moving_end(void);

/* Around fork: fork_wait, with the lock, waits until no page is moving; forked
 * resets the state in the child. */
void ek_moving_fork_wait(void);
void ek_moving_forked(void);

#ifdef __cplusplus
}
#endif
#endif
