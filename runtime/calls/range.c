/*===- range.c - objects in memory that is not from our extents ---*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: static storage, anonymous mappings and blocks of other libraries are
 * objects whose whole pages are placed; and what happens to them when any part
 * of the program gives their memory back.
 * Not here: mappings of files, reservations without access, and mappings at an
 * address the caller fixes, which are parts of a larger layout of the program.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "calls/range.h"
#include "core/events.h"
#include "core/reserved.h"
#include "core/stats.h"
#include "evenkeel/ek.h"
#include "placement/place.h"
#include "providers/provider.h"

#include <errno.h>
#include <sys/mman.h>

#define EXPORT __attribute__((visibility("default")))

/* --- ending an object --------------------------------------------------------
 */

void ek_range_give_back(ek_object *o) {
  uintptr_t from = (o->base + EK_PAGE_BYTES - 1) & ~(EK_PAGE_BYTES - 1);
  uintptr_t to = (o->base + o->bytes) & ~(EK_PAGE_BYTES - 1);
  if (ek_unplace(o) && from < to)
    ek_provider_now->release((void *)from, to - from);
}

void ek_range_gone(ek_object *o) {
  ek_range_give_back(o);
  ek_tell_freed_object(o);
  ek_object_delete(o);
  ek_add(freed, 1);
}

/* Shortens an object when [from, to) is unmapped: its larger end remains. */
static void cut(ek_object *o, uintptr_t from, uintptr_t to) {
  uintptr_t end = o->base + o->bytes;
  size_t before = from > o->base ? from - o->base : 0;
  size_t after = end > to ? end - to : 0;
  if (!before && !after) {
    ek_range_gone(o);
    return;
  }
  if (before && after)
    ek_count(EK_WHY_map_split, before < after ? before : after);
  ek_range_give_back(o);
  if (after > before)
    o->base = to;
  o->bytes = before > after ? before : after;
  if (!ek_range_put(o)) {
    ek_range_gone(o);
    return;
  }
  ek_place_moved(o);
}

void ek_range_forget(uintptr_t from, uintptr_t to) {
  int saved = errno;
  ek_object *o;
  /* Terminates: an end that remains no longer overlaps. */
  while (ek_range_any() && (o = ek_range_take(from, to)))
    cut(o, from, to);
  errno = saved;
}

/* --- registering an object ---------------------------------------------------
 */

static void add_known(const ek_asked *asked, void *p, size_t n, ek_range kind) {
  if (kind != EK_FIXED) /* older objects here ended without our noticing */
    ek_range_forget((uintptr_t)p, (uintptr_t)p + n);
  ek_object *o = ek_range_add(asked->site, asked->context, p, n, kind);
  if (!o)
    return;
  ek_place(o, asked->fast);
  ek_add(named_bytes, n);
  if (kind == EK_FIXED)
    ek_add(globals, 1);
  else
    ek_add(objects, 1);
}

static void add(uint64_t site, unsigned fast, void *p, size_t n,
                ek_range kind) {
  add_known(&(ek_asked){.site = site, .fast = fast}, p, n, kind);
}

EXPORT void ek_global_at(uint64_t site, unsigned fast, void *p, size_t n) {
  int saved = errno;
  if (n >= __atomic_load_n(&ek_threshold, __ATOMIC_RELAXED) && ek_start() &&
      ek_range_is_large(n))
    add(site, fast, p, n, EK_FIXED);
  errno = saved;
}

EXPORT void ek_global(uint64_t site, void *p, size_t n) {
  ek_global_at(site, EK_NO_FAST, p, n);
}

EXPORT void ek_static(uint64_t site, unsigned fast, unsigned char *done,
                      void *p, size_t n) {
  __atomic_store_n(done, 1, __ATOMIC_RELAXED);
  ek_global_at(site, fast, p, n);
}

void ek_range_mapped(const ek_asked *asked, void *p, size_t n, int protection,
                     int flags) {
  int saved = errno;
  if (protection == PROT_NONE ||
      flags & (MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_GROWSDOWN))
    ek_count(EK_WHY_map_reserved, 1);
  else {
    /* Ranges with policies of their own become separate mappings, and mremap
     * refuses to span several. Once their policies are equal again (give_back),
     * the kernel merges them, but only if they share one anon_vma: a first
     * touch creates it. */
    if (protection & PROT_WRITE && ek_tier_count > 1)
      *(volatile char *)p = 0;
    add_known(asked, p, n, EK_MAPPED);
  }
  errno = saved;
}

/* --- around calls of other libraries ----------------------------------------
 */

static _Thread_local size_t given_bytes;
static _Thread_local void **given_out;

EXPORT size_t ek_given_size(size_t n) { return given_bytes = n; }
EXPORT void *ek_given_pointer(void *p) { return given_out = p; }

EXPORT int ek_given(uint64_t site, unsigned fast, int error) {
  if (!error && given_out && *given_out && ek_range_is_large(given_bytes))
    add(site, fast, *given_out, given_bytes, EK_OTHER);
  given_out = NULL;
  return error;
}

EXPORT void *ek_forget(void *p) {
  if (p && ek_range_any()) {
    ek_object *o = ek_range_take((uintptr_t)p, (uintptr_t)p + 1);
    if (o)
      ek_range_gone(o);
  }
  return p;
}
