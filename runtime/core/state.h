/*===- state.h - whether the runtime runs --------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the runtime starts once, at the first large allocation or in its
 * constructor, whichever comes first, and then knows what it may do.
 * Not here: what is started (start.c).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_STATE_H
#define EVENKEEL_RUNTIME_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The smallest object, in bytes, that is placed. SIZE_MAX while nothing can be
 * placed: every call then goes to the C library. */
extern size_t ek_threshold;
/* The smallest block, in bytes, that may be ours: ek_threshold, or less if the
 * plan has arenas for small blocks. */
extern size_t ek_least;

/* Index of the current phase. Every serial hook increments it, also without
 * recording. */
extern uint32_t ek_phase_now;

/* Starts the runtime if necessary. Returns whether objects can be placed; false
 * during the start itself and if the runtime is disabled. Thread-safe. */
bool ek_start(void);

/* Whether the runtime has started and runs; never starts it. For hooks.
 * Thread-safe. */
bool ek_running(void);

/* Starts all rooms while the start lock is held. Returns whether objects can be
 * placed. Defined above all rooms (start.c). */
extern bool (*const ek_start_rooms)(void);

/* Called by ek_start_rooms: blocks below ek_threshold may be ours, too. */
void ek_state_small(void);

/* Called by ek_start_rooms: from now on hooks, regions and observers work, even
 * if objects cannot be placed. */
void ek_state_runs(void);

/* Keep other threads from starting the runtime (around fork). */
void ek_state_lock(void);
void ek_state_unlock(void);

/* Whether operator new (or its aligned form) may place: the matching delete[]
 * ends in free(). */
extern bool ek_new_places, ek_aligned_new_places;

#ifdef __cplusplus
}
#endif
#endif
