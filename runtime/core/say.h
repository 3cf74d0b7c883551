/*===- say.h - lines on standard error ----------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: standard error is what had its number when the runtime started. What
 * the program puts there later is the program's: nothing is written into it.
 * Part of libevenkeel and of libevenkeel-record.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_SAY_H
#define EVENKEEL_RUNTIME_SAY_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EK_SAY_HIDDEN __attribute__((visibility("hidden")))

/* Once, at start. */
EK_SAY_HIDDEN void ek_say_start(void);
/* Whether standard error is still the one of the start. */
EK_SAY_HIDDEN bool ek_say_may(void);
/* A line, if so. Keeps errno. */
EK_SAY_HIDDEN void ek_say(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif
#endif
