/*===- sums.h - counts and times kept per thread ------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: sums by (kind, id, which), each written by its thread alone and read
 * at the end: how often a hook ran, and wall time per region and thread number.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_SUMS_H
#define EVENKEEL_RUNTIME_SUMS_H

#include "core/counters.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum ek_sum_kind { EK_SUM_HOOK, EK_SUM_REGION, EK_SUM_TEAM, EK_SUM_PLACE };

typedef struct ek_sum {
  uint64_t id;
  uint32_t kind;  /* ek_sum_kind */
  uint32_t which; /* of hooks whether a team's, of regions the thread number */
  bool used;
  uint64_t times, ns;
  uint64_t hooks; /* of teams that were passed inside a region */
  uint64_t counts[EK_COUNTERS];
} ek_sum;

/* Listens to hooks, regions and parts of teams. */
void ek_sums_start(void);

/* Something of kind \p what happened so many times more, or less, at an
 * address. No lock, and no memory once it is known; without memory nothing is
 * counted, but the reason. */
void ek_sum_place(uint64_t code, uint32_t what, int64_t times);

/* All sums of a kind over all threads that ever ran, sorted by (id, which), in
 * \p *sums (free() it); returns their number. */
size_t ek_sums_take(enum ek_sum_kind kind, ek_sum **sums);

/* Joins sums of equal id and which; returns the number that is left. */
size_t ek_sums_join(ek_sum *sums, size_t count);

void ek_sums_lock(void);
void ek_sums_unlock(void);

#ifdef __cplusplus
}
#endif
#endif
