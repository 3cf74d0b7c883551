/*===- extent.c - extents with coalescing over a reserved range ---*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: boundary tags (Knuth 1973, section 2.5) held beside the range, not in
 * it, so that no page of an object is ever touched by bookkeeping; free extents
 * in lists by power-of-two length; everything above `top` is untouched.
 * Memory is made writable in large steps and never taken back, only emptied
 * (MADV_DONTNEED), so that the kernel keeps one mapping however many objects
 * there are.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "extent.h"
#include "options.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>

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
#define COMMIT_STEP ((size_t)64 << 20)

/* One per granule; meaningful at the first (all) and last (length, free)
 * granule of a free extent. */
typedef struct tag {
  uint32_t length; /* granules; 0: not the edge of a free extent */
  uint32_t dirty;
  uint32_t next, prev; /* in the list of its class */
} tag;

ek_reserved_t ek_reserved;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static tag *tags;
static uint32_t granules, top; /* [top, granules) was never handed out */
static size_t committed;       /* bytes from base that are writable */
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

static unsigned class_of(uint32_t length) {
  return 31u - (unsigned)__builtin_clz(length);
}

/* Parts of a mapping with policies of their own (mbind) are mappings to the
 * kernel. They become one again, once their policies are, only if it kept one
 * record (anon_vma) for them, which a first touch of the whole makes. Without
 * it, mappings only grow in number and leave no room for huge pages. */
static void make_one_record(void *p, size_t bytes) {
  if (mprotect(p, bytes, PROT_READ | PROT_WRITE) != 0)
    return; /* strict overcommit: correct, with more mappings */
  *(volatile char *)p = 0;
  madvise(p, EK_HUGE_BYTES, MADV_DONTNEED);
  mprotect(p, bytes, PROT_NONE);
}

bool ek_extents_reserve(size_t bytes) {
  bytes &= ~(EK_GRANULE - 1);
  if (bytes >> EK_GRANULE_SHIFT >= NONE)
    bytes = (size_t)(NONE - 1) << EK_GRANULE_SHIFT;
  void *p = MAP_FAILED;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  /* Room to align the start to 2 MiB, so that huge pages fit. */
  const size_t align = EK_HUGE_BYTES;
  for (; bytes >= (size_t)1 << 30; bytes /= 2) {
    p = mmap(NULL, bytes + align, PROT_NONE, flags, -1, 0);
    if (p != MAP_FAILED)
      break;
  }
  if (p == MAP_FAILED)
    return false;
  granules = (uint32_t)(bytes >> EK_GRANULE_SHIFT);
  tags =
      mmap(NULL, granules * sizeof(tag), PROT_READ | PROT_WRITE, flags, -1, 0);
  if (tags == MAP_FAILED) {
    munmap(p, bytes + align);
    return false;
  }
  madvise(p, bytes + align, MADV_DONTDUMP);
  make_one_record(p, bytes + align);
  /* LeakSanitizer, if there: pointers that lie in objects count. */
  void (*root)(const void *, size_t) = (void (*)(const void *, size_t))dlsym(
      RTLD_DEFAULT, "__lsan_register_root_region");
  if (root)
    root(p, bytes + align);
  for (unsigned c = 0; c < CLASSES; ++c)
    heads[c] = NONE;
  ek_reserved.base = ((uintptr_t)p + align - 1) & ~(align - 1);
  __atomic_store_n(&ek_reserved.bytes, bytes, __ATOMIC_RELEASE);
  return true;
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

/* [g, g+length) becomes free; merges with its neighbours. */
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
  if (g + length == top && !dirty) { /* what lies above top reads as zero */
    top = g;
    return;
  }
  list_insert(g, length, dirty);
}

