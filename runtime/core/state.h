/*===- state.h - whether the runtime runs --------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: that it starts once, with the first large request or constructor,
 * whichever is earlier, and what it may do by then.
 * Leaves out: what starts (start.c).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_STATE_H
#define EVENKEEL_RUNTIME_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Objects of at least this size are placed. SIZE_MAX while nothing may be: then
 * every call is the C library's. */
extern size_t ek_threshold;

/* Index of the phase that runs; counts serial hooks, recording or not. */
extern uint32_t ek_phase_now;

/* True when objects can be placed; starts the runtime if need be. False inside
 * the start itself and when it is disabled. Any thread. */
bool ek_start(void);

/* Like ek_start, without starting: for hooks. */
bool ek_running(void);

/* Starts all rooms, under the lock of the start; returns whether objects can be
 * placed. Defined above all rooms (start.c). */
extern bool (*const ek_start_rooms)(void);

/* Of ek_start_rooms: hooks, regions and observers work from here on, whether or
 * not objects can be placed. */
void ek_state_runs(void);

/* Nobody starts meanwhile. */
void ek_state_lock(void);
void ek_state_unlock(void);

/* operator new may place: what delete[] gets, or its aligned form, ends in
 * free(). */
extern bool ek_new_places, ek_aligned_new_places;

#ifdef __cplusplus
}
#endif
#endif
