/*===- interpose.c - free & co. for pointers of either side -------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the C library's functions that take a block. In the symbol search
 * order of every program linked with this library they precede libc's. The
 * ek_shim_* names are for shim.c.
 * Not here: malloc and its family, which need not be intercepted.
 * Never instrumented: AddressSanitizer calls free before its shadow memory
 * exists.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "calls/interpose.h"
#include "calls/placed.h"
#include "calls/stack.h"
#include "calls/unnamed.h"
#include "core/libc.h"
#include "objects/extent.h"

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

/* In libevenkeel-preload, a block of the C library may grow into an object. */
static void *grown(void *p, size_t n, const uintptr_t *slot) {
  bool zeroed;
  void *q = ek_stack_alloc ? ek_stack_alloc(1, n, &zeroed, slot) : NULL;
  return q ? ek_adopt(q, n, p) : NULL;
}

/* Another allocator in front of ours may leave reallocarray to the C library,
 * which calls the process's realloc. So must we. */
void *realloc(void *p, size_t n);
extern __typeof(realloc) own_realloc
    __attribute__((alias("realloc"), visibility("hidden")));

/* The process's realloc if it is not ours, else NULL. */
static void *(*others_realloc(void))(void *, size_t) {
  void *(*volatile f)(void *, size_t) = realloc; /* or the test is folded */
  void *(*found)(void *, size_t) = f;
  return found == own_realloc ? NULL : found;
}

static void end(void *p) {
  if (__builtin_expect(ek_in_reserved(p), 0))
    ek_placed_free(p);
  else
    ek_behind_us.free(p);
}

static void *resize(void *p, size_t n) {
  return ek_in_reserved(p) ? ek_placed_realloc(p, n)
                           : ek_behind_us.realloc(p, n);
}

static size_t usable_size(void *p) {
  return ek_in_reserved(p) ? ek_placed_size(p) : ek_behind_us.usable_size(p);
}

EXPORT void free(void *p) { end(p); }
EXPORT void *realloc(void *p, size_t n) {
  if (!ek_in_reserved(p)) {
    void *q = grown(p, n, EK_RETURN_SLOT);
    if (q)
      return q;
    ek_audit(n, __builtin_return_address(0));
  }
  return resize(p, n);
}
EXPORT void *reallocarray(void *p, size_t k, size_t n) {
  size_t all;
  if (__builtin_mul_overflow(k, n, &all)) {
    errno = ENOMEM;
    return NULL;
  }
  if (!ek_in_reserved(p)) {
    void *(*others)(void *, size_t) = others_realloc();
    if (others)
      return others(p, all);
    void *q = grown(p, all, EK_RETURN_SLOT);
    if (q)
      return q;
    ek_audit(all, __builtin_return_address(0));
  }
  return resize(p, all);
}
EXPORT size_t malloc_usable_size(void *p) { return usable_size(p); }

void ek_shim_free(void *p) { end(p); }
void *ek_shim_realloc(void *p, size_t n) { return resize(p, n); }
/* Does not call reallocarray, which may be the program's own and call us. */
void *ek_shim_reallocarray(void *p, size_t k, size_t n) {
  size_t all;
  if (__builtin_mul_overflow(k, n, &all)) {
    errno = ENOMEM;
    return NULL;
  }
  return resize(p, all);
}
size_t ek_shim_malloc_usable_size(void *p) { return usable_size(p); }
