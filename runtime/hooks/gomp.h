/*===- gomp.h - standing before gcc's OpenMP library --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_GOMP_H
#define EVENKEEL_RUNTIME_GOMP_H

#include <stdbool.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))
#define TLS _Thread_local __attribute__((tls_model("initial-exec")))

/* All that these calls take are machine words; those that take fewer do not
 * look at the others. */
typedef uintptr_t W;

/* What stands behind \p ours, called \p name, for code at \p code. */
void *ek_gomp_next(const char *name, const void *ours, const void *code);
/* The thread is in a part of a team that we time. */
bool ek_teams_timing(void);
/* What the thread runs is in a region, or not; returns what was so far. */
bool ek_teams_enter(bool in_region);

#endif
