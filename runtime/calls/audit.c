/*===- audit.c - reporting large blocks without an id -------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libevenkeel-audit.so, for LD_PRELOAD: intercepts the C library's malloc
 * family and tells libevenkeel which large blocks come from calls without an
 * id, and who calls. Programs run without it; it is only needed for a summary
 * that shows how complete the ids are.
 * Not here: realloc and operator new, which libevenkeel itself intercepts.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "calls/unnamed.h"

#include <errno.h>
#include <stddef.h>

#define EXPORT __attribute__((visibility("default")))

/* glibc's own entries: a look-up might itself allocate. */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t k, size_t n);
void *__libc_memalign(size_t align, size_t n);
void *__libc_valloc(size_t n);
void *__libc_pvalloc(size_t n);

const int ek_audit_loaded EXPORT = 1;

static void note(size_t n, const void *caller) {
  if (ek_audit)
    ek_audit(n, caller);
}

#define CALLER __builtin_return_address(0)

EXPORT void *malloc(size_t n) {
  note(n, CALLER);
  return __libc_malloc(n);
}
EXPORT void *calloc(size_t k, size_t n) {
  size_t all;
  if (!__builtin_mul_overflow(k, n, &all))
    note(all, CALLER);
  return __libc_calloc(k, n);
}
EXPORT void *memalign(size_t align, size_t n) {
  note(n, CALLER);
  return __libc_memalign(align, n);
}
EXPORT void *aligned_alloc(size_t align, size_t n) {
  note(n, CALLER);
  return __libc_memalign(align, n);
}
EXPORT int posix_memalign(void **out, size_t align, size_t n) {
  if (align % sizeof(void *) || !align || (align & (align - 1)))
    return EINVAL;
  note(n, CALLER);
  int saved = errno;
  void *p = __libc_memalign(align, n);
  errno = saved;
  if (!p)
    return ENOMEM;
  *out = p;
  return 0;
}
EXPORT void *valloc(size_t n) {
  note(n, CALLER);
  return __libc_valloc(n);
}
EXPORT void *pvalloc(size_t n) {
  note(n, CALLER);
  return __libc_pvalloc(n);
}
