/*===- groups.c - objects sorted by their gain per byte -----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the groups are an array sorted by worth. For each list, one bit per
 * group says whether the group has objects in it; one bit per word of these
 * says whether any is set; and so on up to a single word.
 *===----------------------------------------------------------------------===*/
#include "placement/groups.h"

#include <stdlib.h>
#include <string.h>

enum { LISTS = 2, LEVELS = 5, WORD = 64 }; /* 2^30 groups */

/* Pinned objects are never displaced; objects placed by a call have no known
 * gain; objects that neither the plan nor a call places are displaced first. */
static ek_group pinned = {.worth = __builtin_inf()}, by_call = {.worth = 0},
                other = {.worth = -1};
enum { OWN = 3 };

/* The array holds copies of the worths, so that sorting does not touch every
 * group. The words of bits follow it in memory. */
typedef struct place {
  double worth;
  ek_group *group;
} place;
static place own[OWN] = {{0, &pinned}, {0, &by_call}, {0, &other}},
             *groups = own;
static size_t count = OWN;
static uint64_t own_bits[LISTS * LEVELS];
#define LEVELS_OF(list)                                                        \
  {own_bits + LEVELS * list, own_bits + LEVELS * list + 1,                     \
   own_bits + LEVELS * list + 2, own_bits + LEVELS * list + 3,                 \
   own_bits + LEVELS * list + 4}
static uint64_t *bits[LISTS][LEVELS] = {LEVELS_OF(0), LEVELS_OF(1)};

static size_t words(size_t n) { return (n + WORD - 1) / WORD; }

static size_t words_of_all_levels(size_t n) {
  size_t all = 0;
  for (unsigned l = 0; l < LEVELS; ++l)
    all += n = words(n);
  return all;
}

static size_t count_with(const ek_plan *plan, bool keep) {
  return (keep ? count : OWN) + (plan ? plan->count : 0);
}

void *ek_groups_memory(const ek_plan *plan, bool keep) {
  const size_t n = count_with(plan, keep);
  return malloc(n * sizeof(place) +
                LISTS * words_of_all_levels(n) * sizeof(uint64_t));
}

/* --- bits --------------------------------------------------------------------
 */

static void set(unsigned list, size_t i) {
  for (unsigned l = 0; l < LEVELS; ++l, i /= WORD)
    bits[list][l][i / WORD] |= (uint64_t)1 << i % WORD;
}

static void clear(unsigned list, size_t i) {
  for (unsigned l = 0; l < LEVELS; ++l, i /= WORD)
    if (bits[list][l][i / WORD] &= ~((uint64_t)1 << i % WORD))
      return; /* the word has other bits */
}

static void set_all(void) {
  for (unsigned list = 0; list < LISTS; ++list) {
    size_t n = count;
    for (unsigned l = 0; l < LEVELS; ++l) {
      n = words(n);
      memset(bits[list][l], 0, n * sizeof(uint64_t));
    }
  }
  for (size_t i = 0; i < count; ++i) {
    groups[i].group->at = i;
    for (unsigned list = 0; list < LISTS; ++list)
      if (groups[i].group->first[list])
        set(list, i);
  }
}

bool ek_groups_any(ek_list list) { return *bits[list - 1][LEVELS - 1] != 0; }

/* The lowest (highest) set bit of level 0 below bit \p i of level \p l. */
static size_t lowest(unsigned list, unsigned l, size_t i) {
  while (l--)
    i = i * WORD + (size_t)__builtin_ctzll(bits[list][l][i]);
  return i;
}

static size_t highest(unsigned list, unsigned l, size_t i) {
  while (l--)
    i = i * WORD + (WORD - 1) - (size_t)__builtin_clzll(bits[list][l][i]);
  return i;
}

size_t ek_groups_from(ek_list list, size_t from) {
  size_t n = count;
  for (unsigned l = 0; l < LEVELS && from < n; ++l) {
    const uint64_t rest = bits[list - 1][l][from / WORD] >> from % WORD;
    if (rest)
      return lowest(list - 1, l, from + (size_t)__builtin_ctzll(rest));
    from = from / WORD + 1;
    n = words(n);
  }
  return EK_NO_GROUP;
}

size_t ek_groups_before(ek_list list, size_t before) {
  before = before < count ? before : count;
  for (unsigned l = 0; l < LEVELS && before; ++l) {
    const size_t last = before - 1;
    const uint64_t rest = bits[list - 1][l][last / WORD]
                          << (WORD - 1 - last % WORD);
    if (rest)
      return highest(list - 1, l, last - (size_t)__builtin_clzll(rest));
    before = last / WORD;
  }
  return EK_NO_GROUP;
}

ek_group *ek_groups_at(size_t group) { return groups[group].group; }

/* --- the array ---------------------------------------------------------------
 */

static int by_worth(const void *a, const void *b) {
  double x = ((const place *)a)->worth, y = ((const place *)b)->worth;
  return x > y ? -1 : x < y;
}

void ek_groups_order(void) {
  bool sorted = true;
  for (size_t i = 0; i < count; ++i) {
    groups[i].worth = groups[i].group->worth;
    sorted &= i == 0 || groups[i - 1].worth >= groups[i].worth;
  }
  if (!sorted)
    qsort(groups, count, sizeof *groups, by_worth);
  set_all();
}

void *ek_groups_take(ek_plan *plan, bool keep, void *memory) {
  const size_t n = count_with(plan, keep), before = keep ? count : OWN;
  place *all = memory ? memory : own;
  if (memory)
    memcpy(all, keep ? groups : own, before * sizeof *all);
  for (size_t i = before; i < n; ++i)
    all[i].group = &plan->objects[i - before].group;
  void *old = groups == own ? NULL : groups;
  groups = all;
  count = n;
  uint64_t *word = memory ? (uint64_t *)(all + n) : own_bits;
  for (unsigned list = 0; list < LISTS; ++list) {
    size_t of_level = n;
    for (unsigned l = 0; l < LEVELS; ++l) {
      bits[list][l] = word;
      word += of_level = words(of_level);
    }
  }
  ek_groups_order();
  return old;
}

/* --- objects -----------------------------------------------------------------
 */

ek_group *ek_group_of(const ek_object *o) {
  if (o->pinned)
    return &pinned;
  if (o->plan)
    return &o->plan->group;
  return o->percent != EK_NO_FAST ? &by_call : &other;
}

static void unlist(ek_object *o) {
  ek_group *g = ek_group_of(o);
  const unsigned list = o->list - 1u;
  *(o->prev ? &o->prev->next : &g->first[list]) = o->next;
  *(o->next ? &o->next->prev : &g->last[list]) = o->prev;
  if (!g->first[list])
    clear(list, g->at);
  o->list = EK_UNLISTED;
}

void ek_group_list(ek_object *o, ek_list in) {
  if (o->list != EK_UNLISTED)
    unlist(o);
  o->list = (uint8_t)in;
  if (in == EK_UNLISTED)
    return;
  ek_group *g = ek_group_of(o);
  const unsigned list = in - 1u;
  o->next = NULL;
  o->prev = g->last[list];
  *(o->prev ? &o->prev->next : &g->first[list]) = o;
  g->last[list] = o;
  set(list, g->at);
}

bool ek_place_waits(const ek_object *o) {
  return o->short_pages || o->recheck || (o->unseen && !o->looked);
}

void ek_place_list(ek_object *o) {
  ek_group_list(o, ek_place_waits(o) ? EK_SHORT
                   : o->fast_pages   ? EK_CONTENT
                                     : EK_UNLISTED);
}
