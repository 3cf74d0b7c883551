/*===- state.h - start, fork and end of the runtime ---------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the order in which the parts start (first large request or
 * constructor, whichever is earlier) and stop.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_STATE_H
#define EVENKEEL_RUNTIME_STATE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Objects of at least this size are placed. SIZE_MAX while nothing may be: then
 * every call is the C library's. */
extern size_t ek_threshold;

/* True when objects can be placed; starts the runtime if need be. False inside
 * the start itself and when it is disabled. Any thread. */
bool ek_start(void);

/* Address space for objects, made before the first: a program without any may
 * limit its own (RLIMIT_AS). False: there is none. Any thread. */
bool ek_reserve(void);

/* Like ek_start, without starting: for hooks. */
bool ek_running(void);

/* operator new may place: what delete[] gets, or its aligned form, ends in
 * free(). */
extern bool ek_new_places, ek_aligned_new_places;

#ifdef __cplusplus
}
#endif
#endif
