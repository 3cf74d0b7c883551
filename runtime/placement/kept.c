/*===- kept.c - a bounded table of extents, by layout -------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: hash chains by layout to find extents, and one list by age to bound
 * their memory. The table is static, so that free() allocates nothing.
 *===----------------------------------------------------------------------===*/
#include "placement/kept.h"
#include "core/options.h"
#include "core/stats.h"
#include "objects/extent.h"
#include "providers/provider.h"
#include "ranks/share.h"

enum { SLOTS = 1024, CHAINS = 256, NONE = 0xffff };

typedef struct slot {
  ek_left left;
  uint16_t next, before; /* in its chain; free slots use only next */
  uint16_t newer, older;
} slot;

static slot slots[SLOTS];
static uint16_t chains[CHAINS], newest, oldest, unused;
static size_t kept_bytes;                 /* of all, in whole granules */
static uint64_t tier_bytes[EK_MAX_TIERS]; /* only the first and last are used */
static bool ready;

static void get_ready(void) {
  if (ready)
    return;
  for (unsigned c = 0; c < CHAINS; ++c)
    chains[c] = NONE;
  for (unsigned i = 0; i < SLOTS; ++i)
    slots[i].next = (uint16_t)(i + 1 < SLOTS ? i + 1 : NONE);
  newest = oldest = NONE;
  unused = 0;
  ready = true;
}

static bool equal(const ek_layout *a, const ek_layout *b) {
  return a->kind == b->kind && a->bytes == b->bytes && a->ranges == b->ranges &&
         a->range_count == b->range_count && a->prefix == b->prefix &&
         a->thread == b->thread;
}

static unsigned chain_of(const ek_layout *l) {
  uint64_t h = (l->bytes ^ l->kind) * 0x9e3779b97f4a7c15u;
  return (unsigned)(h >> 40) % CHAINS;
}

static size_t extent_bytes(const ek_left *left) {
  return (left->base % EK_GRANULE + left->bytes + EK_GRANULE - 1) &
         ~(EK_GRANULE - 1);
}

static void charge(const ek_left *left, bool more) {
  const uint64_t sign = more ? 1 : (uint64_t)-1;
  tier_bytes[0] += sign * left->fast_pages * EK_PAGE_BYTES;
  tier_bytes[ek_tier_count - 1] += sign * left->slow_pages * EK_PAGE_BYTES;
  kept_bytes += (size_t)sign * extent_bytes(left);
}

static ek_left remove_slot(uint16_t i) {
  slot *s = &slots[i];
  *(s->before != NONE ? &slots[s->before].next
                      : &chains[chain_of(&s->left.layout)]) = s->next;
  if (s->next != NONE)
    slots[s->next].before = s->before;
  *(s->newer != NONE ? &slots[s->newer].older : &newest) = s->older;
  *(s->older != NONE ? &slots[s->older].newer : &oldest) = s->newer;
  s->next = unused;
  unused = i;
  charge(&s->left, false);
  return s->left;
}

bool ek_kept_take(const ek_layout *layout, size_t align, ek_left *out) {
  get_ready();
  if (layout->kind == EK_LAYOUT_NONE)
    return false;
  for (uint16_t i = chains[chain_of(layout)]; i != NONE; i = slots[i].next)
    if (equal(&slots[i].left.layout, layout) &&
        !(slots[i].left.base & (align - 1))) {
      *out = remove_slot(i);
      ek_extent_show((void *)out->base, layout->bytes);
      ek_add(kept_taken, 1);
      return true;
    }
  return false;
}

ek_kept_answer ek_kept_put(const ek_left *left, ek_left *out) {
  get_ready();
  *out = *left;
  /* Ranks must not withhold unused memory from each other. */
  if (left->layout.kind == EK_LAYOUT_NONE ||
      (left->fast_pages && ek_share_is_open()) ||
      extent_bytes(left) > ek_opt.retain)
    return EK_NOT_KEPT;
  if (unused == NONE || kept_bytes + extent_bytes(left) > ek_opt.retain) {
    *out = remove_slot(oldest);
    ek_add(kept_returned, 1);
    return EK_KEPT_AFTER;
  }
  ek_extent_hide((void *)left->base, left->bytes);
  uint16_t i = unused, *chain = &chains[chain_of(&left->layout)];
  slot *s = &slots[i];
  unused = s->next;
  s->left = *left;
  s->before = NONE;
  s->next = *chain;
  if (s->next != NONE)
    slots[s->next].before = i;
  *chain = i;
  s->newer = NONE;
  s->older = newest;
  *(newest != NONE ? &slots[newest].newer : &oldest) = i;
  newest = i;
  charge(left, true);
  return EK_KEPT;
}

void ek_left_release(const ek_left *left) {
  if (left->placed)
    ek_provider_now->release((void *)ek_first_page(left->base),
                             ek_page_span(left->base, left->bytes));
  /* Pages that were not placed may be reused as they are. */
  ek_extent_free((void *)left->base, left->bytes,
                 ek_provider_now->retains || ek_tier_count == 1);
}

static void drop(uint16_t i) {
  ek_left left = remove_slot(i);
  ek_add(kept_returned, 1);
  ek_left_release(&left);
}

void ek_kept_make_room(unsigned tier, size_t bytes) {
  uint64_t enough = tier_bytes[tier] > bytes ? tier_bytes[tier] - bytes : 0;
  uint16_t newer;
  for (uint16_t i = ready ? oldest : NONE;
       i != NONE && tier_bytes[tier] > enough; i = newer) {
    newer = slots[i].newer;
    if (tier == 0 ? slots[i].left.fast_pages : slots[i].left.slow_pages)
      drop(i);
  }
}

void ek_kept_drop_all(void) {
  while (ready && oldest != NONE)
    drop(oldest);
}

uint64_t ek_kept_bytes(unsigned tier) { return tier_bytes[tier]; }
