/*===- batch.h - moving one batch of pages ------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the lock of placement guards everything except the batch itself. Room
 * in the target tier is taken before the batch, and room for pages that did not
 * arrive is given back after it. So accounts are correct at any time, and never
 * exceed a tier. An object that is freed meanwhile waits for the end of one
 * batch, which then cancels its move.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_BATCH_H
#define EVENKEEL_RUNTIME_BATCH_H

#include "objects/record.h"
#include "placement/look.h"
#include "providers/provider.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The state of a pass. */
typedef struct ek_pass {
  size_t budget;  /* bytes that may still move */
  bool beside;    /* it runs on the migration thread */
  bool no_memory; /* the fast nodes have less room than the accounts say */
  bool cancelled;
  size_t looked_at; /* pages that looks have checked */
  size_t best;      /* no group before this waits for room */
  bool fills;       /* takes room between batches that leave */
  bool fills_no_more;
  uint64_t started, moved; /* for the rate; bytes */
} ek_pass;

/* The system forbids moving pages; no more are tried. */
extern bool ek_batch_refused;
/* Passes must end after the current batch. */
extern int ek_batch_stop;

/* Monotonic time in nanoseconds. */
uint64_t ek_batch_ns(void);

/* The functions below are called under the lock, and release it while they
 * work. They return false if the object is gone or the pass must end. */

#define EK_ELSEWHERE EK_MAX_TIERS
/* Moves those of the \p count pages in ask[] that lie in \p from (EK_ELSEWHERE:
 * that do not lie in \p to) to \p to, as far as room and budget allow. Adds
 * pages that did not move to *left, pages that did to *moved_out. */
bool ek_batch_move(ek_object *o, void **ask, size_t count, unsigned from,
                   unsigned to, ek_pass *p, size_t *left, size_t *moved_out);
/* Queries the tiers of pages. */
bool ek_batch_look(ek_object *o, void **ask, size_t count, int *tiers,
                   const ek_pass *p);
/* Queries the object's pages, or a sample of them. */
bool ek_batch_glance(ek_object *o, ek_pass *p, ek_look *seen);

#ifdef __cplusplus
}
#endif
#endif
