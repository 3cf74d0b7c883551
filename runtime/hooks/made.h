/*===- made.h - the hook that follows a team's creation ------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: OpenMP libraries identify a team or task by the return address of the
 * call that created it; hooks have ids. This maps the former to the latter.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_MADE_H
#define EVENKEEL_RUNTIME_MADE_H

#include <stdbool.h>
#include <stdint.h>

/* The OpenMP library reports its tasks (OMPT). */
extern bool ek_ompt_on;
/* gcc's OpenMP library does not, but we intercept its calls (teams.c). */
extern bool ek_teams_seen;
/* Whether anything needs the times of teams and tasks. */
bool ek_ompt_wanted(void);
/* Their times are noted for later plans. Called once, at start. */
void ek_ompt_note(void);
/* Whether the user asked for something that needs them. */
bool ek_ompt_asked(void);

/* The calling thread passed a hook, called from \p from. */
void ek_ompt_passed(uint64_t hook, const void *from);
/* The calling thread created a team, or a task, by a call that returns to
 * \p code. */
void ek_ompt_made(const void *code);
void ek_ompt_made_task(const void *code);
/* The thread begins a task inside another, or returns to the outer one: a hook
 * in one of them does not follow what the other created. begins returns and
 * clears what the thread created so far; goes_on restores it. */
uint64_t ek_ompt_begins(void);
void ek_ompt_goes_on(uint64_t made);
/* The hook that follows the call that returns to \p code; 0: unknown. */
uint64_t ek_ompt_hook_of(uint64_t code);

#endif
