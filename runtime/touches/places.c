/*===- places.c - chunks of blocks in fast and slow memory --------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See places.h.
 *===----------------------------------------------------------------------===*/
#include "touches/places.h"
#include "core/tuning.h"
#include "touches/base/arena.h"
#include "touches/placing/account.h"
#include "touches/placing/tiers.h"
#include "touches/stream.h"

enum { MOST_PLACES = 1 << 16, TRIES = 3 };

typedef struct place {
  uintptr_t from, to;
  uintptr_t base; /* of the block */
  uint32_t block; /* its id */
  bool lies_fast;
  bool charged; /* its bytes are taken from the account */
  bool unknown; /* where it lies is not known yet */
  uint8_t tries;
  ek_chunk_heat heat; /* heat.fast: where it shall lie */
  uint32_t touched;   /* pages, in this pass */
  uint64_t touched_all, touched_fast, up_bytes, down_bytes;
} place;

static ek_places_options options;
static uintptr_t page;
static place *places, *next_places; /* in the order of addresses */
static size_t place_count;
static ek_swap_window window;
static uint64_t *sums;  /* touched pages up to each chunk */
static uint64_t sample; /* number of the last one */
static double page_ns;  /* cost of moving a page */
static bool stuck;      /* the last try moved nothing */
static bool forked;
static uint32_t left_out;

bool ek_places_start(const ek_places_options *o, uintptr_t page_bytes) {
  options = *o;
  page = page_bytes;
  places = ek_arena_take(MOST_PLACES * sizeof *places);
  next_places = ek_arena_take(MOST_PLACES * sizeof *places);
  sums = ek_arena_take(MOST_PLACES * sizeof *sums);
  window.keys = ek_arena_take(o->window * sizeof *window.keys);
  window.room = o->window;
  page_ns = EK_MOVED_PAGE_NS;
  return places && next_places && sums && window.keys;
}

void ek_places_forked(void) { forked = true; }

/* The chunk that contains \p at, or NULL. */
static place *place_at(uintptr_t at) {
  size_t low = 0, high = place_count;
  while (low < high) {
    const size_t mid = (low + high) / 2;
    if (places[mid].to <= at)
      low = mid + 1;
    else
      high = mid;
  }
  return low < place_count && places[low].from <= at ? &places[low] : NULL;
}

/* --- blocks come and go ------------------------------------------------------
 */

static void tell(const place *first, const place *end) {
  for (const place *p = first; p < end;) {
    ek_touch_placed item = {.object = p->block};
    const uint32_t block = p->block;
    for (; p < end && p->block == block; ++p) {
      item.bytes += p->heat.bytes;
      item.fast_bytes += p->lies_fast ? p->heat.bytes : 0;
      item.touched += p->touched_all;
      item.fast_touched += p->touched_fast;
      item.up_bytes += p->up_bytes;
      item.down_bytes += p->down_bytes;
    }
    ek_stream_item(EK_TOUCH_PLACED, &item, sizeof item, NULL, 0);
  }
}

void ek_places_tell(void) { tell(places, places + place_count); }

/* A chunk whose pages came from elsewhere lies where most of them do. */
static void find(place *p) {
  uint64_t fast = 0;
  for (uintptr_t at = p->from; at < p->to; at += EK_TIERS_BATCH * page) {
    const uintptr_t end = at + EK_TIERS_BATCH * page;
    fast += ek_tiers_fast_pages(at, end < p->to ? end : p->to);
  }
  p->unknown = false;
  p->lies_fast = fast != 0;
  p->heat.fast = fast * page * 2 > p->to - p->from;
}

static void add(const ek_block *b, uintptr_t from, uintptr_t to, bool last,
                const place *old, size_t *count) {
  if (*count == MOST_PLACES) {
    ++left_out;
    return;
  }
  place *p = &next_places[(*count)++];
  if (old) {
    *p = *old;
  } else {
    const bool fast = from < b->charge.fast_to || (last && b->charge.fast_last);
    *p = (place){.block = b->id, .lies_fast = fast, .charged = fast};
    p->heat.fast = fast;
    p->unknown = b->charge.found;
  }
  p->from = from;
  p->to = to;
  p->base = b->base;
  p->heat.bytes = to - from;
  p->touched = 0;
}

