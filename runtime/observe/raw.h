/*===- raw.h - the raw stream of a rewritten program --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: EVENKEEL_RAW: sizes, lifetimes in phases and task times, kept during
 * the run and written once at exit in the layout of profiles/format/ek_raw.h,
 * mode 3. A phase ends at a hook that one thread reaches (EK_SERIAL).
 * Leaves out: accesses and misses; instrumented programs record those.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_RAW_H
#define EVENKEEL_RUNTIME_RAW_H

#include "core/events.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Listens, where a recording is asked for. */
void ek_raw_start(void);
/* Calls its argument on each object that is alive. */
typedef void ek_raw_alive(void (*f)(const ek_told *o, void *data), void *data);
/* Writes what was kept, as rank \p rank. */
void ek_raw_write(uint32_t rank, ek_raw_alive *alive);

void ek_raw_lock(void);
void ek_raw_unlock(void);
void ek_raw_forked(void); /* the child records itself, from here on */

#ifdef __cplusplus
}
#endif
#endif
