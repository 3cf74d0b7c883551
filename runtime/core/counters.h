/*===- counters.h - what the processor counts of tasks ------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: EVENKEEL_COUNTERS: instructions, cycles and last-level misses of the
 * calling thread, by PAPI, which is loaded at run time where it is there. What
 * cannot be counted is named in the summary; nothing else depends on it.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_COUNTERS_H
#define EVENKEEL_RUNTIME_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { EK_COUNTERS = 3 };
extern const char *const ek_counter_names[EK_COUNTERS];

/* Some are counted. */
extern bool ek_counters_on;
/* Which: bits in the order of the names. */
extern unsigned ek_counters_mask;
/* Why there are none, in words; "" if nobody asked or all is well. */
extern const char *ek_counters_why;

void ek_counters_start(void);
/* In a child: none, as a processor's counters are its parent's. */
void ek_counters_forked(void);
/* The calling thread's, since its first call; 0 for what is not counted. */
void ek_counters_read(uint64_t *out);

#ifdef __cplusplus
}
#endif
#endif
