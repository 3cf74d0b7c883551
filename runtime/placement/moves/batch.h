/*===- batch.h - one batch of pages -------------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the lock of placement guards everything but the batch itself: room in
 * the target tier is taken before it and what did not arrive is given back, so
 * that the books are right at any time and nothing is in a tier twice. An
 * object that is freed meanwhile waits for one batch and leaves (cancellation).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_BATCH_H
#define EVENKEEL_RUNTIME_BATCH_H

#include "objects/record.h"
#include "placement/look.h"
#include "providers/provider.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a pass has left to do with. */
typedef struct ek_pass {
  size_t budget;  /* bytes that may still move */
  bool beside;    /* on a thread of its own */
  bool no_memory; /* the fast nodes have less room than the books */
  bool cancelled;
  size_t looked_at;        /* pages */
  uint64_t started, moved; /* for the rate; bytes */
} ek_pass;

/* The system forbids to move pages, for good. */
extern bool ek_batch_refused;
/* Passes are to end after the batch that is under way. */
extern int ek_batch_stop;

/* Monotonic. */
uint64_t ek_batch_ns(void);

/* All: under the lock, which is given back meanwhile. False: the object is
 * gone, or the pass has to end. */

#define EK_ELSEWHERE EK_MAX_TIERS
/* Moves those of the pages in ask[] that lie in \p from (or, where that is
 * EK_ELSEWHERE, not in \p to) as far as room and budget reach. *left: pages
 * that stay where they are. */
bool ek_batch_move(ek_object *o, void **ask, size_t count, unsigned from,
                   unsigned to, ek_pass *p, size_t *left, size_t *moved_out);
/* Tiers of pages. */
bool ek_batch_look(ek_object *o, void **ask, size_t count, int *tiers,
                   const ek_pass *p);
/* Looks at the object, or at some of its pages. */
bool ek_batch_glance(ek_object *o, ek_pass *p, ek_look *seen);

#ifdef __cplusplus
}
#endif
#endif
