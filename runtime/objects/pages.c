/*===- pages.c - the pages behind extents -------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: what the kernel's limits count. Inaccessible memory counts as address
 * space, and as locked memory if new mappings are locked; private writable
 * memory counts as data. So the tables, too, become writable only as far as
 * they are used. A new mapping over an old one drops everything the kernel was
 * told about the old one: locks, protection, advice, policies, files.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "objects/pages.h"
#include "core/reserved.h"
#include "core/system.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define COMMIT_STEP ((size_t)64 << 20)
#define TABLE_STEP ((size_t)256 << 10)
#define LEAST ((size_t)1 << 30)

static const int anonymous = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

ek_reserved_t ek_reserved;

static size_t all_bytes; /* of the range; ek_reserved.bytes are in use */
static bool exact;
static bool after_all;     /* exact now, but was reserved before */
static size_t mapped_from; /* reserved mode: the mapping, with its margin */
static size_t mapped_to;
static uint64_t *altered; /* a bit per granule */
static bool any_altered;  /* ever */

/* --- tables ------------------------------------------------------------------
 */

static struct {
  void *where; /* points to a pointer of any type */
  char *base;
  size_t width, writable, bytes;
} tables[4];
static unsigned table_count;

void ek_pages_table(void *where, size_t width) {
  for (unsigned i = 0; i < table_count; ++i)
    if (tables[i].where == where)
      return;
  tables[table_count].where = where;
  tables[table_count++].width = width;
}

static size_t up(size_t bytes, size_t step) {
  return (bytes + step - 1) & ~(step - 1);
}

static void drop_tables(unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    ek_system_unmap(tables[i].base, tables[i].bytes);
}

static bool make_tables(void) {
  const size_t granules = all_bytes >> EK_GRANULE_SHIFT;
  for (unsigned i = 0; i < table_count; ++i) {
    tables[i].bytes = up(granules * tables[i].width, TABLE_STEP);
    void *p = ek_system_map(NULL, tables[i].bytes, PROT_NONE, anonymous);
    if (p == MAP_FAILED) {
      drop_tables(i);
      return false;
    }
    ek_system_advise(p, tables[i].bytes, MADV_DONTDUMP);
    tables[i].base = p;
    memcpy(tables[i].where, &p, sizeof p);
    tables[i].writable = 0;
  }
  size_t bits = up((granules + 7) / 8, EK_PAGE_BYTES);
  altered = ek_system_map(NULL, bits, PROT_READ | PROT_WRITE, anonymous);
  if (altered != MAP_FAILED)
    return true;
  drop_tables(table_count);
  return false;
}

static bool reach_tables(size_t granules) {
  for (unsigned i = 0; i < table_count; ++i) {
    size_t need = up(granules * tables[i].width, TABLE_STEP);
    if (need <= tables[i].writable)
      continue;
    if (ek_system_protect(tables[i].base + tables[i].writable,
                          need - tables[i].writable,
                          PROT_READ | PROT_WRITE) != 0)
      return false;
    tables[i].writable = need;
  }
  return true;
}

void ek_pages_large_tables(void) {
  for (unsigned i = 0; i < table_count; ++i)
    ek_system_advise(tables[i].base, tables[i].bytes, MADV_HUGEPAGE);
}

static void cut_tables(size_t granules) {
  for (unsigned i = 0; i < table_count; ++i) {
    size_t keep = up(granules * tables[i].width, TABLE_STEP);
    if (keep < tables[i].writable)
      keep = tables[i].writable;
    if (keep < tables[i].bytes)
      ek_system_unmap(tables[i].base + keep, tables[i].bytes - keep);
    tables[i].bytes = keep;
  }
}

/* --- limits ------------------------------------------------------------------
 */

static size_t limit(int resource) {
  struct rlimit l;
  return getrlimit(resource, &l) == 0 && l.rlim_cur != RLIM_INFINITY
             ? (size_t)l.rlim_cur
             : SIZE_MAX;
}

