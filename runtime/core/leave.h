/*===- leave.h - ends of a process that run no destructors --------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: quick_exit, _exit, _Exit and exec. A library that contains leave.c
 * intercepts them and first writes its last words: a summary, a record.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_LEAVE_H
#define EVENKEEL_RUNTIME_LEAVE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Called once, at start; children of this process are not covered. \p words
 * writes what the process has to leave. It may be called again and must then do
 * nothing, until \p stays has been called: exec failed and the program goes
 * on. */
__attribute__((visibility("hidden"))) void ek_leave_start(void (*words)(void),
                                                          void (*stays)(void));

/* Writes the last words, whatever the state of the process (for example in a
 * signal handler that interrupted malloc). Returns false if they were
 * abandoned; the process must not wait for them. */
__attribute__((visibility("hidden"))) bool ek_leave_words(void);

#ifdef __cplusplus
}
#endif
#endif
