/*===- preload.c - the malloc family of unchanged programs --------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Part of libevenkeel-preload only (stack.h). Large blocks whose call is in the
 * table are placed; all others go to the next allocator, glibc's or one that
 * was preloaded after us. realloc and free are in interpose.c; operator new
 * reaches malloc through the C++ library. Anonymous mappings stay where the
 * system puts them and become objects (range.c).
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "calls/placed.h"
#include "calls/stack.h"
#include "core/libc.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static void *first_malloc(size_t n);
static void *first_calloc(size_t k, size_t n);
static void *first_memalign(size_t align, size_t n);
static void *first_aligned_alloc(size_t align, size_t n);
static int first_posix_memalign(void **out, size_t align, size_t n);
static void *first_valloc(size_t n);
static void *first_pvalloc(size_t n);

static struct {
  void *(*malloc)(size_t);
  void *(*calloc)(size_t, size_t);
  void *(*memalign)(size_t, size_t);
  void *(*aligned_alloc)(size_t, size_t);
  int (*posix_memalign)(void **, size_t, size_t);
  void *(*valloc)(size_t);
  void *(*pvalloc)(size_t);
} next = {first_malloc,        first_calloc,         first_memalign,
          first_aligned_alloc, first_posix_memalign, first_valloc,
          first_pvalloc};

/* glibc's own entries, for allocations by the look-up itself. */
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t k, size_t n);

static _Thread_local bool resolving __attribute__((tls_model("initial-exec")));

#define FIND(name)                                                             \
  do {                                                                         \
    void *f = dlsym(RTLD_NEXT, #name);                                         \
    if (!f)                                                                    \
      abort(); /* without a C library below us nothing could work */           \
    __atomic_store((void **)&next.name, &f, __ATOMIC_RELEASE);                 \
  } while (0)

/* At the very first request, when all symbols are bound. */
static void resolve(void) {
  resolving = true;
  ek_libc_resolve(); /* finds the functions that free these blocks */
  FIND(calloc);
  FIND(memalign);
  FIND(aligned_alloc);
  FIND(posix_memalign);
  FIND(valloc);
  FIND(pvalloc);
  FIND(malloc);
  resolving = false;
}

static void *first_malloc(size_t n) {
  if (resolving)
    return __libc_malloc(n);
  resolve();
  return next.malloc(n);
}
static void *first_calloc(size_t k, size_t n) {
  if (resolving)
    return __libc_calloc(k, n);
  resolve();
  return next.calloc(k, n);
}
static void *first_memalign(size_t align, size_t n) {
  resolve();
  return next.memalign(align, n);
}
static void *first_aligned_alloc(size_t align, size_t n) {
  resolve();
  return next.aligned_alloc(align, n);
}
static int first_posix_memalign(void **out, size_t align, size_t n) {
  resolve();
  return next.posix_memalign(out, align, n);
}
static void *first_valloc(size_t n) {
  resolve();
  return next.valloc(n);
}
static void *first_pvalloc(size_t n) {
  resolve();
  return next.pvalloc(n);
}

static bool is_power_of_two(size_t a) { return a && !(a & (a - 1)); }

/* NULL if the block is not placed. Invalid alignments are left to the next
 * allocator. */
static void *placed(size_t align, size_t n, const uintptr_t *slot) {
  bool zeroed;
  return is_power_of_two(align) ? ek_stack_alloc(align, n, &zeroed, slot)
                                : NULL;
}

EXPORT void *malloc(size_t n) {
  void *p = placed(1, n, EK_RETURN_SLOT);
  return p ? p : next.malloc(n);
}
EXPORT void *calloc(size_t k, size_t n) {
  size_t all;
  bool zeroed;
  void *p = NULL;
  if (!__builtin_mul_overflow(k, n, &all))
    p = ek_stack_alloc(1, all, &zeroed, EK_RETURN_SLOT);
  if (!p)
    return next.calloc(k, n);
  return zeroed ? p : memset(p, 0, all);
}
EXPORT void *memalign(size_t align, size_t n) {
  void *p = placed(align, n, EK_RETURN_SLOT);
  return p ? p : next.memalign(align, n);
}
EXPORT void *aligned_alloc(size_t align, size_t n) {
  void *p = placed(align, n, EK_RETURN_SLOT);
  return p ? p : next.aligned_alloc(align, n);
}
EXPORT int posix_memalign(void **out, size_t align, size_t n) {
  void *p = align >= sizeof(void *) ? placed(align, n, EK_RETURN_SLOT) : NULL;
  if (!p)
    return next.posix_memalign(out, align, n);
  *out = p;
  return 0;
}
EXPORT void *valloc(size_t n) {
  void *p = placed((size_t)sysconf(_SC_PAGESIZE), n, EK_RETURN_SLOT);
  return p ? p : next.valloc(n);
}
EXPORT void *pvalloc(size_t n) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), all;
  void *p = NULL;
  if (!__builtin_add_overflow(n, page - 1, &all))
    p = placed(page, all & ~(page - 1), EK_RETURN_SLOT);
  return p ? p : next.pvalloc(n);
}
