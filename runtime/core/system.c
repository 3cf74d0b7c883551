/*===- system.c - system calls that bypass interposition -----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the kernel's calling convention on x86-64. Elsewhere the C library's
 * syscall() is looked up behind ours.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/system.h"

#include <dlfcn.h>
#include <errno.h>

#ifdef __x86_64__
long ek_system(long number, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8),
                     "r"(r9)
                   : "rcx", "r11", "memory");
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
