/*===- sums.h - counts and times kept per thread ------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: sums by (kind, id, which). Each is written only by its thread and read
 * at the end: how often a hook ran, and wall time per region and thread.
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
  uint32_t which; /* hooks: whether of a team; regions: thread number */
  bool used;
  uint64_t times, ns;
  uint64_t hooks; /* team hooks passed inside a region */
  uint64_t counts[EK_COUNTERS];
} ek_sum;

/* Registers listeners for hooks, regions and team members. */
void ek_sums_start(void);

/* Adds \p times (may be negative) to the count of kind \p what at address
 * \p code, for the calling thread. Takes no lock, and allocates only for a new
 * address. Without memory only a reason is counted. */
void ek_sum_place(uint64_t code, uint32_t what, int64_t times);

/* Collects the sums of one kind over all threads that ever ran, sorted by (id,
 * which). The caller frees *sums. Returns their number. */
size_t ek_sums_take(enum ek_sum_kind kind, ek_sum **sums);

/* Merges sums of equal id and which; returns the number that remains. */
size_t ek_sums_join(ek_sum *sums, size_t count);

void ek_sums_lock(void);
void ek_sums_unlock(void);

#ifdef __cplusplus
}
#endif
#endif
