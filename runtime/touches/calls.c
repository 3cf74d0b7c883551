/*===- calls.c - the malloc family and mappings, watched ----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Part of libevenkeel-touches, which is preloaded: every call goes on to the
 * next allocator or the kernel and returns what that returns. Large blocks and
 * anonymous mappings are entered into the table.
 * Not here: mappings that the C library makes for itself, and system calls that
 * bypass it.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "touches/base/raw.h"
#include "touches/blocks.h"
#include "touches/sampler.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define CALLER ((const uintptr_t *)__builtin_frame_address(0) + 1)

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t k, size_t n);
void *__libc_memalign(size_t align, size_t n);
void __libc_free(void *p);

static struct {
  void *(*malloc)(size_t);
  void *(*calloc)(size_t, size_t);
  void *(*realloc)(void *, size_t);
  void *(*memalign)(size_t, size_t);
  void *(*aligned_alloc)(size_t, size_t);
  int (*posix_memalign)(void **, size_t, size_t);
  void *(*valloc)(size_t);
  void *(*pvalloc)(size_t);
  void (*free)(void *);
  size_t (*usable_size)(void *);
} next;
static bool resolved;

static _Thread_local bool resolving __attribute__((tls_model("initial-exec")));

#define FIND(member, name)                                                     \
  (*(void **)&next.member = dlsym(RTLD_NEXT, name)) /* the cast POSIX gives */

/* At the very first request. The look-up itself may allocate: that goes to
 * glibc. False in that case. */
static bool ready(void) {
  if (__builtin_expect(__atomic_load_n(&resolved, __ATOMIC_ACQUIRE), 1))
    return true;
  if (resolving)
    return false;
  resolving = true;
  FIND(malloc, "malloc");
  FIND(calloc, "calloc");
  FIND(realloc, "realloc");
  FIND(memalign, "memalign");
  FIND(aligned_alloc, "aligned_alloc");
  FIND(posix_memalign, "posix_memalign");
  FIND(valloc, "valloc");
  FIND(pvalloc, "pvalloc");
  FIND(free, "free");
  FIND(usable_size, "malloc_usable_size");
  resolving = false;
  __atomic_store_n(&resolved, true, __ATOMIC_RELEASE);
  return true;
}

static inline bool is_large(size_t n) {
  return __builtin_expect(
      n >= __atomic_load_n(&ek_blocks_threshold, __ATOMIC_RELAXED), 0);
}

static inline void *made(void *p, size_t n, const uintptr_t *caller) {
  if (is_large(n) && p) {
    const int saved = errno;
    ek_blocks_add(p, n, EK_TOUCH_BLOCK, caller);
    errno = saved;
  }
  return p;
}

/* The same for a block whose pages are those of a block that had taken \p taken
 * bytes of fast memory. */
static inline void *made_of(void *p, size_t n, const uintptr_t *caller,
                            uint64_t taken) {
  const int saved = errno;
  if (is_large(n) && p)
    ek_blocks_add_moved(p, n, EK_TOUCH_BLOCK, caller, taken);
  else
    ek_blocks_give_back(taken);
  errno = saved;
  return p;
}

/* --- the malloc family -------------------------------------------------------
 */

EXPORT void *malloc(size_t n) {
  return ready() ? made(next.malloc(n), n, CALLER) : __libc_malloc(n);
}

EXPORT void *calloc(size_t k, size_t n) {
  return ready() ? made(next.calloc(k, n), k * n, CALLER) : __libc_calloc(k, n);
}

EXPORT void *memalign(size_t align, size_t n) {
  return ready() ? made(next.memalign(align, n), n, CALLER)
                 : __libc_memalign(align, n);
}

EXPORT void *aligned_alloc(size_t align, size_t n) {
  return ready() ? made(next.aligned_alloc(align, n), n, CALLER)
                 : __libc_memalign(align, n);
}

EXPORT int posix_memalign(void **out, size_t align, size_t n) {
  if (!ready())
    return ENOMEM;
  const int failed = next.posix_memalign(out, align, n);
  if (!failed)
    made(*out, n, CALLER);
  return failed;
}

EXPORT void *valloc(size_t n) {
  return ready() ? made(next.valloc(n), n, CALLER) : NULL;
}

