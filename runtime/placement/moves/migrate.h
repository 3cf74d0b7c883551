/*===- migrate.h - moving pages while the program runs ------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a pass moves pages to the tier where they are wanted: of objects whose
 * share changed with the phase; of objects that found too little room; and, if
 * the fast tier is full, of objects that gain less and make room. A hook starts
 * a pass, and a helper thread carries it out while the program computes.
 * Addresses never change. A page that the system does not move stays where it
 * was and is counted.
 * Not here: what is wanted (plan.h), and the accounts (books.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_MIGRATE_H
#define EVENKEEL_RUNTIME_MIGRATE_H

#include "placement/moving.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Called at a hook, by one thread, if ek_migrate_pending: wakes the helper, or
 * runs the pass itself if there is none. Preserves errno. */
void ek_migrate_at_hook(void);
/* Runs one pass on the calling thread, unless another pass is running. */
void ek_migrate_pass(void);

/* Waits until everything that hooks requested so far is done. */
void ek_migrate_wait(void);

/* Ends the helper after the current batch. */
void ek_migrate_stop(void);
/* Resets the state in a forked child. */
void ek_migrate_forked(void);

#ifdef __cplusplus
}
#endif
#endif
