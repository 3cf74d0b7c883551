/*===- leave.h - ends of a process that run no destructors --------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: quick_exit, _exit, _Exit and exec. Whoever includes leave.c stands
 * before them, and has its last words said first.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_LEAVE_H
#define EVENKEEL_RUNTIME_LEAVE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Once, at start: of this process and none of its children the ends count. \p
 * words writes what the process has to leave; it may be called again, and then
 * does nothing until \p stays is: exec failed, and the program goes on. */
__attribute__((visibility("hidden"))) void ek_leave_start(void (*words)(void),
                                                          void (*stays)(void));

/* Has the last words said, whatever it meets: in a signal handler that
 * interrupted malloc, say. False: it was given up, and the process must not
 * wait for it. */
__attribute__((visibility("hidden"))) bool ek_leave_words(void);

#ifdef __cplusplus
}
#endif
#endif
