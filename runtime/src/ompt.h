/*===- ompt.h - task times from the OpenMP library ----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: whether the OpenMP library tells of its tasks, and which hook follows
 * the call that made a team or task.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_OMPT_H
#define EVENKEEL_RUNTIME_OMPT_H

#include <stdbool.h>
#include <stdint.h>

extern bool ek_ompt_on;

/* The calling thread passed a hook, called from \p from. */
void ek_ompt_passed(uint64_t hook, const void *from);
/* The calling thread made a team by a call that returns to \p code. */
void ek_ompt_made(const void *code);
/* The hook behind what was made at address \p code; 0: not known. */
uint64_t ek_ompt_hook_of(uint64_t code);

/* Another OMPT tool stands before ours and is the only one. */
bool ek_ompt_taken(void);

#endif
