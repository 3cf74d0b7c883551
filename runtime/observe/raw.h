/*===- raw.h - the raw stream of a rewritten program --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: EVENKEEL_RAW: sizes, lifetimes in phases and task times, kept during
 * the run and written once at exit in the layout of profiles/format/ek_raw.h,
 * mode 3. A phase ends at a hook that a single thread reaches (EK_SERIAL).
 * Not here: accesses and misses, which instrumented programs record.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_RAW_H
#define EVENKEEL_RUNTIME_RAW_H

#include "core/events.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Registers listeners, if EVENKEEL_RAW is set. */
void ek_raw_start(void);
/* A function that calls \p f for each live object. */
typedef void ek_raw_alive(void (*f)(const ek_told *o, void *data), void *data);
/* Writes the stream of rank \p rank. */
void ek_raw_write(uint32_t rank, ek_raw_alive *alive);

void ek_raw_lock(void);
void ek_raw_unlock(void);
void ek_raw_forked(void); /* a child begins a stream of its own */

#ifdef __cplusplus
}
#endif
#endif
