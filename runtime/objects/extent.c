/*===- extent.c - allocating extents, with coalescing -------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: boundary tags (Knuth 1973, section 2.5). They are kept outside the
 * range, so that bookkeeping never touches a page of an object. Free extents
 * are in lists by power-of-two length; nothing above `top` was ever used.
 * Not here: the pages of extents (pages.c).
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "objects/extent.h"
#include "core/options.h"
#include "objects/colour.h"
#include "objects/pages.h"

#include <errno.h>
#include <pthread.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EK_ASAN 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define EK_ASAN 1
#endif
#ifdef EK_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(p, n) __asan_poison_memory_region(p, n)
#define UNPOISON(p, n) __asan_unpoison_memory_region(p, n)
#else
#define POISON(p, n) ((void)0)
#define UNPOISON(p, n) ((void)0)
#endif

#define NONE UINT32_MAX
#define CLASSES 32

/* One per granule. Valid at the first granule of a free extent (all members)
 * and at its last (length only). */
typedef struct tag {
  uint32_t length; /* granules; 0: not the edge of a free extent */
  uint32_t dirty;
  uint32_t next, prev; /* in the list of its class */
} tag;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static tag *tags;
static uint32_t granules, top; /* [top, granules) was never handed out */
static size_t dirty_granules;
static uint32_t heads[CLASSES];
static uint32_t nonempty; /* bit per class */

void ek_extents_lock(void) { pthread_mutex_lock(&lock); }
void ek_extents_unlock(void) { pthread_mutex_unlock(&lock); }

static size_t to_granules(size_t bytes) {
  return (bytes + EK_GRANULE - 1) >> EK_GRANULE_SHIFT;
}

static void *address(uint32_t g) {
  return (void *)(ek_reserved.base + ((size_t)g << EK_GRANULE_SHIFT));
}

static uint32_t index_of(const void *p) {
  return (uint32_t)(((uintptr_t)p - ek_reserved.base) >> EK_GRANULE_SHIFT);
}

/* How many granules an extent has that holds \p bytes starting at \p p. */
static size_t span(const void *p, size_t bytes) {
  return to_granules(((uintptr_t)p & (EK_GRANULE - 1)) + (bytes ? bytes : 1));
}

static unsigned class_of(uint32_t length) {
  return 31u - (unsigned)__builtin_clz(length);
}

bool ek_extents_reserve(size_t bytes) {
  ek_pages_table(&tags, sizeof *tags);
  for (unsigned c = 0; c < CLASSES; ++c)
    heads[c] = NONE;
  return ek_pages_reserve(bytes, &granules);
}

static void list_remove(uint32_t g) {
  tag *t = &tags[g];
  unsigned c = class_of(t->length);
  if (t->prev != NONE)
    tags[t->prev].next = t->next;
  else if ((heads[c] = t->next) == NONE)
    nonempty &= ~(1u << c);
  if (t->next != NONE)
    tags[t->next].prev = t->prev;
  if (t->dirty)
    dirty_granules -= t->length;
  tags[g + t->length - 1].length = 0;
  t->length = 0;
}

static void list_insert(uint32_t g, uint32_t length, bool dirty) {
  unsigned c = class_of(length);
  tag *t = &tags[g];
  tags[g + length - 1].length = length;
  t->length = length;
  t->dirty = dirty;
  t->prev = NONE;
  t->next = heads[c];
  if (t->next != NONE)
    tags[t->next].prev = g;
  heads[c] = g;
  nonempty |= 1u << c;
  if (dirty)
    dirty_granules += length;
}

/* Frees granules [g, g + length) and merges them with their neighbours. */
static void make_free(uint32_t g, uint32_t length, bool dirty) {
  if (g > 0 && tags[g - 1].length) {
    uint32_t before = tags[g - 1].length, first = g - before;
    dirty |= tags[first].dirty;
    list_remove(first);
    g = first;
    length += before;
  }
  if (g + length < top && tags[g + length].length) {
    uint32_t after = tags[g + length].length;
    dirty |= tags[g + length].dirty;
    list_remove(g + length);
    length += after;
  }
  if (g + length == top && !dirty) { /* memory above top must read as zero */
    top = g;
    return;
  }
  list_insert(g, length, dirty);
}

