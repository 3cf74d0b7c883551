/*===- reserved.h - the address range that is ours ----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: one reserved address range, cut into granules and these into pages.
 * Whether a pointer is ours is one comparison.
 * Leaves out: who reserves it (objects/pages.c) and what lies in it
 * (objects/extent.c).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_RESERVED_H
#define EVENKEEL_RUNTIME_RESERVED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EK_GRANULE_SHIFT 16
#define EK_GRANULE ((size_t)1 << EK_GRANULE_SHIFT)
#define EK_PAGE_BYTES ((size_t)4096)
#define EK_HUGE_BYTES ((size_t)2 << 20)

typedef struct ek_reserved_t {
  uintptr_t base;
  size_t bytes; /* that may hold extents by now; only grows */
} ek_reserved_t;
extern ek_reserved_t ek_reserved;

static inline bool ek_in_reserved(const void *p) {
  return (uintptr_t)p - ek_reserved.base <
         __atomic_load_n(&ek_reserved.bytes, __ATOMIC_RELAXED);
}

/* The first page of what starts at \p base, and the bytes of all pages that
 * \p bytes from there lie in. */
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
