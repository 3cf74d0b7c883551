/*===- watch.c - one window, by whichever mechanism was chosen ----*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See watch.h.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "touches/mechanisms/watch.h"
#include "format/ek_touches.h"
#include "touches/mechanisms/idle.h"
#include "touches/mechanisms/loads.h"
#include "touches/mechanisms/pagemap.h"
#include "touches/mechanisms/soft_dirty.h"
#include "touches/mechanisms/writes.h"

static uint32_t by;
static uintptr_t page;
static long clear_refs, pagemap, uffd;
static ek_idle idle;
static uint64_t faults;
static bool cleared; /* soft-dirty bits, at least once */

static bool uses(uint32_t mechanism) { return by & mechanism; }

bool ek_watch_open(uint32_t mechanisms, uintptr_t page_bytes) {
  by = mechanisms;
  page = page_bytes;
  clear_refs = pagemap = uffd = -1;
  cleared = false;
  const bool clears = uses(EK_TOUCH_BY_ACCESSED | EK_TOUCH_BY_SOFT_DIRTY),
             reads = uses(EK_TOUCH_BY_WRITES | EK_TOUCH_BY_SOFT_DIRTY);
  if (clears)
    clear_refs = ek_open_own("/proc/thread-self/clear_refs", O_WRONLY);
  if (reads)
    pagemap = ek_open_own("/proc/thread-self/pagemap", O_RDONLY);
  return (!clears || clear_refs >= 0) && (!reads || pagemap >= 0) &&
         (!uses(EK_TOUCH_BY_IDLE) || ek_idle_open(&idle)) &&
         (!uses(EK_TOUCH_BY_LOADS) || ek_loads_open(page));
}

void ek_watch_begin(void) {
  faults = 0;
  if (uses(EK_TOUCH_BY_WRITES))
    uffd = ek_writes_open();
}

void ek_watch_range(uintptr_t from, uintptr_t to, uint64_t resident,
                    bool plain) {
  /* A write to one page of a huge page would split it. */
  if (uffd >= 0 && plain)
    ek_writes_protect(uffd, pagemap, from, to);
  if (ek_mapping_sparse(to - from, resident))
    return;
  if (uses(EK_TOUCH_BY_IDLE))
    ek_idle_mark(&idle, from, to, page);
  /* Each page that was written since the last time had a fault. */
  if (uses(EK_TOUCH_BY_SOFT_DIRTY) && cleared) {
    const long n = ek_soft_dirty_count(pagemap, from, to, page);
    faults += n > 0 ? (uint64_t)n : 0;
  }
}

void ek_watch_window_begins(void) {
  if (uses(EK_TOUCH_BY_SOFT_DIRTY))
    ek_soft_dirty_clear(clear_refs);
  cleared = uses(EK_TOUCH_BY_SOFT_DIRTY);
  if (uses(EK_TOUCH_BY_ACCESSED))
    ek_raw3(SYS_write, clear_refs, (long)"1", 1);
  if (uses(EK_TOUCH_BY_LOADS))
    ek_loads_begin();
}

void ek_watch_window_ends(void) {
  if (uses(EK_TOUCH_BY_LOADS))
    ek_loads_end();
}

static bool is_sparse(const ek_mapping *m) {
  return ek_mapping_sparse(m->to - m->from, m->resident);
}

static uint32_t touched_in(const ek_mapping *m) {
  if (uses(EK_TOUCH_BY_ACCESSED))
    return (uint32_t)(m->referenced / page);
  const long n = uses(EK_TOUCH_BY_IDLE) && !is_sparse(m)
                     ? ek_idle_count(&idle, m->from, m->to, page)
                     : -1;
  return n < 0 ? EK_TOUCH_UNKNOWN : (uint32_t)n;
}

static uint32_t written_in(const ek_mapping *m) {
  long n = -1;
  if (uffd >= 0 && m->writable && !m->file && !m->huge) {
    n = ek_writes_count(pagemap, m->from, m->to, page);
    faults += n > 0 ? (uint64_t)n : 0;
  } else if (uses(EK_TOUCH_BY_SOFT_DIRTY) && m->writable && !m->fresh &&
             !is_sparse(m)) {
    n = ek_soft_dirty_count(pagemap, m->from, m->to, page);
  }
  return n < 0 ? EK_TOUCH_UNKNOWN : (uint32_t)n;
}

ek_watch_seen ek_watch_found(const ek_mapping *m) {
  if (uses(EK_TOUCH_BY_LOADS)) {
    const ek_loads_seen seen = ek_loads_in(m->from, m->to);
    return (ek_watch_seen){seen.pages, EK_TOUCH_UNKNOWN, seen.samples};
  }
  return (ek_watch_seen){touched_in(m), written_in(m), 0};
}

/* Ends the protection wherever the memory lies now. */
void ek_watch_end(void) {
  if (uffd >= 0)
    ek_raw3(SYS_close, uffd, 0, 0);
  uffd = -1;
}

uint64_t ek_watch_faults(void) { return faults; }

uint64_t ek_watch_samples(void) {
  return uses(EK_TOUCH_BY_LOADS) ? ek_loads_count() : 0;
}

uint32_t ek_watch_lost(void) {
  return uses(EK_TOUCH_BY_LOADS) ? ek_loads_lost() : 0;
}
