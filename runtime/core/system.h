/*===- system.h - system calls that bypass interposition ----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the runtime interposes syscall(), mprotect() and similar functions to
 * see what programs do to their blocks (attributes.c). Its own changes to pages
 * of extents bypass those functions.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_SYSTEM_H
#define EVENKEEL_RUNTIME_SYSTEM_H

#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Like syscall(2): the result, or -1 and errno. Needs no symbol that the loader
 * binds late. */
long ek_system(long number, long a, long b, long c, long d, long e, long f);

static inline void *ek_system_map(void *p, size_t n, int protection,
                                  int flags) {
  return (void *)ek_system(SYS_mmap, (long)p, (long)n, protection, flags, -1,
                           0);
}

static inline int ek_system_protect(void *p, size_t n, int protection) {
  return (int)ek_system(SYS_mprotect, (long)p, (long)n, protection, 0, 0, 0);
}

static inline int ek_system_advise(void *p, size_t n, int advice) {
  return (int)ek_system(SYS_madvise, (long)p, (long)n, advice, 0, 0, 0);
}

static inline int ek_system_unmap(void *p, size_t n) {
  return (int)ek_system(SYS_munmap, (long)p, (long)n, 0, 0, 0, 0);
}

#ifdef __cplusplus
}
#endif
#endif
