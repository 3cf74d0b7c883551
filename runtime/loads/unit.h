/*===- unit.h - the processor's unit that samples loads -----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the events of PEBS (Intel) and IBS (AMD), from the kernel's files, and
 * how they are opened.
 * Not here: processors that use another kind of buffer (SPE of Arm).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_LOADS_UNIT_H
#define EVENKEEL_RUNTIME_LOADS_UNIT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EK_LOAD_UNITS "/sys/bus/event_source/devices"

/* Sets \p attr to the load-sampling event of this processor, as described by
 * files in \p folder. Returns false if there is none. */
bool ek_load_unit(const char *folder, struct perf_event_attr *attr);

/* Opens an event for thread \p tid (0: the calling one) and all threads it will
 * start, on one processor (-1: any). Returns the descriptor, or minus an error
 * number. May change \p attr to what older kernels accept. */
long ek_load_open(struct perf_event_attr *attr, long tid, int cpu);

/* Maps a ring of \p pages pages, a power of two, behind its head. Returns its
 * address, or minus an error number. */
long ek_load_map(long fd, size_t pages, size_t page_bytes);

#ifdef __cplusplus
}
#endif
#endif
