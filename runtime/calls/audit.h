/*===- audit.h - between libevenkeel-audit and libevenkeel --------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_AUDIT_H
#define EVENKEEL_RUNTIME_AUDIT_H

#include <stddef.h>

/* In libevenkeel: a block of \p n bytes comes from a call without an id at
 * \p caller. Counted from EVENKEEL_THRESHOLD on, apart by whether the program
 * or a library of the system calls. Keeps errno; thread-safe. */
extern void ek_audit(size_t n, const void *caller) __attribute__((weak));

/* In libevenkeel-audit. Without it nothing is counted. */
extern const int ek_audit_loaded __attribute__((weak));

#endif