/* Makes all granules below \p end usable. */
static bool commit(uint32_t end) {
  size_t before = ek_reserved.bytes;
  (void)before;
  if (!ek_pages_reach((size_t)end << EK_GRANULE_SHIFT))
    return false;
  POISON((void *)(ek_reserved.base + before), ek_reserved.bytes - before);
  return true;
}

/* Takes `need` granules, aligned to `align` granules, from the free extent at g
 * if it is large enough. */
static bool carve(uint32_t g, size_t need, size_t align, uint32_t *at,
                  bool *dirty) {
  uint32_t length = tags[g].length;
  uintptr_t unit = align << EK_GRANULE_SHIFT;
  uintptr_t start = ((uintptr_t)address(g) + unit - 1) & ~(unit - 1);
  size_t skip = (start - (uintptr_t)address(g)) >> EK_GRANULE_SHIFT;
  if (skip > length || length - skip < need)
    return false;
  *dirty = tags[g].dirty;
  list_remove(g);
  if (skip)
    list_insert(g, (uint32_t)skip, *dirty);
  if (length - skip > need)
    list_insert(g + (uint32_t)(skip + need), (uint32_t)(length - skip - need),
                *dirty);
  *at = g + (uint32_t)skip;
  return true;
}

static bool take(size_t need, size_t align, uint32_t *at, bool *dirty) {
  /* First fit in the request's own class (bounded); above it, any fit. */
  for (unsigned c = class_of((uint32_t)need); c < CLASSES; ++c) {
    if (!(nonempty >> c & 1))
      continue;
    unsigned tries = 0;
    for (uint32_t g = heads[c]; g != NONE && tries < 32; ++tries) {
      uint32_t next = tags[g].next;
      if (carve(g, need, align, at, dirty))
        return true;
      g = next;
    }
  }
  /* Else extend `top`, starting with a free extent that ends there. */
  uint32_t tail = top > 0 ? tags[top - 1].length : 0, from = top - tail;
  uintptr_t unit = align << EK_GRANULE_SHIFT;
  uintptr_t start = ((uintptr_t)address(from) + unit - 1) & ~(unit - 1);
  size_t first = (start - ek_reserved.base) >> EK_GRANULE_SHIFT;
  if (first > granules || granules - first < need ||
      !commit((uint32_t)(first + need)))
    return false;
  *dirty = tail && tags[from].dirty;
  if (tail)
    list_remove(from);
  top = (uint32_t)(first + need);
  if (first > from)
    list_insert(from, (uint32_t)first - from, *dirty);
  *at = (uint32_t)first;
  return true;
}

void *ek_extent_alloc(size_t bytes, size_t align, bool *zeroed) {
  size_t before = ek_colour_bytes(ek_colour_next(align));
  size_t need = to_granules(before + (bytes ? bytes : 1));
  size_t units = align > EK_GRANULE ? align >> EK_GRANULE_SHIFT : 1;
  if (need > granules || units > granules)
    return NULL;
  for (unsigned tries = 0; tries < 8; ++tries) {
    uint32_t at;
    bool dirty, ok;
    pthread_mutex_lock(&lock);
    ok = take(need, units, &at, &dirty);
    pthread_mutex_unlock(&lock);
    if (!ok)
      return NULL;
    void *p = (char *)address(at) + before;
    if (ek_pages_enter(p, 0, bytes ? bytes : 1)) {
      *zeroed = !dirty;
      UNPOISON(p, bytes);
      return p;
    }
    if (errno == EEXIST)
      continue; /* a foreign mapping lies there: leave the granules to it */
    pthread_mutex_lock(&lock);
    make_free(at, (uint32_t)need, dirty);
    pthread_mutex_unlock(&lock);
    return NULL;
  }
  return NULL;
}

