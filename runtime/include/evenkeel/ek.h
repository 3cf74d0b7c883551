/*===- ek.h - the whole C interface of the Evenkeel runtime -------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rewritten programs include this one header. Table of inserted calls (ID is
 * the 64-bit id of the site or sync point, written as 0x...ULL):
 *
 *   original                     without a plan            with a plan
 *   malloc(n)                    ek_malloc(ID, n)          ek_malloc_at(ID,
 *EK_FAST(37), n) calloc(k, n)                 ek_calloc(ID, k, n)
 *ek_calloc_at(ID, EK_FAST(37), k, n) realloc(p, n) ek_realloc(ID, p, n)
 *ek_realloc_at(ID, EK_FAST(37), p, n) aligned_alloc(a, n) ek_aligned_alloc(ID,
 *a, n)    ..._at(ID, EK_FAST(37), a, n) posix_memalign(&p, a, n)
 *ek_posix_memalign(ID, &p, a, n) ..._at(ID, EK_FAST(37), &p, a, n) free(p)
 *ek_free(p) new T[n]                     new (ek::site(ID)) T[n]   new
 *(ek::site(ID, EK_FAST(37))) T[n] delete[] p                   unchanged: the
 *runtime takes every pointer after a sync point           ek_sync(ID,
 *EK_SERIAL);   or ek_sync(ID, EK_TEAM);
 *
 * Every function has the semantics of the one it replaces (errno, NULL,
 * alignment, size 0) and is thread-safe. Pointers may go to either side:
 *ek_free takes libc's, free takes ours. -DEVENKEEL_DISABLE turns all of it back
 *into the plain calls, and needs no library.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_EK_H
#define EVENKEEL_EK_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define EK_ABI_VERSION 1

/* Percent of the object, its first part, that should lie in the fast tier;
 * EVENKEEL_PLAN says more (ranges, instances) and wins. */
#define EK_FAST(percent) ((unsigned)(percent))

/* Who reaches a hook: one thread, or every thread of a team. */
#define EK_SERIAL 0u
#define EK_TEAM 1u

#ifndef EVENKEEL_DISABLE

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define EK_ATTR_MALLOC(...) __attribute__((malloc, alloc_size(__VA_ARGS__)))
#else
#define EK_ATTR_MALLOC(...)
#endif

void *ek_malloc(uint64_t site, size_t n) EK_ATTR_MALLOC(2);
void *ek_malloc_at(uint64_t site, unsigned fast, size_t n) EK_ATTR_MALLOC(3);
void *ek_calloc(uint64_t site, size_t k, size_t n) EK_ATTR_MALLOC(2, 3);
void *ek_calloc_at(uint64_t site, unsigned fast, size_t k, size_t n)
    EK_ATTR_MALLOC(3, 4);
void *ek_realloc(uint64_t site, void *p, size_t n);
void *ek_realloc_at(uint64_t site, unsigned fast, void *p, size_t n);
void *ek_aligned_alloc(uint64_t site, size_t align, size_t n) EK_ATTR_MALLOC(3);
void *ek_aligned_alloc_at(uint64_t site, unsigned fast, size_t align, size_t n)
    EK_ATTR_MALLOC(4);
int ek_posix_memalign(uint64_t site, void **p, size_t align, size_t n);
int ek_posix_memalign_at(uint64_t site, unsigned fast, void **p, size_t align,
                         size_t n);
void ek_free(void *p);
size_t ek_usable_size(void *p);

/* Registers an array of static storage; twice is harmless. */
void ek_global(uint64_t site, void *p, size_t n);

/* A point where tasks have waited for each other. */
void ek_sync(uint64_t id, unsigned context);

/* Brackets one task's execution of a region, for measured task times. */
void ek_region_begin(uint64_t id);
void ek_region_end(uint64_t id);

/* Linking against another ABI fails here, not at run time. */
extern const int ek_abi_v1;
#if defined(__GNUC__)
__attribute__((used)) static const int *const ek_abi_check_ = &ek_abi_v1;
#endif

#ifdef __cplusplus
} /* extern "C" */

#include <new>
namespace ek {
/* Tag of the placement forms of operator new. */
struct site {
  uint64_t id;
  unsigned fast; /* percent, or ~0u: not said */
  explicit site(uint64_t i, unsigned f = ~0u) : id(i), fast(f) {}
};
} // namespace ek
void *operator new(std::size_t n, ek::site s);
void *operator new[](std::size_t n, ek::site s);
/* Called when a constructor throws. */
void operator delete(void *p, ek::site s) noexcept;
void operator delete[](void *p, ek::site s) noexcept;
#endif

#else /* EVENKEEL_DISABLE */

#define ek_malloc(site, n) malloc(n)
#define ek_malloc_at(site, fast, n) malloc(n)
#define ek_calloc(site, k, n) calloc(k, n)
#define ek_calloc_at(site, fast, k, n) calloc(k, n)
#define ek_realloc(site, p, n) realloc(p, n)
#define ek_realloc_at(site, fast, p, n) realloc(p, n)
#define ek_aligned_alloc(site, a, n) aligned_alloc(a, n)
#define ek_aligned_alloc_at(site, fast, a, n) aligned_alloc(a, n)
#define ek_posix_memalign(site, p, a, n) posix_memalign(p, a, n)
#define ek_posix_memalign_at(site, fast, p, a, n) posix_memalign(p, a, n)
#define ek_free(p) free(p)
#include <malloc.h>
#define ek_usable_size(p) malloc_usable_size(p)
#define ek_global(site, p, n) ((void)0)
#define ek_sync(id, context) ((void)0)
#define ek_region_begin(id) ((void)0)
#define ek_region_end(id) ((void)0)
#ifdef __cplusplus
#include <new>
namespace ek {
struct site {
  explicit site(uint64_t, unsigned = ~0u) {}
};
} // namespace ek
inline void *operator new(std::size_t n, ek::site) { return ::operator new(n); }
inline void *operator new[](std::size_t n, ek::site) {
  return ::operator new[](n);
}
inline void operator delete(void *p, ek::site) noexcept {
  ::operator delete(p);
}
inline void operator delete[](void *p, ek::site) noexcept {
  ::operator delete[](p);
}
#endif
#endif /* EVENKEEL_DISABLE */

#endif
