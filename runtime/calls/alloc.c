/*===- alloc.c - the annotated allocation calls -------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: large requests become placed objects (placed.c). All others (small,
 * size 0, impossible, no room) go to the C library, which also sets their
 * errors and errno.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "calls/interpose.h"
#include "calls/placed.h"
#include "core/libc.h"
#include "core/reserved.h"
#include "evenkeel/ek.h"
#include "objects/object.h"

#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT const int ek_abi_v1 = 1;

static void *alloc(uint64_t site, unsigned fast, size_t n) {
  bool zeroed;
  void *p;
  if (ek_may_place(n) && (p = ek_placed_new(site, fast, 1, n, &zeroed)))
    return p;
  return malloc(n);
}

static void *alloc_zero(uint64_t site, unsigned fast, size_t k, size_t n) {
  bool zeroed;
  size_t all;
  void *p;
  if (!__builtin_mul_overflow(k, n, &all) && ek_may_place(all) &&
      (p = ek_placed_new(site, fast, 1, all, &zeroed)))
    return zeroed ? p : memset(p, 0, all);
  return calloc(k, n);
}

static bool is_power_of_two(size_t a) { return a && !(a & (a - 1)); }

static void *alloc_aligned(uint64_t site, unsigned fast, size_t align,
                           size_t n) {
  bool zeroed;
  void *p;
  if (is_power_of_two(align) && ek_may_place(n) &&
      (p = ek_placed_new(site, fast, align, n, &zeroed)))
    return p;
  return aligned_alloc(align, n);
}

static int alloc_memalign(uint64_t site, unsigned fast, void **out,
                          size_t align, size_t n) {
  bool zeroed;
  void *p;
  if (is_power_of_two(align) && align >= sizeof(void *) && ek_may_place(n) &&
      (p = ek_placed_new(site, fast, align, n, &zeroed))) {
    *out = p;
    return 0;
  }
  return posix_memalign(out, align, n);
}

/* For the older functions, which accept any alignment; the C library decides
 * about alignments that are not a power of two. */
static void *alloc_boundary(uint64_t site, unsigned fast, size_t align,
                            size_t n) {
  bool zeroed;
  void *p;
  if (is_power_of_two(align) && ek_may_place(n) &&
      (p = ek_placed_new(site, fast, align, n, &zeroed)))
    return p;
  return memalign(align, n);
}

static size_t system_page(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static void *alloc_pages(uint64_t site, unsigned fast, size_t n) {
  return alloc_boundary(site, fast, system_page(), n);
}

static void *alloc_whole_pages(uint64_t site, unsigned fast, size_t n) {
  size_t page = system_page(), all;
  if (__builtin_add_overflow(n, page - 1, &all)) {
    errno = ENOMEM;
    return NULL;
  }
  return alloc_boundary(site, fast, page, all & ~(page - 1));
}

/* Small alignments behave as in the compilers' mm_malloc.h. */
static void *alloc_mm(uint64_t site, unsigned fast, size_t n, size_t align) {
  void *p;
  if (align == 1)
    return alloc(site, fast, n);
  if (align == 2 || (sizeof(void *) == 8 && align == 4))
    align = sizeof(void *);
  return alloc_memalign(site, fast, &p, align, n) == 0 ? p : NULL;
}

static void *realloc_annotated(uint64_t site, unsigned fast, void *p,
                               size_t n) {
  if (p && ek_in_reserved(p))
    return ek_placed_realloc(p, n);
  bool zeroed;
  void *q;
  if (!ek_may_place(n) || !(q = ek_placed_new(site, fast, 1, n, &zeroed)))
    return ek_libc.realloc(p, n);
  return ek_adopt(q, n, p);
}

static void *realloc_array(uint64_t site, unsigned fast, void *p, size_t k,
                           size_t n) {
  size_t all;
  if (__builtin_mul_overflow(k, n, &all)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc_annotated(site, fast, p, all);
}

/* --- the public calls --------------------------------------------------------
 */

EXPORT void *ek_malloc(uint64_t site, size_t n) {
  return alloc(site, EK_NO_FAST, n);
}
EXPORT void *ek_malloc_at(uint64_t site, unsigned fast, size_t n) {
  return alloc(site, fast, n);
}
EXPORT void *ek_calloc(uint64_t site, size_t k, size_t n) {
  return alloc_zero(site, EK_NO_FAST, k, n);
}
EXPORT void *ek_calloc_at(uint64_t site, unsigned fast, size_t k, size_t n) {
  return alloc_zero(site, fast, k, n);
}
EXPORT void *ek_realloc(uint64_t site, void *p, size_t n) {
  return realloc_annotated(site, EK_NO_FAST, p, n);
}
EXPORT void *ek_realloc_at(uint64_t site, unsigned fast, void *p, size_t n) {
  return realloc_annotated(site, fast, p, n);
}
EXPORT void *ek_aligned_alloc(uint64_t site, size_t align, size_t n) {
  return alloc_aligned(site, EK_NO_FAST, align, n);
}
EXPORT void *ek_aligned_alloc_at(uint64_t site, unsigned fast, size_t align,
                                 size_t n) {
  return alloc_aligned(site, fast, align, n);
}
EXPORT int ek_posix_memalign(uint64_t site, void **p, size_t align, size_t n) {
  return alloc_memalign(site, EK_NO_FAST, p, align, n);
}
EXPORT int ek_posix_memalign_at(uint64_t site, unsigned fast, void **p,
                                size_t align, size_t n) {
  return alloc_memalign(site, fast, p, align, n);
}
EXPORT void *ek_reallocarray(uint64_t site, void *p, size_t k, size_t n) {
  return realloc_array(site, EK_NO_FAST, p, k, n);
}
EXPORT void *ek_reallocarray_at(uint64_t site, unsigned fast, void *p, size_t k,
                                size_t n) {
  return realloc_array(site, fast, p, k, n);
}
EXPORT void *ek_memalign(uint64_t site, size_t align, size_t n) {
  return alloc_boundary(site, EK_NO_FAST, align, n);
}
EXPORT void *ek_memalign_at(uint64_t site, unsigned fast, size_t align,
                            size_t n) {
  return alloc_boundary(site, fast, align, n);
}
EXPORT void *ek_valloc(uint64_t site, size_t n) {
  return alloc_pages(site, EK_NO_FAST, n);
}
EXPORT void *ek_valloc_at(uint64_t site, unsigned fast, size_t n) {
  return alloc_pages(site, fast, n);
}
EXPORT void *ek_pvalloc(uint64_t site, size_t n) {
  return alloc_whole_pages(site, EK_NO_FAST, n);
}
EXPORT void *ek_pvalloc_at(uint64_t site, unsigned fast, size_t n) {
  return alloc_whole_pages(site, fast, n);
}
EXPORT void *ek_mm_malloc(uint64_t site, size_t n, size_t align) {
  return alloc_mm(site, EK_NO_FAST, n, align);
}
EXPORT void *ek_mm_malloc_at(uint64_t site, unsigned fast, size_t n,
                             size_t align) {
  return alloc_mm(site, fast, n, align);
}
EXPORT void ek_mm_free(void *p) { ek_any_free(p); }
EXPORT void ek_free(void *p) { ek_any_free(p); }
EXPORT size_t ek_usable_size(void *p) { return p ? ek_any_usable_size(p) : 0; }
