/*===- chunks.c - the program's mappings, cut into chunks ---------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "touches/chunks.h"
#include "core/tuning.h"
#include "touches/base/arena.h"
#include "touches/base/raw.h"
#include "touches/split.h"

#include <string.h>
#include <sys/mman.h>

enum { MOST_MAPS = 1 << 15, MOST_FLAGGED = EK_MOST_CHUNKS };

typedef struct range {
  uintptr_t from, to;
} range;

static ek_map_seen *maps;
static size_t map_count;
static uint32_t most;
static range *flagged, *flagged_next; /* ours, in address order */
static size_t flagged_count;
static range *cut, *cut_next; /* what was cut last time, in address order */
static size_t cut_count;
static ek_raw_lock_t lock;

bool ek_chunks_start(uint32_t most_mappings) {
  most = most_mappings;
  maps = ek_arena_take(MOST_MAPS * sizeof *maps);
  flagged = ek_arena_take(MOST_FLAGGED * sizeof *flagged);
  flagged_next = ek_arena_take(MOST_FLAGGED * sizeof *flagged);
  cut = ek_arena_take(MOST_FLAGGED * sizeof *cut);
  cut_next = ek_arena_take(MOST_FLAGGED * sizeof *cut_next);
  return maps && flagged && flagged_next && cut && cut_next;
}

void ek_chunks_lock(void) { ek_raw_take(&lock); }
void ek_chunks_unlock(void) { ek_raw_give(&lock); }

void ek_chunks_read_again(void) { map_count = 0; }

const ek_map_seen *ek_chunks_maps(size_t *count) {
  *count = map_count;
  return maps;
}

/* Whether one of \p count ranges overlaps [from, to). */
static bool overlaps(const range *ranges, size_t count, uintptr_t from,
                     uintptr_t to) {
  size_t low = 0, high = count;
  while (low < high) {
    const size_t mid = (low + high) / 2;
    if (ranges[mid].to <= from)
      low = mid + 1;
    else
      high = mid;
  }
  return low < count && ranges[low].from < to;
}

static bool is_ours(uintptr_t from, uintptr_t to) {
  return overlaps(flagged, flagged_count, from, to);
}

/* Whether untouched memory is a piece of what we have cut: it has our flag, or
 * lies behind a piece that has it. */
static bool is_piece(const ek_mapping *m) {
  if (m->not_dumped)
    return is_ours(m->from, m->to);
  const ek_map_seen *last = map_count ? &maps[map_count - 1] : NULL;
  return last && last->to == m->from && last->flagged && last->cuttable &&
         overlaps(cut, cut_count, m->from, m->to);
}

static bool is_stack(const char *name) {
  return strncmp(name, "[stack", 6) == 0;
}

void ek_chunks_add(const ek_mapping *m) {
  if (map_count == MOST_MAPS)
    return;
  const bool anonymous = !m->file && m->writable && !m->shared;
  const bool cuttable =
      anonymous && !is_stack(m->name) &&
      (m->resident ? !m->not_dumped || is_ours(m->from, m->to) : is_piece(m)) &&
      !ek_mapping_sparse(m->to - m->from, m->resident);
  maps[map_count++] = (ek_map_seen){.from = m->from,
                                    .to = m->to,
                                    .resident = m->resident,
                                    .anonymous = anonymous,
                                    .huge = m->huge,
                                    .flagged = m->not_dumped,
                                    .cuttable = cuttable};
}

uint64_t ek_chunks_cuttable(void) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < map_count; ++i)
    bytes += maps[i].cuttable ? maps[i].to - maps[i].from : 0;
  return bytes;
}

/* --- flags -------------------------------------------------------------------
 */

static void swap(range **a, range **b) {
  range *t = *a;
  *a = *b;
  *b = t;
}

static bool flag(uintptr_t from, uintptr_t to, bool yes) {
  return ek_raw3(SYS_madvise, (long)from, (long)(to - from),
                 yes ? MADV_DONTDUMP : MADV_DODUMP) == 0;
}

void ek_chunks_join(uintptr_t from, uintptr_t to) {
  size_t kept = 0;
  for (size_t i = 0; i < flagged_count; ++i) {
    const range r = flagged[i];
    if (r.from < to && r.to > from)
      flag(r.from, r.to, false);
    else
      flagged[kept++] = r;
  }
  flagged_count = kept;
  kept = 0;
  for (size_t i = 0; i < cut_count; ++i)
    if (cut[i].from >= to || cut[i].to <= from)
      cut[kept++] = cut[i];
  cut_count = kept;
}

/* Where the object at \p at ends, or the next one begins. */
static uintptr_t border_after(uintptr_t at, const ek_block *blocks,
                              size_t count, size_t *cursor, uintptr_t page) {
  while (*cursor < count && blocks[*cursor].base + blocks[*cursor].bytes <= at)
    ++*cursor;
  if (*cursor == count)
    return UINTPTR_MAX - EK_HUGE_PAGE;
  const uintptr_t first = blocks[*cursor].base / page * page;
  return first > at ? first : blocks[*cursor].base + blocks[*cursor].bytes;
}

/* Whether every mapping of [from, to) has the flag \p wanted; \p at is the
 * number of the mapping that contains \p from, and then \p to. */
static bool has_flag(size_t *at, uintptr_t from, uintptr_t to, bool wanted) {
  bool same = true;
  for (; *at < map_count && maps[*at].from < to; ++*at) {
    same &= maps[*at].flagged == wanted || maps[*at].to <= from;
    if (maps[*at].to > to)
      break;
  }
  return same;
}

/* The end of the mappings from number \p i on that follow each other without a
 * gap and can be cut in the same way. */
static size_t end_of_run(size_t i) {
  const bool huge = maps[i].huge;
  for (++i; i < map_count; ++i)
    if (!maps[i].cuttable || maps[i].huge != huge ||
        maps[i].from != maps[i - 1].to)
      break;
  return i;
}

uint32_t ek_chunks_cut(uint64_t chunk, const ek_block *blocks, size_t count,
                       uintptr_t page) {
  size_t cursor = 0, next_count = 0, runs = 0, cuts = map_count;
  uint32_t refused = 0;
  for (size_t i = 0, end; i < map_count; i = end) {
    end = i + 1;
    if (!maps[i].cuttable || runs == MOST_FLAGGED) {
      if (maps[i].flagged && is_ours(maps[i].from, maps[i].to))
        flag(maps[i].from, maps[i].to, false);
      continue;
    }
    end = end_of_run(i);
    cut_next[runs++] = (range){maps[i].from, maps[end - 1].to};
    const uintptr_t to = maps[end - 1].to;
    bool wanted = false;
    size_t map = i;
    for (uintptr_t at = maps[i].from, next; at < to; at = next) {
      next =
          ek_split_next(at, to, border_after(at, blocks, count, &cursor, page),
                        chunk, maps[i].huge, page);
      const bool full = next_count == MOST_FLAGGED || cuts >= most;
      const bool yes = wanted && !full;
      bool done = has_flag(&map, at, next, yes);
      if (!done) {
        done = flag(at, next, yes);
        refused += !done;
        ++cuts;
      }
      if (yes && done)
        flagged_next[next_count++] = (range){at, next};
      wanted = !wanted;
    }
  }
  swap(&flagged, &flagged_next);
  flagged_count = next_count;
  swap(&cut, &cut_next);
  cut_count = runs;
  return refused;
}