/* The bytes that extents can have in total if every byte counts. The range
 * itself then only uses addresses, but its tables take memory. */
static size_t countable(void) {
  size_t space = limit(RLIMIT_AS), data = limit(RLIMIT_DATA);
  size_t least = space < data ? space : data;
  size_t memory =
      (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
  if (least > 4 * memory)
    least = 4 * memory;
  return up(least < LEAST ? LEAST : least, COMMIT_STEP);
}

/* Whether new mappings are locked (mlockall): MADV_DONTNEED fails on them. */
static bool locks_new(void) {
  void *p = ek_system_map(NULL, EK_PAGE_BYTES, PROT_NONE, anonymous);
  if (p == MAP_FAILED)
    return true;
  bool locked = ek_system_advise(p, EK_PAGE_BYTES, MADV_DONTNEED) != 0;
  ek_system_unmap(p, EK_PAGE_BYTES);
  return locked;
}

static bool is_limited(size_t bytes) {
  size_t space = limit(RLIMIT_AS);
  return space / 4 < bytes || limit(RLIMIT_DATA) != SIZE_MAX || locks_new();
}

/* --- the range ---------------------------------------------------------------
 */

/* When mbind gives ranges of a mapping different policies, the kernel splits
 * it. Once the policies are equal again it merges the ranges, but only if they
 * share one anon_vma, which a first touch of the whole mapping creates. Without
 * that, the number of mappings only grows and huge pages no longer fit. */
static void make_one_record(void *p, size_t bytes) {
  if (ek_system_protect(p, bytes, PROT_READ | PROT_WRITE) != 0)
    return; /* strict overcommit: works, with more mappings */
  *(volatile char *)p = 0;
  ek_system_advise(p, EK_HUGE_BYTES, MADV_DONTNEED);
  ek_system_protect(p, bytes, PROT_NONE);
}

static bool reserve(size_t bytes) {
  /* The margin aligns the start to 2 MiB, for huge pages. */
  const size_t align = EK_HUGE_BYTES;
  void *p = MAP_FAILED;
  for (; bytes >= LEAST; bytes /= 2) {
    p = ek_system_map(NULL, bytes + align, PROT_NONE, anonymous);
    if (p != MAP_FAILED)
      break;
  }
  if (p == MAP_FAILED)
    return false;
  all_bytes = bytes;
  if (!make_tables()) {
    ek_system_unmap(p, bytes + align);
    return false;
  }
  /* Otherwise a core dump would have terabytes of unused memory. */
  ek_system_advise(p, bytes + align, MADV_DONTDUMP);
  make_one_record(p, bytes + align);
  mapped_from = (size_t)p;
  mapped_to = (size_t)p + bytes + align;
  ek_reserved.base = up((uintptr_t)p, align);
  return true;
}

/* Picks an address far from the program and from where the kernel puts mappings
 * (downwards from the stack). Others may still map there; extents never replace
 * an existing mapping. */
static bool choose(size_t bytes) {
  for (uintptr_t at = (uintptr_t)1 << 45; at < (uintptr_t)5 << 44;
       at += (uintptr_t)1 << 42) {
    void *p = ek_system_map((void *)at, COMMIT_STEP, PROT_NONE,
                            anonymous | MAP_FIXED_NOREPLACE);
    if (p == MAP_FAILED)
      continue;
    ek_system_unmap(p, COMMIT_STEP);
    if (p != (void *)at) /* the kernel does not know the flag */
      continue;
    all_bytes = bytes;
    ek_reserved.base = at;
    return make_tables();
  }
  return false;
}

bool ek_pages_reserve(size_t bytes, uint32_t *granules) {
  const size_t most = (size_t)(UINT32_MAX - 1) << EK_GRANULE_SHIFT;
  bytes &= ~(EK_GRANULE - 1);
  if (bytes > most)
    bytes = most;
  if (bytes < LEAST)
    return false;
  exact |= is_limited(bytes);
  if (exact) {
    size_t some = countable();
    if (!choose(bytes < some ? bytes : some))
      return false;
  } else if (!reserve(bytes)) {
    return false;
  }
  /* LeakSanitizer, if loaded, must look for pointers in objects. */
  void (*root)(const void *, size_t) = (void (*)(const void *, size_t))dlsym(
      RTLD_DEFAULT, "__lsan_register_root_region");
  if (root)
    root((void *)ek_reserved.base, all_bytes);
  *granules = (uint32_t)(all_bytes >> EK_GRANULE_SHIFT);
  return true;
}

static void give_back(uint32_t granule, uint32_t length) {
  ek_system_unmap(
      (void *)(ek_reserved.base + ((size_t)granule << EK_GRANULE_SHIFT)),
      (size_t)length << EK_GRANULE_SHIFT);
}

void ek_pages_exact(uint32_t top, void (*each)(ek_pages_free *),
                    uint32_t *granules) {
  if (exact)
    return;
  exact = true;
  if (!all_bytes)
    return; /* nothing is reserved yet; exact from the start */
  after_all = true;
  each(give_back);
  size_t end = ek_reserved.base + ((size_t)top << EK_GRANULE_SHIFT);
  ek_system_unmap((void *)mapped_from, ek_reserved.base - mapped_from);
  ek_system_unmap((void *)end, mapped_to - end);
  size_t most = ((size_t)top << EK_GRANULE_SHIFT) + countable();
  if (most < all_bytes)
    all_bytes = most;
  *granules = (uint32_t)(all_bytes >> EK_GRANULE_SHIFT);
  cut_tables(*granules);
}

bool ek_pages_are_exact(void) {
  return __atomic_load_n(&exact, __ATOMIC_RELAXED);
}

/* Proceeds in large steps, so that the kernel keeps a single mapping however
 * many objects there are. */
static bool make_writable(size_t need) {
  size_t step = up(need, COMMIT_STEP), from = ek_reserved.bytes;
  size_t to = step < all_bytes ? step : all_bytes;
  void *p = (void *)(ek_reserved.base + from);
  if (!reach_tables(to >> EK_GRANULE_SHIFT))
    return false;
  if (ek_system_protect(p, to - from, PROT_READ | PROT_WRITE) != 0) {
    to = need; /* commit limit: ask only for what is needed */
    if (ek_system_protect(p, to - from, PROT_READ | PROT_WRITE) != 0)
      return false;
  }
  ek_system_advise(p, to - from, MADV_DODUMP);
  __atomic_store_n(&ek_reserved.bytes, to, __ATOMIC_RELEASE);
  return true;
}

bool ek_pages_reach(size_t bytes) {
  if (bytes <= ek_reserved.bytes)
    return true;
  if (!exact)
    return make_writable(bytes);
  if (!reach_tables(bytes >> EK_GRANULE_SHIFT))
    return false;
  __atomic_store_n(&ek_reserved.bytes, bytes, __ATOMIC_RELEASE);
  return true;
}

/* --- extents -----------------------------------------------------------------
 */

/* The unit of mapping. After reserved mode it is a granule: a page-sized gap
 * between extents might receive a foreign mapping, which would later be
 * unmapped with the extent. */
static size_t unit(void) { return after_all ? EK_GRANULE : EK_PAGE_BYTES; }

/* Maps fresh pages over the old ones, with none of their attributes. */
static bool map_fresh(char *p, size_t bytes) {
  return ek_system_map(p, bytes, PROT_READ | PROT_WRITE,
                       anonymous | MAP_FIXED) != MAP_FAILED;
}

static void each_word(const void *p, size_t n,
                      void (*f)(uint64_t *word, uint64_t mask, void *data),
                      void *data) {
  size_t from = ((uintptr_t)p - ek_reserved.base) >> EK_GRANULE_SHIFT;
  size_t to = ((uintptr_t)p + n - 1 - ek_reserved.base) >> EK_GRANULE_SHIFT;
  for (size_t w = from / 64; w <= to / 64; ++w) {
    uint64_t mask = UINT64_MAX;
    if (w == from / 64)
      mask &= UINT64_MAX << from % 64;
    if (w == to / 64)
      mask &= UINT64_MAX >> (63 - to % 64);
    f(&altered[w], mask, data);
  }
}

static void set(uint64_t *word, uint64_t mask, void *data) {
  (void)data;
  __atomic_fetch_or(word, mask, __ATOMIC_RELAXED);
}

static void clear(uint64_t *word, uint64_t mask, void *data) {
  (void)data;
  if (__atomic_load_n(word, __ATOMIC_RELAXED) & mask)
    __atomic_fetch_and(word, ~mask, __ATOMIC_RELAXED);
}

static void look(uint64_t *word, uint64_t mask, void *data) {
  *(bool *)data |= (__atomic_load_n(word, __ATOMIC_RELAXED) & mask) != 0;
}

void ek_pages_alter(const void *p, size_t n) {
  uintptr_t from = (uintptr_t)p, end = from + n;
  uintptr_t base = ek_reserved.base;
  uintptr_t top = base + __atomic_load_n(&ek_reserved.bytes, __ATOMIC_ACQUIRE);
  if (end < from)
    end = UINTPTR_MAX;
  if (from < base)
    from = base;
  if (end > top)
    end = top;
  if (from >= end)
    return;
  each_word((void *)from, end - from, set, NULL);
  __atomic_store_n(&any_altered, true, __ATOMIC_RELEASE);
}

bool ek_pages_altered(const void *p, size_t n) {
  bool yes = false;
  if (n && __builtin_expect(__atomic_load_n(&any_altered, __ATOMIC_ACQUIRE), 0))
    each_word(p, n, look, &yes);
  return yes;
}

/* The whole units that [p + from, p + to) adds to an extent at \p p: units that
 * contain a part of [p, p + from) are excluded. */
static char *units(void *p, size_t from, size_t to, size_t *bytes) {
  const size_t step = exact ? unit() : EK_GRANULE;
  uintptr_t start = (uintptr_t)p, end = up(start + to, step);
  start = from ? up(start + from, step) : start & ~(step - 1);
  *bytes = start < end ? end - start : 0;
  return (char *)start;
}

bool ek_pages_enter(void *p, size_t from, size_t to) {
  size_t bytes;
  char *at = units(p, from, to, &bytes);
  if (!bytes)
    return true;
  if (exact) {
    char *got =
        ek_system_map(at, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE);
    if (got == at)
      return true;
    if (got != (char *)MAP_FAILED) { /* the kernel does not know the flag */
      ek_system_unmap(got, bytes);
      errno = EEXIST;
    }
    return false;
  }
  if (!ek_pages_altered(at, bytes))
    return true;
  /* The program changed this memory while it was free. */
  if (!map_fresh(at, bytes))
    return false;
  each_word(at, bytes, clear, NULL);
  return true;
}

static ek_pages_left replace_pages(char *at, size_t bytes) {
  if (!map_fresh(at, bytes))
    return EK_PAGES_LOST;
  each_word(at, bytes, clear, NULL);
  return EK_PAGES_CLEAN;
}

ek_pages_left ek_pages_leave(void *p, size_t from, size_t to, bool may_stay) {
  size_t bytes;
  char *at = units(p, from, to, &bytes);
  if (!bytes)
    return EK_PAGES_CLEAN;
  if (exact) {
    if (ek_system_unmap(at, bytes) != 0)
      return EK_PAGES_LOST;
    if (ek_pages_altered(at, bytes))
      each_word(at, bytes, clear, NULL);
    return EK_PAGES_CLEAN;
  }
  if (ek_pages_altered(at, bytes))
    return replace_pages(at, bytes);
  if (may_stay)
    return EK_PAGES_DIRTY;
  /* MADV_DONTNEED fails if the pages were locked by a call we did not see. */
  return ek_system_advise(at, bytes, MADV_DONTNEED) == 0
             ? EK_PAGES_CLEAN
             : replace_pages(at, bytes);
}
