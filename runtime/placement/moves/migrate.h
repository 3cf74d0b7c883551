/*===- migrate.h - moving pages while the program runs ------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a pass brings pages to where they are wanted: objects whose plan has
 * changed with the phase, objects that fell short, and, where the fast tier is
 * full, objects worth less that make room. A hook starts a pass; a helper
 * thread carries it out while the program computes. Addresses never change; a
 * page that the system does not move stays where it was and is counted. Leaves
 * out: what is wanted (plan.h) and the books (books.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_MIGRATE_H
#define EVENKEEL_RUNTIME_MIGRATE_H

#include "placement/moving.h"

#ifdef __cplusplus
extern "C" {
#endif

/* To be called at a hook by one thread if ek_migrate_pending: wakes the helper,
 * or makes the pass itself where there is none. */
void ek_migrate_at_hook(void);
/* One pass, here and now; returns when it is done. */
void ek_migrate_pass(void);

/* Returns once all that hooks have asked for so far is done. */
void ek_migrate_wait(void);

/* Ends the helper after the batch that is under way. */
void ek_migrate_stop(void);
/* In a child of fork. */
void ek_migrate_forked(void);

#ifdef __cplusplus
}
#endif
#endif