/* The old chunk of \p block that overlaps [from, to), or NULL; those before it
 * are gone. */
static const place *old_at(size_t *old, uint32_t block, uintptr_t from,
                           uintptr_t to) {
  for (; *old < place_count && places[*old].from < to; ++*old) {
    const place *p = &places[*old];
    if (p->block == block && p->to > from) {
      ++*old;
      return p;
    }
    tell(p, p + 1);
  }
  return NULL;
}

/* The chunks of a block whose pages came from elsewhere take what they need. */
static void charge_found(place *first, place *end) {
  for (place *p = first; p < end; ++p) {
    find(p);
    p->charged = p->lies_fast;
  }
}

static void settle_block(const ek_block *b, place *first, place *end) {
  bool found = false;
  for (place *p = first; p < end; ++p)
    found |= p->unknown;
  if (found)
    charge_found(first, end);
  uint64_t fast = 0;
  for (place *p = first; p < end; ++p)
    fast += p->charged ? p->heat.bytes : 0;
  if (fast == b->charge.fast)
    return;
  /* Pages of a cut block are gone, or found ones lie closer together. */
  ek_blocks_lock();
  const bool fits = ek_blocks_charge(b->base, b->id, fast);
  ek_blocks_unlock();
  for (place *p = first; !fits && p < end; ++p) { /* beyond the limit */
    p->heat.fast = false;
    p->charged = false;
  }
}

/* In a child of fork. What it shares with its parent is the parent's. */
static void begin_again(const ek_block *blocks, size_t count) {
  forked = false;
  for (size_t i = 0; i < place_count; ++i) {
    place *p = &places[i];
    p->lies_fast = p->charged = p->heat.fast = p->unknown = false;
    p->touched_all = p->touched_fast = p->up_bytes = p->down_bytes = 0;
  }
  for (size_t i = 0; i < count; ++i) {
    uintptr_t from, to;
    ek_charge_pages(blocks[i].base, blocks[i].bytes, &from, &to);
    if (!blocks[i].charge.fast)
      ek_tiers_place(from, to, false);
  }
}

void ek_places_begin(const ek_block *blocks, size_t count) {
  size_t n = 0, old = 0;
  uintptr_t free = 0; /* neighbours may share a page */
  if (forked)
    begin_again(blocks, count);
  for (size_t i = 0; i < count; ++i) {
    uintptr_t from, to;
    const size_t first = n;
    ek_charge_pages(blocks[i].base, blocks[i].bytes, &from, &to);
    from = from < free ? free : from;
    for (uintptr_t at = from, next; at < to; at = next) {
      next = ek_charge_border(at, to);
      add(&blocks[i], at, next, next == to,
          old_at(&old, blocks[i].id, at, next), &n);
    }
    settle_block(&blocks[i], &next_places[first], &next_places[n]);
    free = to > free ? to : free;
  }
  tell(&places[old], &places[place_count]);
  place *t = places;
  places = next_places;
  next_places = t;
  place_count = n;
}

/* --- samples -----------------------------------------------------------------
 */

void ek_places_touched(uintptr_t from, uintptr_t to, uint64_t pages) {
  const uint64_t all = (to - from) / page;
  place *p = place_at(from);
  if (!p) /* the first one behind \p from */
    for (p = places; p < places + place_count && p->to <= from; ++p)
      ;
  for (; pages && p < places + place_count && p->from < to; ++p) {
    const uintptr_t a = p->from > from ? p->from : from;
    const uintptr_t b = p->to < to ? p->to : to;
    p->touched += (uint32_t)((pages * ((b - a) / page) + all / 2) / all);
  }
}

