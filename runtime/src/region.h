/*===- region.h - task times --------------------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: sums of wall time per (region, thread number), from
 * ek_region_begin/end; written by their thread alone, read at the end.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_REGION_H
#define EVENKEEL_RUNTIME_REGION_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ek_region_sum {
  uint64_t region;
  uint32_t thread;
  uint64_t times, ns;
} ek_region_sum;

/* Calls \p f on each sum that was taken, any order. */
void ek_regions_each(void (*f)(const ek_region_sum *s, void *data), void *data);

void ek_regions_lock(void);
void ek_regions_unlock(void);

#ifdef __cplusplus
}
#endif
#endif
