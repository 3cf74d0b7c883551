/*===- totals.h - totals of loops that threads hand over ----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: how often each thread of a region ran the loops that the plan names
 * (ek_total), by phase of the plan. A call stores a number: it takes no lock
 * and allocates nothing. A total that a thread has not handed over before, or
 * another one than the last time, is a reason to look at the plan.
 * Not here: what the totals say about later phases (predict/LatestTotals.h);
 * plans for several ranks, of which each knows its own threads only.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_REPLAN_TOTALS_H
#define EVENKEEL_RUNTIME_REPLAN_TOTALS_H

#include "hooks/replan/values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* From now on, keeps the totals that \p of names; NULL: none. Called once, at
 * start. */
void ek_totals_start(const ek_plan *of);
/* Whether any totals are kept. */
bool ek_totals_wanted(void);
/* Thread \p thread of \p region ran the loop \p total \p count times. Counts
 * between two hooks are added up. Thread-safe. */
void ek_totals_keep(uint64_t region, uint64_t total, uint32_t thread,
                    int64_t count);
/* As ek_values_take, for the totals of phases that have ended. */
size_t ek_totals_take(ek_value_told *out, size_t most);

#ifdef __cplusplus
}
#endif
#endif
