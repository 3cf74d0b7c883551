/*===- region.h - task times --------------------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: what the OpenMP library tells (ompt.c) beside the calls in the source:
 * which implicit and explicit tasks run on a thread, and when it waits. A task
 * inside which the source brackets a region is timed by that; others are summed
 * as EK_SUM_TEAM under the address that made them.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_REGION_H
#define EVENKEEL_RUNTIME_REGION_H

#include <stdbool.h>
#include <stdint.h>

/* All: the calling thread's. \p is_thread: the part of a thread of the
 * outermost team, not an explicit task. */
void ek_task_begin(uint64_t code, uint32_t thread, bool is_thread,
                   uint64_t kept);
/* Returns what its begin was given to keep; 0 where it was not timed. */
uint64_t ek_task_end(void);
/* Tasks and regions that are open on the thread. */
unsigned ek_task_depth(void);
/* The task that runs makes others for the OpenMP library, and is none of the
 * program's: it is not counted. Returns who made it; 0: no task runs. */
uint64_t ek_task_makes_others(void);
void ek_wait_begin(void);
void ek_wait_end(void);
/* A hook of a team was passed. */
void ek_region_passed_hook(void);

/* In no team within another. */
bool ek_outermost(void);

#endif
