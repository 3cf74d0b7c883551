/*===- sums.h - counts and times kept per thread ------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: sums by (kind, id, which), each written by its thread alone and read
 * at the end: how often a hook ran, and wall time per region and thread number.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_SUMS_H
#define EVENKEEL_RUNTIME_SUMS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum ek_sum_kind { EK_SUM_HOOK, EK_SUM_REGION };

typedef struct ek_sum {
  uint64_t id;
  uint32_t kind;  /* ek_sum_kind */
  uint32_t which; /* of hooks the context, of regions the thread number */
  uint64_t times, ns;
} ek_sum;

/* One more time of \p ns nanoseconds; no lock, no memory once it is known.
 * Without memory nothing is counted, but the reason. */
void ek_sum_add(enum ek_sum_kind kind, uint64_t id, uint32_t which,
                uint64_t ns);

/* All sums of a kind over all threads that ever ran, sorted by (id, which), in
 * \p *sums (free() it); returns their number. */
size_t ek_sums_take(enum ek_sum_kind kind, ek_sum **sums);

void ek_sums_lock(void);
void ek_sums_unlock(void);

#ifdef __cplusplus
}
#endif
#endif
