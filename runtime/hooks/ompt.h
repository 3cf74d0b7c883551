/*===- ompt.h - task times from the OpenMP library -----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: whether we are the OpenMP library's OMPT tool.
 * Not here: what it reports (ompt.c), and the hooks that belong to it (made.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_OMPT_H
#define EVENKEEL_RUNTIME_OMPT_H

#include <stdbool.h>

/* Whether another OMPT tool was loaded before ours, and is used instead. */
bool ek_ompt_taken(void);

#endif
