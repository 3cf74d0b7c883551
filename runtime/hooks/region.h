/*===- region.h - task times --------------------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: in addition to the calls in the source, what the OpenMP library
 * reports (ompt.c): which implicit and explicit tasks run on a thread, and when
 * it waits. If the source brackets a region inside a task, that measures the
 * task. The times of other tasks are summed as EK_SUM_TEAM, by the address
 * where the task was created.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_REGION_H
#define EVENKEEL_RUNTIME_REGION_H

#include <stdbool.h>
#include <stdint.h>

/* All functions are about the calling thread. \p is_thread: a thread's share of
 * the outermost team, not an explicit task. \p kept is returned by the matching
 * ek_task_end. */
void ek_task_begin(uint64_t code, uint32_t thread, bool is_thread,
                   uint64_t kept);
/* Ends the task. Returns the value kept for its begin; 0 if it was not
 * timed. */
uint64_t ek_task_end(void);
/* The number of tasks and regions open on the thread. */
unsigned ek_task_depth(void);
/* The current task only creates other tasks for the OpenMP library, so it is
 * not counted as one of the program's. Returns where it was created; 0: no task
 * is running. */
uint64_t ek_task_makes_others(void);
void ek_wait_begin(void);
void ek_wait_end(void);
/* The thread passed a team's hook. */
void ek_region_passed_hook(void);

/* Whether the thread is in no nested team. */
bool ek_outermost(void);

#endif
