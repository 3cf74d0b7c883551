/*===- alone.h - whether there is only one thread ------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: glibc 2.32 and later say so.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_ALONE_H
#define EVENKEEL_RUNTIME_ALONE_H

#include <stdbool.h>
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

/* Whether the process has one thread; false also where that is not known. */
static inline bool ek_is_alone(void) {
#if __has_include(<sys/single_threaded.h>)
  return __libc_single_threaded;
#else
  return false;
#endif
}

#endif
