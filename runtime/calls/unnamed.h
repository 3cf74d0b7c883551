/*===- unnamed.h - counting large blocks without an id ------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_UNNAMED_H
#define EVENKEEL_RUNTIME_UNNAMED_H

#include <stdbool.h>
#include <stddef.h>

/* In libevenkeel: reports a block of \p n bytes from a call without an id at
 * \p caller. Blocks of EVENKEEL_THRESHOLD or more are counted, separately for
 * the program and for system libraries. Keeps errno; thread-safe. */
extern void ek_audit(size_t n, const void *caller) __attribute__((weak));

/* Pauses counting on this thread, for allocations counted already; nests. */
void ek_audit_pause(bool yes);

/* Defined in libevenkeel-audit; without it nothing is counted. */
extern const int ek_audit_loaded __attribute__((weak));

#endif
