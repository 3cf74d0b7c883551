/*===- gomp.h - intercepting gcc's OpenMP library -----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_GOMP_H
#define EVENKEEL_RUNTIME_GOMP_H

#include <stdbool.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))
#define TLS _Thread_local __attribute__((tls_model("initial-exec")))

/* All parameters of these calls are machine words. Functions with fewer
 * parameters ignore the rest. */
typedef uintptr_t W;

/* The function \p name behind ours, \p ours, for a caller at \p code. */
void *ek_gomp_next(const char *name, const void *ours, const void *code);
/* Whether the thread is in a region whose threads we time. */
bool ek_teams_timing(void);
/* Sets whether the thread is in such a region; returns the previous value. */
bool ek_teams_enter(bool in_region);

#endif
