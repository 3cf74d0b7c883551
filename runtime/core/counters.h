/*===- counters.h - what the processor counts of tasks ------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: EVENKEEL_COUNTERS: instructions, cycles and last-level misses of the
 * calling thread. They come from PAPI, which is loaded at run time if it is
 * installed. The summary says why a count is missing; nothing else depends on
 * the counters.
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

/* At least one event is counted. */
extern bool ek_counters_on;
/* The counted events: one bit each, in the order of the names. */
extern unsigned ek_counters_mask;
/* Why nothing is counted, as text; "" if counters are off or work. */
extern const char *ek_counters_why;

void ek_counters_start(void);
/* In a forked child: stops counting, because the event set is the parent's. */
void ek_counters_forked(void);
/* Writes EK_COUNTERS values of the calling thread to \p out, counted since its
 * first call; 0 for events that are not counted. */
void ek_counters_read(uint64_t *out);

#ifdef __cplusplus
}
#endif
#endif