/* Granules [.., end) must be writable. */
static bool commit(uint32_t end) {
  size_t need = (size_t)end << EK_GRANULE_SHIFT;
  if (need <= committed)
    return true;
  size_t to = (need + COMMIT_STEP - 1) & ~(COMMIT_STEP - 1);
  if (to > ek_reserved.bytes)
    to = ek_reserved.bytes;
  void *from = (void *)(ek_reserved.base + committed);
  if (mprotect(from, to - committed, PROT_READ | PROT_WRITE) != 0) {
    to = need; /* a limit on data or commit: ask for no more than needed */
    if (mprotect(from, to - committed, PROT_READ | PROT_WRITE) != 0)
      return false;
  }
  POISON(from, to - committed);
  committed = to;
  return true;
}

/* Takes `need` granules at a multiple of `align` granules out of the free
 * extent at g, if it holds them. */
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
  /* First fit in the request's own class (bounded), any fit above. */
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
  /* From the top, together with a free extent that ends there. */
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
  size_t need = to_granules(bytes ? bytes : 1);
  size_t units = align > EK_GRANULE ? align >> EK_GRANULE_SHIFT : 1;
  uint32_t at;
  bool dirty, ok;
  if (bytes > ek_reserved.bytes || need > granules || units > granules)
    return NULL;
  pthread_mutex_lock(&lock);
  ok = take(need, units, &at, &dirty);
  pthread_mutex_unlock(&lock);
  if (!ok)
    return NULL;
  *zeroed = !dirty;
  UNPOISON(address(at), bytes);
  return address(at);
}

/* Empties [g, g+length) unless it may be kept; returns whether it stays dirty.
 */
static bool empty(uint32_t g, uint32_t length, bool retain) {
  size_t bytes = (size_t)length << EK_GRANULE_SHIFT;
  if (retain &&
      (__atomic_load_n(&dirty_granules, __ATOMIC_RELAXED) << EK_GRANULE_SHIFT) +
              bytes <=
          ek_opt.retain)
    return true;
  madvise(address(g), bytes, MADV_DONTNEED);
  return false;
}

void ek_extent_free(void *p, size_t bytes, bool retain) {
  uint32_t g = index_of(p);
  uint32_t length = (uint32_t)to_granules(bytes ? bytes : 1);
  POISON(p, (size_t)length << EK_GRANULE_SHIFT);
  bool dirty = empty(g, length, retain);
  pthread_mutex_lock(&lock);
  make_free(g, length, dirty);
  pthread_mutex_unlock(&lock);
}

void ek_extent_hide(void *p, size_t bytes) {
  (void)p, (void)bytes;
  POISON(p, to_granules(bytes) << EK_GRANULE_SHIFT);
}

void ek_extent_show(void *p, size_t bytes) {
  (void)p, (void)bytes;
  UNPOISON(p, bytes);
}

bool ek_extent_grow(void *p, size_t old_bytes, size_t new_bytes) {
  uint32_t g = index_of(p);
  size_t old_length = to_granules(old_bytes), length = to_granules(new_bytes);
  bool ok = length == old_length;
  if (!ok && length <= granules - g) {
    uint32_t end = g + (uint32_t)old_length;
    uint32_t more = (uint32_t)(length - old_length), at;
    bool dirty;
    pthread_mutex_lock(&lock);
    if (end == top) {
      ok = commit(end + more);
      if (ok)
        top = end + more;
    } else if (tags[end].length >= more) {
      ok = carve(end, more, 1, &at, &dirty);
    }
    pthread_mutex_unlock(&lock);
  }
  if (ok)
    UNPOISON(p, new_bytes);
  return ok;
}

void ek_extent_shrink(void *p, size_t old_bytes, size_t new_bytes,
                      bool retain) {
  uint32_t g = index_of(p);
  size_t old_length = to_granules(old_bytes), length = to_granules(new_bytes);
  POISON((char *)p + new_bytes, (old_length << EK_GRANULE_SHIFT) - new_bytes);
  if (length == old_length)
    return;
  uint32_t from = g + (uint32_t)length, cut = (uint32_t)(old_length - length);
  bool dirty = empty(from, cut, retain);
  pthread_mutex_lock(&lock);
  make_free(from, cut, dirty);
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
