/*===- say.h - lines on standard error ----------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: "standard error" is the file that had descriptor 2 when the runtime
 * started. If the program opens another file there, we do not write to it.
 * Part of libevenkeel and libevenkeel-record.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_SAY_H
#define EVENKEEL_RUNTIME_SAY_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EK_SAY_HIDDEN __attribute__((visibility("hidden")))

/* Called once, at start. */
EK_SAY_HIDDEN void ek_say_start(void);
/* Whether descriptor 2 is still the file it was at start. */
EK_SAY_HIDDEN bool ek_say_may(void);
/* Prints to standard error if ek_say_may(). Preserves errno. */
EK_SAY_HIDDEN void ek_say(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif
#endif
