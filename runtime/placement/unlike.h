/*===- unlike.h - what a run does that its plan does not know -----*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a plan made from the beginning of a run, or from a small input, may
 * know nothing of phases or objects that come later. From the first of them on
 * it counts which kinds of phases come: the sync points that end them, the
 * regions that they execute.
 * Makes: the kinds, for planning again (replan.h) after 2, 4, 8, ... phases.
 * Leaves out: plans for several ranks, and those that keep first touch
 * though not all fits.
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

/* An object was made that no entry of the plan in force names. */
void ek_unlike_object(void);
/* The first thread of a team that is nobody's part ran the region. */
void ek_unlike_region(uint64_t id);
/* A phase is over that the sync point \p id ends. True: it, or one before it,
 * is not in the plan. */
bool ek_unlike_phase(const ek_plan *plan, uint64_t id);
/* Counts that phase, of \p width threads; the calling thread's last region is
 * its own. True: it is time to plan again. */
bool ek_unlike_count(uint64_t id, uint32_t width);

typedef struct ek_unlike_kind { /* of phases */
  uint64_t sync, region;        /* region 0: not known */
  uint32_t width, times;
} ek_unlike_kind;
enum { EK_UNLIKE_KINDS = 16 };

/* Whether there are any, or objects. */
bool ek_unlike_any(void);
/* All that came since the first that was not known, at most EK_UNLIKE_KINDS;
 * 0: there is nothing new. */
size_t ek_unlike_take(ek_unlike_kind *out);

typedef struct ek_unlike_sum {
  uint64_t phases, objects; /* that the plan does not know */
  uint64_t sync;            /* the first of those that end such phases */
} ek_unlike_sum;
ek_unlike_sum ek_unlike_sums(void);

#ifdef __cplusplus
}
#endif
#endif
