/*===- plain.c - rewritten code without the runtime ---------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the meaning of every inserted call where nothing can be placed: that
 * of ek.h with EVENKEEL_DISABLE. A test compares the names with libevenkeel's.
 * In a static program the C library's free() cannot be intercepted; objects
 * that were rewritten for libevenkeel are linked with this archive
 * (libevenkeel-plain.a) and behave as before the rewrite.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define EVENKEEL_DISABLE
#include "evenkeel/ek.h"

#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

const int ek_abi_v1 = EK_ABI_VERSION;

/* Defines both forms, without and with a plan. A name in parentheses is the
 * function; without them it is ek.h's macro. */
#define BOTH(type, name, params, params_at, args, args_at)                     \
  type(name) params;                                                           \
  type(name) params { return name args; }                                      \
  type(name##_at) params_at;                                                   \
  type(name##_at) params_at { return name##_at args_at; }

BOTH(void *, ek_malloc, (ek_id s, ek_size n), (ek_id s, unsigned f, ek_size n),
     (s, n), (s, f, n))
BOTH(void *, ek_calloc, (ek_id s, ek_size k, ek_size n),
     (ek_id s, unsigned f, ek_size k, ek_size n), (s, k, n), (s, f, k, n))
BOTH(void *, ek_realloc, (ek_id s, void *p, ek_size n),
     (ek_id s, unsigned f, void *p, ek_size n), (s, p, n), (s, f, p, n))
BOTH(void *, ek_reallocarray, (ek_id s, void *p, ek_size k, ek_size n),
     (ek_id s, unsigned f, void *p, ek_size k, ek_size n), (s, p, k, n),
     (s, f, p, k, n))
BOTH(void *, ek_aligned_alloc, (ek_id s, ek_size a, ek_size n),
     (ek_id s, unsigned f, ek_size a, ek_size n), (s, a, n), (s, f, a, n))
BOTH(int, ek_posix_memalign, (ek_id s, void **p, ek_size a, ek_size n),
     (ek_id s, unsigned f, void **p, ek_size a, ek_size n), (s, p, a, n),
     (s, f, p, a, n))
BOTH(void *, ek_memalign, (ek_id s, ek_size a, ek_size n),
     (ek_id s, unsigned f, ek_size a, ek_size n), (s, a, n), (s, f, a, n))
BOTH(void *, ek_valloc, (ek_id s, ek_size n), (ek_id s, unsigned f, ek_size n),
     (s, n), (s, f, n))
BOTH(void *, ek_pvalloc, (ek_id s, ek_size n), (ek_id s, unsigned f, ek_size n),
     (s, n), (s, f, n))
BOTH(void *, ek_mmap,
     (ek_id s, void *p, ek_size n, int r, int f, int fd, long o),
     (ek_id s, unsigned t, void *p, ek_size n, int r, int f, int fd, long o),
     (s, p, n, r, f, fd, o), (s, t, p, n, r, f, fd, o))

/* As in the compilers' <mm_malloc.h>: aligned memory that free() accepts. */
void *(ek_mm_malloc)(ek_id s, ek_size n, ek_size a);
void *(ek_mm_malloc)(ek_id s, ek_size n, ek_size a) {
  void *p = NULL;
  if (a == 1)
    return malloc(n);
  if (!(a & (a - 1)) && a < sizeof(void *))
    a = sizeof(void *);
  return posix_memalign(&p, a, n) == 0 ? p : NULL;
}
void *(ek_mm_malloc_at)(ek_id s, unsigned f, ek_size n, ek_size a);
void *(ek_mm_malloc_at)(ek_id s, unsigned f, ek_size n, ek_size a) {
  return (ek_mm_malloc)(s, n, a);
}
void(ek_mm_free)(void *p);
void(ek_mm_free)(void *p) { free(p); }
void(ek_free)(void *p);
void(ek_free)(void *p) { ek_free(p); }
ek_size(ek_usable_size)(void *p);
ek_size(ek_usable_size)(void *p) { return ek_usable_size(p); }
int(ek_munmap)(void *p, ek_size n);
int(ek_munmap)(void *p, ek_size n) { return ek_munmap(p, n); }

void(ek_global)(ek_id s, void *p, ek_size n);
void(ek_global)(ek_id s, void *p, ek_size n) {}
void(ek_global_at)(ek_id s, unsigned f, void *p, ek_size n);
void(ek_global_at)(ek_id s, unsigned f, void *p, ek_size n) {}
void ek_static(ek_id s, unsigned f, unsigned char *done, void *p, ek_size n);
void ek_static(ek_id s, unsigned f, unsigned char *done, void *p, ek_size n) {
  __atomic_store_n(done, 1, __ATOMIC_RELAXED);
}
ek_size ek_given_size(ek_size n);
ek_size ek_given_size(ek_size n) { return n; }
void *ek_given_pointer(void *p);
void *ek_given_pointer(void *p) { return p; }
int ek_given(ek_id s, unsigned f, int error);
int ek_given(ek_id s, unsigned f, int error) { return error; }
void *ek_forget(void *p);
void *ek_forget(void *p) { return p; }

void ek_context_push(ek_id id, unsigned fast, unsigned kind, const void *frame,
                     const void *owner);
void ek_context_push(ek_id id, unsigned fast, unsigned kind, const void *frame,
                     const void *owner) {}
void ek_context_pop(ek_id id, const void *frame, const void *owner);
void ek_context_pop(ek_id id, const void *frame, const void *owner) {}
void ek_context_push_if(void *wrapper, ek_id id, const void *frame);
void ek_context_push_if(void *wrapper, ek_id id, const void *frame) {}
void(ek_sync)(ek_id id, unsigned context);
void(ek_sync)(ek_id id, unsigned context) {}
void(ek_before)(void);
void(ek_before)(void) {}
int(ek_after)(ek_id id, unsigned context, int result);
int(ek_after)(ek_id id, unsigned context, int result) { return result; }
void(ek_region_begin)(ek_id id);
void(ek_region_begin)(ek_id id) {}
void(ek_region_end)(ek_id id);
void(ek_region_end)(ek_id id) {}
struct ek_value;
void ek_values(ek_id region, const struct ek_value *values, unsigned count);
void ek_values(ek_id region, const struct ek_value *values, unsigned count) {}
void ek_total(ek_id region, ek_id total, long long count);
void ek_total(ek_id region, ek_id total, long long count) {}

int(ek_acquire_all)(ek_id task, ek_need *needs, unsigned count);
int(ek_acquire_all)(ek_id task, ek_need *needs, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    needs[i].at = needs[i].p;
  return 0;
}
int(ek_release_all)(ek_id task, ek_need *needs, unsigned count);
int(ek_release_all)(ek_id task, ek_need *needs, unsigned count) { return 0; }
void(ek_announce)(ek_id task, const ek_need *needs, unsigned count);
void(ek_announce)(ek_id task, const ek_need *needs, unsigned count) {}
void *(ek_acquire)(ek_id task, void *p, ek_size n, unsigned mode);
void *(ek_acquire)(ek_id task, void *p, ek_size n, unsigned mode) { return p; }
int(ek_release)(ek_id task, void *p);
int(ek_release)(ek_id task, void *p) { return 0; }
void(ek_bring_home)(void);
void(ek_bring_home)(void) {}
