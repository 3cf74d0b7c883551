/*===- teams.h - parallel regions of gcc's OpenMP library ---------*- C -*-===*
 *-*-===* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: whether a thread is inside such a region's call (teams.c).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TEAMS_H
#define EVENKEEL_RUNTIME_TEAMS_H

#include <stdbool.h>
#include <stdint.h>

/* The thread makes a parallel region by a call that tells of its end itself. */
bool ek_teams_inside(void);

#endif
