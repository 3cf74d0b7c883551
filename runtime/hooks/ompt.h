/*===- ompt.h - task times from the OpenMP library ----------------*- C -*-===*
 *-*-===* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: whether the tool interface of the OpenMP library is ours.
 * Leaves out: what it tells (ompt.c), and which hook that belongs to (made.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_OMPT_H
#define EVENKEEL_RUNTIME_OMPT_H

#include <stdbool.h>

/* Another OMPT tool stands before ours and is the only one. */
bool ek_ompt_taken(void);

#endif