static ek_chunk_heat *heat_at(void *data, size_t i) {
  return &((place *)data)[i].heat;
}

/* What chunks of this process may hold beyond what they shall hold. */
static int64_t room(void) {
  int64_t bytes = (int64_t)ek_account_room();
  for (size_t i = 0; i < place_count; ++i) {
    bytes += places[i].charged ? (int64_t)places[i].heat.bytes : 0;
    bytes -= places[i].heat.fast ? (int64_t)places[i].heat.bytes : 0;
  }
  return bytes;
}

static void swap(place *up, int64_t *left) {
  if (!ek_swap_choose(options.rule, &up->heat, *left, place_count, heat_at,
                      places))
    return;
  for (size_t i = 0; i < place_count; ++i)
    if (places[i].heat.leaves) {
      places[i].heat.fast = false;
      places[i].tries = 0;
      *left += (int64_t)places[i].heat.bytes;
    }
  up->heat.fast = true;
  up->tries = 0;
  *left -= (int64_t)up->heat.bytes;
}

static void sampled(place *p, int64_t *left) {
  uint64_t key;
  p->heat.last_sample = sample;
  if (options.rule == EK_SWAP_WINDOW) {
    ++p->heat.in_window;
    if (ek_swap_enter(&window, p->from, &key)) {
      /* The chunk may be gone, and another one may begin there. */
      place *old = place_at(key);
      if (old && old->heat.in_window)
        --old->heat.in_window;
    }
  }
  if (!p->heat.fast)
    swap(p, left);
}

/* Picks one of \p all touched pages: multiples of the golden ratio fill the
 * range evenly, and in no order of addresses. */
static place *pick(uint64_t all) {
  const double golden = 0.6180339887498949;
  const double turn = (double)(sample % 1000000007) * golden;
  const uint64_t at = (uint64_t)((turn - (double)(uint64_t)turn) * (double)all);
  size_t low = 0, high = place_count - 1;
  while (low < high) {
    const size_t mid = (low + high) / 2;
    if (sums[mid] <= at)
      low = mid + 1;
    else
      high = mid;
  }
  return &places[low];
}

void ek_places_decide(uint64_t elapsed_ns, ek_touch_moves *figures) {
  uint64_t all = 0, count = elapsed_ns / options.interval_ns;
  for (size_t i = 0; i < place_count; ++i) {
    place *p = &places[i];
    p->touched_all += p->touched;
    p->touched_fast += p->lies_fast ? p->touched : 0;
    figures->touched += p->touched;
    figures->fast_touched += p->lies_fast ? p->touched : 0;
    sums[i] = all += p->touched;
  }
  count = count < all ? count : all;
  count = count < EK_MOST_PASS_SAMPLES ? count : EK_MOST_PASS_SAMPLES;
  count = options.stays ? 0 : count;
  int64_t left = room();
  for (uint64_t i = 0; i < count; ++i) {
    ++sample;
    sampled(pick(all), &left);
  }
  figures->samples += count;
  figures->left_out = left_out;
  figures->bytes = figures->fast_bytes = figures->waiting_bytes = 0;
  for (size_t i = 0; i < place_count; ++i) {
    const place *p = &places[i];
    figures->bytes += p->heat.bytes;
    figures->fast_bytes += p->lies_fast ? p->heat.bytes : 0;
    figures->waiting_bytes += p->lies_fast != p->heat.fast ? p->heat.bytes : 0;
  }
  stuck = false;
}

/* --- moves -------------------------------------------------------------------
 */

static bool is_hotter(const place *a, const place *b) {
  if (options.rule == EK_SWAP_WINDOW && a->heat.in_window != b->heat.in_window)
    return a->heat.in_window > b->heat.in_window;
  return a->heat.last_sample > b->heat.last_sample;
}

/* The next chunk to move: the hottest one that shall be fast, if there is room;
 * else the coldest one that shall leave. */
