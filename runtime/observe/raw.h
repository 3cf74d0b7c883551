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

#include "objects/object.h"

#ifdef __cplusplus
extern "C" {
#endif

/* True while a recording is kept. */
extern bool ek_raw_on;

void ek_raw_start(void);
void ek_raw_allocated(ek_object *o); /* stamps the phase */
void ek_raw_resized(ek_object *o);   /* the largest size counts */
void ek_raw_freed(const ek_object *o);
/* Returns the phase that begins. */
uint32_t ek_raw_phase_end(uint64_t sync);
/* A region executed once by the calling thread. */
void ek_raw_add_task(uint64_t region, uint32_t phase, bool is_explicit,
                     uint64_t wall_ns);
/* Writes what was kept, as rank \p rank. */
void ek_raw_write(uint32_t rank);

void ek_raw_lock(void);
void ek_raw_unlock(void);
void ek_raw_forked(void); /* the child records itself, from here on */

#ifdef __cplusplus
}
#endif
#endif
