/*===- loads.h - pages that are touched, by sampled loads ---------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: PEBS and IBS within windows: a ring for each processor, and of the
 * samples in one window those of this process, by page. Other processes that
 * it has started are in its rings, too, and left out.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_LOADS_H
#define EVENKEEL_RUNTIME_TOUCHES_LOADS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether this process may sample loads here. Called once before the rest, by a
 * thread of the program: it uses the C library. */
bool ek_loads_offered(void);

/* Prepares for the event \p attr on so many processors; false: no memory. */
bool ek_loads_start(const struct perf_event_attr *attr, int processors);
/* Opens a stopped event for the first thread of the process, and all that it
 * will start. False: not permitted, or no room for the smallest ring. */
bool ek_loads_open(uintptr_t page);
void ek_loads_begin(void);
/* Ends the window and reads what it has seen. */
void ek_loads_end(void);
void ek_loads_close(void);

/* Adds a sampled load of thread \p pid, \p tid at \p address. */
void ek_loads_add(uint32_t pid, uint64_t address);
/* Puts the samples in order, before they are asked for. */
void ek_loads_sort(void);

typedef struct ek_loads_seen {
  uint32_t pages; /* different ones */
  uint32_t samples;
} ek_loads_seen;
/* The samples of the last window in [from, to). */
ek_loads_seen ek_loads_in(uintptr_t from, uintptr_t to);

/* Samples of the last window; and since the start, those that were lost. */
uint32_t ek_loads_count(void);
uint32_t ek_loads_lost(void);

#ifdef __cplusplus
}
#endif
#endif
