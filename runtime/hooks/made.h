/*===- made.h - which hook follows the call that made a team ------*- C -*-===*
 *-*-===* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: OpenMP libraries name a team by the address behind the call that made
 * it, hooks have ids: which of both belong together.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_MADE_H
#define EVENKEEL_RUNTIME_MADE_H

#include <stdbool.h>
#include <stdint.h>

/* The OpenMP library tells of its tasks. */
extern bool ek_ompt_on;
/* gcc's library does not, but its calls were stood before (teams.c). */
extern bool ek_teams_seen;
/* Whether times of teams and tasks are asked for. */
bool ek_ompt_wanted(void);

/* The calling thread passed a hook, called from \p from. */
void ek_ompt_passed(uint64_t hook, const void *from);
/* The calling thread made a team by a call that returns to \p code. */
void ek_ompt_made(const void *code);
void ek_ompt_made_task(const void *code);
/* It begins a task, inside another, or goes on with that: no hook in the one
 * is behind what the other made. Returns, and takes, what was made so far. */
uint64_t ek_ompt_begins(void);
void ek_ompt_goes_on(uint64_t made);
/* The hook behind what was made at address \p code; 0: not known. */
uint64_t ek_ompt_hook_of(uint64_t code);

#endif
