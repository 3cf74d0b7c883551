/*===- reserved.h - the reserved address range --------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: placed objects lie in one reserved address range, which is divided
 * into granules, and granules into pages. One comparison tells whether a
 * pointer is ours.
 * Not here: the reservation itself (objects/pages.c) and its contents
 * (objects/extent.c).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_RESERVED_H
#define EVENKEEL_RUNTIME_RESERVED_H

#include "format/ek_sizes.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EK_GRANULE_SHIFT 16
#define EK_GRANULE ((size_t)1 << EK_GRANULE_SHIFT)
#define EK_PAGE_BYTES ((size_t)EK_PAGE)
#define EK_HUGE_BYTES ((size_t)2 << 20)

typedef struct ek_reserved_t {
  uintptr_t base;
  size_t bytes; /* the prefix that may hold extents so far; only grows */
} ek_reserved_t;
extern ek_reserved_t ek_reserved;

static inline bool ek_in_reserved(const void *p) {
  return (uintptr_t)p - ek_reserved.base <
         __atomic_load_n(&ek_reserved.bytes, __ATOMIC_RELAXED);
}

/* The address of the first page of an object at \p base, and the size in bytes
 * of all pages that [base, base + bytes) touches. */
static inline uintptr_t ek_first_page(uintptr_t base) {
  return base & ~(uintptr_t)(EK_PAGE_BYTES - 1);
}
static inline size_t ek_page_span(uintptr_t base, size_t bytes) {
  return ek_first_page(base + bytes + EK_PAGE_BYTES - 1) - ek_first_page(base);
}

#ifdef __cplusplus
}
#endif
#endif
