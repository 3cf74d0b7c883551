/*===- values.h - values that the program hands over --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the values of the plan's symbols, as the program handed them over
 * before regions (EK_VALUES), with the plan's phase at the time. A call stores
 * them: it takes no lock and allocates nothing. A value other than the plan's,
 * or other than the last one, is a reason to look at the plan.
 * Not here: what the values say about later phases (problem/ToldValues.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_REPLAN_VALUES_H
#define EVENKEEL_RUNTIME_REPLAN_VALUES_H

#include "format/ek_raw.h"
#include "placement/plan.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From now on, keeps the values that \p of names; NULL: none. Called once, at
 * start. */
void ek_values_start(const ek_plan *of);
/* In a forked child: forgets what was handed over before, also by threads that
 * the child does not have. */
void ek_values_forked(void);

/* Whether any values are kept. */
bool ek_values_wanted(void);
/* Keeps the value of \p variable before \p region, if the plan names it.
 * Returns whether it differs from the expected one. Thread-safe. */
bool ek_values_keep(uint64_t region, uint64_t variable, int64_t value);

typedef struct ek_value_told {
  uint64_t symbol; /* of the facts */
  int64_t value;
  uint32_t phase; /* of the plan */
  uint32_t task;  /* of a loop's total: the thread; else EK_NO_TASK */
} ek_value_told;
/* Moves the oldest values that were not taken yet to \p out, at most \p most,
 * and returns their number. Values that a symbol had before in the same phase
 * are not repeated. Callers serialize. */
size_t ek_values_take(ek_value_told *out, size_t most);

#ifdef __cplusplus
}
#endif
#endif
