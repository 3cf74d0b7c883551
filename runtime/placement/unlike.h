/*===- unlike.h - phases and objects missing in the plan ----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a plan made from the beginning of a run, or from a small input, may
 * lack phases or objects that come later. From the first of these on, the kinds
 * of phases are counted: the sync points that end them and the regions they
 * execute.
 * Makes: these kinds, for planning again (replan.h) after 2, 4, 8, ... phases.
 * Not here: plans for several ranks, and plans that keep first touch although
 * not all data fits.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_UNLIKE_H
#define EVENKEEL_RUNTIME_UNLIKE_H

#include "placement/plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reports a new object that has no entry in the plan in force. */
void ek_unlike_object(void);
/* Reports a region that the calling thread ran; only for the first thread of a
 * team that is not nested. */
void ek_unlike_region(uint64_t id);
/* Reports that sync point \p id ended a phase. Returns whether this phase, or
 * an earlier one, is not in the plan. */
bool ek_unlike_phase(const ek_plan *plan, uint64_t id);
/* Counts that phase, which had \p width threads; its region is the last one of
 * the calling thread. Returns whether it is time to plan again. */
bool ek_unlike_count(uint64_t id, uint32_t width);

typedef struct ek_unlike_kind { /* a kind of phases */
  uint64_t sync, region;        /* region 0: unknown */
  uint32_t width, times;
} ek_unlike_kind;
enum { EK_UNLIKE_KINDS = 16 };

/* Whether the run has reached a phase or object that the plan lacks. */
bool ek_unlike_any(void);
/* Copies all kinds of phases that were counted to \p out, at most
 * EK_UNLIKE_KINDS. Returns their number; 0: nothing new. */
size_t ek_unlike_take(ek_unlike_kind *out);

typedef struct ek_unlike_sum {
  uint64_t phases, objects; /* not in the plan */
  uint64_t sync;            /* the first sync point that ended such a phase */
} ek_unlike_sum;
ek_unlike_sum ek_unlike_sums(void);

#ifdef __cplusplus
}
#endif
#endif