static place *next_move(void) {
  place *up = NULL, *down = NULL;
  for (size_t i = 0; i < place_count; ++i) {
    place *p = &places[i];
    if (p->lies_fast == p->heat.fast || p->tries == TRIES)
      continue;
    if (p->heat.fast)
      up = !up || is_hotter(p, up) ? p : up;
    else
      down = !down || is_hotter(down, p) ? p : down;
  }
  return up && (!down || ek_account_room() >= up->heat.bytes) ? up : down;
}

bool ek_places_pending(void) { return !stuck && next_move(); }

uint64_t ek_places_next_ns(void) {
  const place *p = next_move();
  const uint64_t pages = p ? p->heat.bytes / page : 0;
  return (uint64_t)((double)pages * page_ns);
}

/* Moves [from, to) of \p p, if its block is still there. */
static bool move_batch(const place *p, uintptr_t from, uintptr_t to, bool fast,
                       ek_tiers_moved *sum) {
  ek_blocks_lock();
  const bool there = ek_blocks_has(p->base, p->block);
  if (there) {
    const ek_tiers_moved done = ek_tiers_move(from, to, fast);
    sum->moved += done.moved;
    sum->refused += done.refused;
  }
  ek_blocks_unlock();
  return there;
}

/* Returns false if it ended early: some pages have moved. */
static bool move_pages(const place *p, bool fast, ek_tiers_moved *sum,
                       bool (*stops)(void)) {
  for (uintptr_t at = p->from, next; at < p->to; at = next) {
    next = at + EK_TIERS_BATCH * page;
    next = next < p->to ? next : p->to;
    if (stops() || !move_batch(p, at, next, fast, sum))
      return false;
  }
  return true;
}

static bool take(const place *p) {
  ek_blocks_lock();
  const bool taken = ek_blocks_take(p->base, p->block, p->heat.bytes);
  ek_blocks_unlock();
  return taken;
}

static void give(const place *p) {
  ek_blocks_lock();
  ek_blocks_give(p->base, p->block, p->heat.bytes);
  ek_blocks_unlock();
}

/* Pages that the kernel refuses to move out stay charged. */
static void moved(place *p, const ek_tiers_moved *sum,
                  ek_touch_moves *figures) {
  figures->refused += sum->refused;
  if (sum->refused && !sum->moved) {
    if (p->heat.fast) {
      give(p);
      p->charged = false;
    }
    if (++p->tries == TRIES) {
      p->heat.fast = p->lies_fast;
      figures->waiting_bytes -= p->heat.bytes;
    }
    return;
  }
  if (!p->heat.fast && sum->refused && ++p->tries < TRIES)
    return;
  p->lies_fast = p->heat.fast;
  if (p->lies_fast) {
    p->up_bytes += p->heat.bytes;
    figures->up_bytes += p->heat.bytes;
    figures->fast_bytes += p->heat.bytes;
  } else {
    p->down_bytes += p->heat.bytes;
    figures->down_bytes += p->heat.bytes;
    figures->fast_bytes -= p->heat.bytes;
    if (p->charged && !sum->refused) {
      give(p);
      p->charged = false;
    }
  }
  figures->waiting_bytes -= p->heat.bytes;
}

void ek_places_move(ek_touch_moves *figures, uint64_t (*spent)(void),
                    bool (*stops)(void)) {
  place *p = next_move();
  const bool up = p && p->heat.fast;
  if (!p || (up && !p->charged && !take(p))) {
    stuck = true;
    return;
  }
  p->charged |= up;
  ek_tiers_moved sum = {0, 0};
  const uint64_t before = spent();
  const bool whole = move_pages(p, up, &sum, stops);
  const uint64_t pages = p->heat.bytes / page;
  if (whole && sum.moved)
    page_ns += ((double)(spent() - before) / (double)pages - page_ns) / 4;
  if (whole)
    moved(p, &sum, figures);
  else
    stuck = true; /* the process ends, or the block has: the next pass knows */
}
