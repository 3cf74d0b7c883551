/*===- unnamed.h - large blocks that carry no id ------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_UNNAMED_H
#define EVENKEEL_RUNTIME_UNNAMED_H

#include <stdbool.h>
#include <stddef.h>

/* In libevenkeel: a block of \p n bytes comes from a call without an id at
 * \p caller. Counted from EVENKEEL_THRESHOLD on, apart by whether the program
 * or a library of the system calls. Keeps errno; thread-safe. */
extern void ek_audit(size_t n, const void *caller) __attribute__((weak));

/* What this thread asks for meanwhile was counted already; nests. */
void ek_audit_pause(bool yes);

/* In libevenkeel-audit. Without it nothing is counted. */
extern const int ek_audit_loaded __attribute__((weak));

#endif
