/*===- teams.h - parallel regions in gcc's OpenMP library ----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: whether a thread is in a call that creates such a region (teams.c).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TEAMS_H
#define EVENKEEL_RUNTIME_TEAMS_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the thread is in a call of a parallel region that reports its own
 * end. */
bool ek_teams_inside(void);

#endif
