/*===- books.c - accounting of the tiers' memory ------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See books.h.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "placement/books.h"
#include "core/options.h"
#include "core/reserved.h"
#include "placement/in_force.h"
#include "placement/kept.h"
#include "placement/own.h"
#include "providers/provider.h"
#include "ranks/rank.h"
#include "ranks/share.h"

ek_tier_use ek_use[EK_MAX_TIERS];

static uint64_t capacity[EK_MAX_TIERS];
static struct {
  uint64_t data;                /* bytes whose page tables are accounted for */
  uint64_t spare[EK_MAX_TIERS]; /* bytes of a tier that the plan leaves free */
} set_aside;

/* --- capacities --------------------------------------------------------------
 */

/* Ranks of a node share one fast tier. */
static void share_fast_tier(void) {
  char name[256];
  unsigned ranks;
  if (ek_tier_count < 2 || capacity[0] == EK_UNLIMITED || ek_share_is_open() ||
      !ek_share_name(name, sizeof name, &ranks)[0])
    return;
  uint64_t all = ek_share_open(name, capacity[0]);
  if (all) {
    capacity[0] = all; /* other ranks may have used some when we measured */
  } else {
    ek_count(EK_WHY_share_unavailable, 1);
    capacity[0] /= ranks ? ranks : 1;
  }
  if (ek_use[0].most > capacity[0])
    ek_use[0].most = capacity[0];
}

void ek_place_ranks(void) {
  ek_plan_rank = ek_rank();
  ek_place_lock();
  if (ek_kept_bytes(0)) /* the shared account does not know retained memory */
    ek_kept_make_room(0, ek_kept_bytes(0));
  bool shared = ek_share_is_open();
  share_fast_tier();
  if (!shared && ek_share_is_open())
    ek_share_take_anyway(ek_use[0].live);
  ek_place_unlock();
}

/* The bytes of a tier that are available for data. */
static uint64_t for_data(unsigned tier) {
  char name[256];
  unsigned ranks = 0;
  uint64_t all = ek_tiers[tier].capacity;
  if (!ek_tiers[tier].home || all == EK_UNLIMITED || ek_tier_count < 2)
    return all;
  if (!ek_share_name(name, sizeof name, &ranks)[0])
    ranks = 1;
  uint64_t own = ek_own_bytes(ranks) + ek_own_tables(set_aside.data);
  return all > own ? all - own : 0;
}

void ek_place_start(void) {
  set_aside.data = ek_plan_now ? ek_plan_now->data_bytes : 0;
  for (unsigned t = 0; t < ek_tier_count; ++t) {
    capacity[t] = for_data(t);
    set_aside.spare[t] = 0;
  }
  /* Acquired data has a part of the first tier for itself (required/). */
  if (ek_opt.required && ek_opt.required_by == EK_BY_PAGES &&
      ek_tier_count > 1 && capacity[0] != EK_UNLIMITED)
    capacity[0] -=
        ek_opt.required < capacity[0] ? ek_opt.required : capacity[0];
  if (ek_plan_now && ek_tier_count > 1 && ek_plan_now->fast_bytes &&
      ek_plan_now->fast_bytes < capacity[0]) {
    set_aside.spare[0] = capacity[0] - ek_plan_now->fast_bytes;
    capacity[0] = ek_plan_now->fast_bytes;
  }
  share_fast_tier();
}

uint64_t ek_place_capacity(unsigned tier) { return capacity[tier]; }

/* --- what is taken -----------------------------------------------------------
 */

static unsigned last_tier(void) { return ek_tier_count - 1; }

static size_t count_live(unsigned tier, size_t bytes) {
  ek_tier_use *u = &ek_use[tier];
  u->live += bytes;
  if (u->live > u->peak)
    u->peak = u->live;
  return bytes;
}

/* \p bytes are part of the tier's live bytes. */
void ek_place_count(unsigned tier, uint64_t bytes) {
  ek_tier_use *u = &ek_use[tier];
  uint64_t now = u->live < capacity[tier] ? u->live : capacity[tier];
  u->placed += bytes;
  if (bytes && now > u->most)
    u->most = now;
}

size_t ek_place_take_anyway(unsigned tier, size_t bytes) {
  if (tier == 0)
    ek_share_take_anyway(bytes);
  return count_live(tier, bytes);
}

/* Bytes for page tables of data beyond what was accounted for at start. */
static uint64_t more_tables(unsigned tier) {
  if (!ek_tiers[tier].home || ek_tier_count < 2)
    return 0;
  uint64_t data = ek_use[0].live + ek_use[last_tier()].live;
  uint64_t more =
      data > set_aside.data ? ek_own_tables(data - set_aside.data) : 0;
  return more > set_aside.spare[tier] ? more - set_aside.spare[tier] : 0;
}

uint64_t ek_place_left(unsigned tier) {
  uint64_t used = ek_use[tier].live + ek_kept_bytes(tier) + more_tables(tier);
  uint64_t left = capacity[tier] > used ? capacity[tier] - used : 0;
  return left & ~(uint64_t)(EK_PAGE_BYTES - 1);
}

size_t ek_place_take(unsigned tier, size_t bytes) {
  if (capacity[tier] != EK_UNLIMITED) {
    uint64_t left = ek_place_left(tier);
    if (bytes > left && ek_kept_bytes(tier)) {
      ek_kept_make_room(tier, bytes - (size_t)left);
      left = ek_place_left(tier);
    }
    if (bytes > left)
      bytes = (size_t)left;
  }
  if (tier == 0)
    bytes = ek_share_take(bytes);
  return count_live(tier, bytes);
}

void ek_place_give(unsigned tier, size_t bytes) {
  ek_use[tier].live -= bytes;
  if (tier == 0)
    ek_share_give(bytes);
}

void ek_place_charge(ek_object *o, unsigned tier, size_t pages) {
  *(tier == 0 ? &o->fast_pages : &o->slow_pages) += (uint32_t)pages;
}

size_t ek_place_arrived(ek_object *o, unsigned to, size_t pages) {
  uint32_t *from = to == 0 ? &o->slow_pages : &o->fast_pages;
  size_t known = pages < *from ? pages : *from;
  ek_place_give(to == 0 ? last_tier() : 0, known * EK_PAGE_BYTES);
  ek_place_give(to, (pages - known) * EK_PAGE_BYTES);
  *from -= (uint32_t)known;
  o->as_placed = false;
  ek_place_charge(o, to, known);
  return known;
}
