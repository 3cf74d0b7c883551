/*===- interpose.c - free & co. for pointers of either side -------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the C library's functions that take a block. They stand before libc's
 * in the search order of every program linked with this library; the ek_shim_*
 * names are for shim.c.
 * Leaves out: malloc and its like, which nobody needs to intercept.
 * Never instrumented: under AddressSanitizer, frees arrive before its shadow
 * memory exists.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "alloc.h"
#include "audit.h"
#include "extent.h"
#include "libc.h"
#include "stack.h"

#include <errno.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void ek_shim_free(void *p);
EXPORT void *ek_shim_realloc(void *p, size_t n);
EXPORT void *ek_shim_reallocarray(void *p, size_t k, size_t n);
EXPORT size_t ek_shim_malloc_usable_size(void *p);

void ek_any_free(void *p) {
  if (__builtin_expect(ek_in_reserved(p), 0))
    ek_placed_free(p);
  else
    ek_libc.free(p);
}

void *ek_any_realloc(void *p, size_t n) {
  if (__builtin_expect(ek_in_reserved(p), 0))
    return ek_placed_realloc(p, n);
  return ek_libc.realloc(p, n);
}

size_t ek_any_usable_size(void *p) {
  if (__builtin_expect(ek_in_reserved(p), 0))
    return ek_placed_size(p);
  return ek_libc.usable_size(p);
}

/* A block of the C library's that grows large, in libevenkeel-preload. */
static void *grown(void *p, size_t n, const uintptr_t *slot) {
  bool zeroed;
  void *q = ek_stack_alloc ? ek_stack_alloc(1, n, &zeroed, slot) : NULL;
  return q ? ek_adopt(q, n, p) : NULL;
}

EXPORT void free(void *p) { ek_any_free(p); }
EXPORT void *realloc(void *p, size_t n) {
  if (!ek_in_reserved(p)) {
    void *q = grown(p, n, EK_RETURN_SLOT);
    if (q)
      return q;
    ek_audit(n, __builtin_return_address(0));
  }
  return ek_any_realloc(p, n);
}
EXPORT void *reallocarray(void *p, size_t k, size_t n) {
  size_t all;
  if (__builtin_mul_overflow(k, n, &all)) {
    errno = ENOMEM;
    return NULL;
  }
  if (!ek_in_reserved(p)) {
    void *q = grown(p, all, EK_RETURN_SLOT);
    if (q)
      return q;
    ek_audit(all, __builtin_return_address(0));
  }
  return ek_any_realloc(p, all);
}
EXPORT size_t malloc_usable_size(void *p) { return ek_any_usable_size(p); }

void ek_shim_free(void *p) { ek_any_free(p); }
void *ek_shim_realloc(void *p, size_t n) { return ek_any_realloc(p, n); }
/* Not by reallocarray: the program's own may be the one that called. */
void *ek_shim_reallocarray(void *p, size_t k, size_t n) {
  size_t all;
  if (__builtin_mul_overflow(k, n, &all)) {
    errno = ENOMEM;
    return NULL;
  }
  return ek_any_realloc(p, all);
}
size_t ek_shim_malloc_usable_size(void *p) { return ek_any_usable_size(p); }