EXPORT void *pvalloc(size_t n) {
  return ready() ? made(next.pvalloc(n), n, CALLER) : NULL;
}

/* Whether \p p may be in the table: blocks below the threshold are not. */
static bool may_be_known(void *p) {
  return p && ek_blocks_any() && is_large(next.usable_size(p));
}

EXPORT void free(void *p) {
  if (!ready()) {
    __libc_free(p);
    return;
  }
  if (may_be_known(p)) {
    const int saved = errno;
    ek_blocks_remove(p);
    errno = saved;
  }
  next.free(p);
}

/* A large block that grows is moved by mremap, which takes one mapping only. */
EXPORT void *realloc(void *p, size_t n) {
  if (!ready())
    return NULL;
  if (!may_be_known(p))
    return made(next.realloc(p, n), n, CALLER);
  const uintptr_t from = (uintptr_t)p;
  const size_t old = next.usable_size(p);
  ek_sampler_whole(from, from + old);
  const uint64_t taken = ek_blocks_take_over(p);
  const bool known = ek_blocks_remove(p);
  void *q = next.realloc(p, n);
  ek_sampler_goes_on();
  if (!q && n) {
    if (known) /* the old block lives on */
      made_of(p, old, CALLER, taken);
    return NULL;
  }
  return made_of(q, n, CALLER, taken);
}

EXPORT void *reallocarray(void *p, size_t k, size_t n) {
  size_t all;
  if (__builtin_mul_overflow(k, n, &all)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(p, all);
}

/* --- mappings ----------------------------------------------------------------
 */

static long returned(long result) {
  if (result >= 0 || result < -4095)
    return result;
  errno = (int)-result;
  return -1;
}

static void *map(void *p, size_t n, int protection, int flags, int fd,
                 off_t offset, const uintptr_t *caller) {
  void *q = (void *)returned(
      ek_raw_call(SYS_mmap, (long)p, (long)n, protection, flags, fd, offset));
  if (q == MAP_FAILED || !is_large(n))
    return q;
  const int saved = errno;
  if (flags & MAP_FIXED)
    ek_blocks_cut((uintptr_t)q, (uintptr_t)q + n);
  else if (flags & MAP_ANONYMOUS && protection != PROT_NONE)
    ek_blocks_add(q, n, EK_TOUCH_MAP, caller);
  errno = saved;
  return q;
}

EXPORT void *mmap(void *p, size_t n, int protection, int flags, int fd,
                  off_t offset) {
  return map(p, n, protection, flags, fd, offset, CALLER);
}

EXPORT void *mmap64(void *p, size_t n, int protection, int flags, int fd,
                    off64_t offset) {
  return map(p, n, protection, flags, fd, offset, CALLER);
}

EXPORT int munmap(void *p, size_t n) {
  ek_blocks_cut((uintptr_t)p, (uintptr_t)p + n);
  return (int)returned(ek_raw3(SYS_munmap, (long)p, (long)n, 0));
}

EXPORT void *mremap(void *p, size_t old, size_t n, int flags, ...) {
  void *wanted = NULL;
  if (flags & MREMAP_FIXED) {
    va_list arguments;
    va_start(arguments, flags);
    wanted = va_arg(arguments, void *);
    va_end(arguments);
  }
  const uintptr_t from = (uintptr_t)p;
  ek_sampler_whole(from, from + old);
  const uint64_t taken = ek_blocks_take_over(p);
  void *q = (void *)returned(ek_raw_call(SYS_mremap, (long)p, (long)old,
                                         (long)n, flags, (long)wanted, 0));
  ek_sampler_goes_on();
  const int saved = errno;
  if (q == MAP_FAILED) {
    ek_blocks_give_back(taken);
    errno = saved;
    return q;
  }
  if (wanted)
    ek_blocks_cut((uintptr_t)wanted, (uintptr_t)wanted + n);
  ek_blocks_cut(from, from + old);
  if (is_large(n))
    ek_blocks_add_moved(q, n, EK_TOUCH_MAP, CALLER, taken);
  else
    ek_blocks_give_back(taken);
  errno = saved;
  return q;
}
