/*===- system.c - system calls that bypass interposition -----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: raw_call.h knows the calling convention of some processors. Elsewhere
 * the C library's syscall() is looked up behind ours.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/system.h"
#include "core/raw_call.h"

#include <dlfcn.h>
#include <errno.h>

#if EK_RAW_CALLS
long ek_system(long number, long a, long b, long c, long d, long e, long f) {
  const long result = ek_raw_call(number, a, b, c, d, e, f);
  if ((unsigned long)result < -4095ul)
    return result;
  errno = (int)-result;
  return -1;
}
#else
long ek_system(long number, long a, long b, long c, long d, long e, long f) {
  static long (*next)(long, ...);
  long (*call)(long, ...) = __atomic_load_n(&next, __ATOMIC_RELAXED);
  if (!call) {
    call = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    __atomic_store_n(&next, call, __ATOMIC_RELAXED);
  }
  return call(number, a, b, c, d, e, f);
}
#endif