/* Gives up [p + from, p + to), the tail or the whole of the extent at \p p. */
static void leave(void *p, size_t from, size_t to, bool retain) {
  uint32_t kept = from ? (uint32_t)span(p, from) : 0;
  uint32_t g = index_of(p) + kept, length = (uint32_t)span(p, to) - kept;
  bool room = (__atomic_load_n(&dirty_granules, __ATOMIC_RELAXED) + length)
                  << EK_GRANULE_SHIFT <=
              ek_opt.retain;
  ek_pages_left left = ek_pages_leave(p, from, to, retain && room);
  if (!length || left == EK_PAGES_LOST)
    return;
  pthread_mutex_lock(&lock);
  make_free(g, length, left == EK_PAGES_DIRTY);
  pthread_mutex_unlock(&lock);
}

void ek_extent_hide(void *p, size_t bytes) {
  (void)p, (void)bytes;
  POISON(address(index_of(p)), span(p, bytes) << EK_GRANULE_SHIFT);
}

void ek_extent_free(void *p, size_t bytes, bool retain) {
  ek_extent_hide(p, bytes);
  leave(p, 0, bytes ? bytes : 1, retain);
}

void ek_extent_show(void *p, size_t bytes) {
  (void)p, (void)bytes;
  UNPOISON(p, bytes);
}

/* Takes \p more granules that start at \p end, the end of an extent in use. */
static bool take_after(uint32_t end, uint32_t more, bool *dirty) {
  uint32_t at;
  *dirty = false;
  if (end < top)
    return tags[end].length >= more && carve(end, more, 1, &at, dirty);
  if (!commit(end + more))
    return false;
  top = end + more;
  return true;
}

bool ek_extent_grow(void *p, size_t old_bytes, size_t new_bytes) {
  uint32_t g = index_of(p);
  size_t old_length = span(p, old_bytes), length = span(p, new_bytes);
  uint32_t end = g + (uint32_t)old_length,
           more = (uint32_t)(length - old_length);
  bool dirty = false;
  if (length > granules - g)
    return false;
  if (more) {
    pthread_mutex_lock(&lock);
    bool ok = take_after(end, more, &dirty);
    pthread_mutex_unlock(&lock);
    if (!ok)
      return false;
  }
  if (!ek_pages_enter(p, old_bytes, new_bytes)) {
    if (more && errno != EEXIST) {
      pthread_mutex_lock(&lock);
      make_free(end, more, dirty);
      pthread_mutex_unlock(&lock);
    }
    return false;
  }
  UNPOISON(p, new_bytes);
  return true;
}

void ek_extent_shrink(void *p, size_t old_bytes, size_t new_bytes,
                      bool retain) {
  POISON((char *)p + new_bytes,
         (char *)address(index_of(p) + (uint32_t)span(p, old_bytes)) -
             ((char *)p + new_bytes));
  leave(p, new_bytes, old_bytes, retain);
}

static void each_free(ek_pages_free *f) {
  for (unsigned c = 0; c < CLASSES; ++c)
    for (uint32_t g = heads[c]; g != NONE; g = tags[g].next) {
      f(g, tags[g].length);
      tags[g].dirty = false;
    }
  dirty_granules = 0;
}

void ek_extents_exact(void) {
  pthread_mutex_lock(&lock);
  ek_pages_exact(top, each_free, &granules);
  pthread_mutex_unlock(&lock);
}

void ek_extents_state(size_t *free_bytes, size_t *free_extents,
                      size_t *top_bytes) {
  size_t bytes = 0, count = 0;
  pthread_mutex_lock(&lock);
  for (unsigned c = 0; c < CLASSES; ++c)
    for (uint32_t g = heads[c]; g != NONE; g = tags[g].next) {
      bytes += (size_t)tags[g].length << EK_GRANULE_SHIFT;
      ++count;
    }
  *top_bytes = (size_t)top << EK_GRANULE_SHIFT;
  pthread_mutex_unlock(&lock);
  *free_bytes = bytes;
  *free_extents = count;
}
