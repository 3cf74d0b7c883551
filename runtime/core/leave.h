/*===- leave.h - ends of a process that run no destructors --------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: quick_exit, _exit, _Exit and exec. Whoever includes leave.c stands
 * before them, and has ek_last_words called first.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_LEAVE_H
#define EVENKEEL_RUNTIME_LEAVE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The library's own: writes what the process has to leave. It may be called
 * again, and then does nothing until ek_stays. */
__attribute__((visibility("hidden"))) void ek_last_words(void);
/* exec failed after that: the program goes on. */
__attribute__((visibility("hidden"))) void ek_stays(void);

/* Once, at start: of this process and none of its children the ends count. */
__attribute__((visibility("hidden"))) void ek_leave_start(void);

/* Has ek_last_words called, whatever it meets: in a signal handler that
 * interrupted malloc, say. False: it was given up, and the process must not
 * wait for it. */
__attribute__((visibility("hidden"))) bool ek_leave_words(void);

#ifdef __cplusplus
}
#endif
#endif
