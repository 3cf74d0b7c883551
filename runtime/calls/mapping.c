/*===- mapping.c - mmap and related calls -------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: anonymous mappings become objects if their call is annotated or is in
 * the table of call stacks. Unmapping or mapping over an object ends it. These
 * functions intercept the C library's.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "calls/context.h"
#include "calls/range.h"
#include "calls/stack.h"
#include "core/reserved.h"
#include "core/system.h"
#include "evenkeel/ek.h"
#include "objects/pages.h"
#include "placement/place.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/types.h>

#define EXPORT __attribute__((visibility("default")))

static size_t whole_pages(size_t n) {
  return (n + EK_PAGE_BYTES - 1) & ~(EK_PAGE_BYTES - 1);
}

static void unmapped(void *p, size_t n) {
  if (ek_range_any())
    ek_range_forget((uintptr_t)p, (uintptr_t)p + whole_pages(n));
}

static void *map(void *p, size_t n, int protection, int flags, int fd,
                 long offset) {
  if (flags & MAP_FIXED) {
    unmapped(p, n);
    ek_pages_alter(p, n);
  }
  return (void *)ek_system(SYS_mmap, (long)p, (long)n, protection, flags, fd,
                           offset);
}

EXPORT void *ek_mmap_at(uint64_t site, unsigned fast, void *p, size_t n,
                        int protection, int flags, int fd, long offset) {
  void *got = map(p, n, protection, flags, fd, offset);
  if (got != MAP_FAILED && flags & MAP_ANONYMOUS && ek_range_is_large(n))
    ek_range_mapped(
        &(ek_asked){.site = site, .context = ek_context_of(site), .fast = fast},
        got, n, protection, flags);
  return got;
}

EXPORT void *ek_mmap(uint64_t site, void *p, size_t n, int protection,
                     int flags, int fd, long offset) {
  return ek_mmap_at(site, EK_NO_FAST, p, n, protection, flags, fd, offset);
}

/* The runtime's own mappings pass through here, too, at any time: nothing here
 * may depend on the runtime having started. */
static void *map_for(void *p, size_t n, int protection, int flags, int fd,
                     off_t offset, const uintptr_t *slot) {
  void *got = map(p, n, protection, flags, fd, offset);
  if (ek_stack_mapped && got != MAP_FAILED && flags & MAP_ANONYMOUS)
    ek_stack_mapped(got, n, protection, flags, slot);
  return got;
}
EXPORT void *mmap(void *p, size_t n, int protection, int flags, int fd,
                  off_t offset) {
  return map_for(p, n, protection, flags, fd, offset, EK_RETURN_SLOT);
}
EXPORT void *mmap64(void *p, size_t n, int protection, int flags, int fd,
                    off64_t offset) {
  return map_for(p, n, protection, flags, fd, offset, EK_RETURN_SLOT);
}

EXPORT int munmap(void *p, size_t n) {
  ek_pages_alter(p, n);
  if (ek_range_any() && n && !((uintptr_t)p & (EK_PAGE_BYTES - 1)))
    ek_range_forget((uintptr_t)p, (uintptr_t)p + whole_pages(n));
  return ek_system_unmap(p, n);
}

EXPORT int ek_munmap(void *p, size_t n) { return munmap(p, n); }

EXPORT void *mremap(void *p, size_t old, size_t n, int flags, ...) {
  void *wanted = NULL;
  if (flags & MREMAP_FIXED) {
    va_list arguments;
    va_start(arguments, flags);
    wanted = va_arg(arguments, void *);
    va_end(arguments);
  }
  ek_object *o = NULL;
  if (ek_range_any())
    o = ek_range_take((uintptr_t)p, (uintptr_t)p + 1);
  if (o)
    ek_range_give_back(o);
  if (wanted) {
    ek_range_forget((uintptr_t)wanted, (uintptr_t)wanted + whole_pages(n));
    ek_pages_alter(wanted, n);
  }
  ek_pages_alter(p, old);
  void *got = (void *)ek_system(SYS_mremap, (long)p, (long)old, (long)n, flags,
                                (long)wanted, 0);
  if (!o)
    return got;
  int saved = errno;
  if (got != MAP_FAILED) {
    /* If only a part of the object moved, the rest is no longer tracked. */
    o->base = (uintptr_t)got;
    o->bytes = n;
  }
  if (ek_range_put(o)) {
    ek_place_moved(o);
  } else {
    ek_range_gone(o);
  }
  errno = saved;
  return got;
}
