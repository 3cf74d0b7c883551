/*===- wish.c - the tier an object is wanted in -------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See wish.h.
 *===----------------------------------------------------------------------===*/
#include "placement/wish.h"
#include "core/events.h"
#include "core/options.h"
#include "core/stats.h"
#include "core/tuning.h"
#include "objects/chain.h"
#include "placement/groups.h"
#include "placement/in_force.h"
#include "placement/unlike.h"
#include "placement/unsure.h"
#include "providers/provider.h"

bool ek_wish_may_change(void) {
  const ek_plan *plan = ek_plan_of_now();
  return plan && plan->keeps_first_touch && plan->all_fits && plan->replans &&
         ek_opt.balance;
}

static bool same_wish(const ek_plan_object *a, const ek_plan_object *b) {
  if (!a || !b || a->range_count != b->range_count ||
      (!a->range_count && a->share != b->share))
    return a == b;
  for (size_t i = 0; i < a->range_count; ++i)
    if (a->ranges[i].from != b->ranges[i].from ||
        a->ranges[i].to != b->ranges[i].to ||
        a->ranges[i].share != b->ranges[i].share)
      return false;
  return true;
}

/* The plan's number for a creator of this process. For a rank that is not in
 * the plan, a number that matches only entries for any creator. */
static uint64_t planned_creator(const ek_plan *plan, uint32_t creator) {
  if (!plan->rank_count)
    return creator;
  return ek_plan_rank < plan->rank_count
             ? plan->ranks[ek_plan_rank] + (uint64_t)creator
             : EK_ANY - 1;
}

static ek_plan_object *find_entry(const ek_plan *plan, const ek_object *o) {
  const ek_instance named = {o->site, ek_chain_context(o->chain),
                             planned_creator(plan, o->creator), o->ordinal,
                             o->in_context};
  return ek_plan_find(plan, &named);
}

void ek_place_follow(ek_object *o, const ek_plan *plan) {
  if (o->pinned || !o->accounted)
    return;
  ek_plan_object *to = find_entry(plan, o);
  if (!to)
    return;
  bool same = same_wish(o->plan, to);
  ek_group_list(o, EK_UNLISTED);
  o->plan = to;
  o->recheck |= !same;
  o->as_placed &= same;
  __atomic_store_n(&to->used, true, __ATOMIC_RELAXED);
  ek_place_list(o);
}

bool ek_wish_is_first_touch(const ek_object *o) {
  const ek_plan *plan = ek_plan_of_now();
  bool planned = plan && !plan->keeps_first_touch;
  return !o->plan && o->percent == EK_NO_FAST && !planned;
}

bool ek_wish_is_systems(const ek_object *o) {
  return ek_tier_count > 1 && ek_provider_now->system_places_unplanned &&
         ek_wish_is_first_touch(o) && !ek_wish_may_change();
}

/* Whether the entry was made for other sizes. */
static bool is_other_size(const ek_plan_object *entry, size_t bytes) {
  return entry->most_bytes > 0 &&
         ((double)bytes < entry->least_bytes * (1 - EK_SIZE_TOLERANCE) ||
          (double)bytes > entry->most_bytes * (1 + EK_SIZE_TOLERANCE));
}

ek_word ek_wish_ask(const ek_object *o, unsigned percent) {
  bool pinned = percent >= EK_PIN && percent <= EK_PIN + 100;
  if (pinned)
    percent -= EK_PIN;
  const ek_plan *plan = ek_plan_of_now();
  ek_plan_object *entry = NULL;
  if (plan && !plan->keeps_first_touch)
    entry = find_entry(plan, o);
  if (plan && !plan->keeps_first_touch)
    ek_unsure_count(plan, entry, o);
  if (plan && o->site && !pinned && percent > 100 &&
      (plan->keeps_first_touch ? plan->all_fits && !find_entry(plan, o)
                               : !entry))
    ek_unlike_object();
  if (entry) {
    __atomic_store_n(&entry->used, true, __ATOMIC_RELAXED);
    if (o->range != EK_SMALLS && is_other_size(entry, o->bytes)) {
      ek_count(EK_WHY_other_size, 1);
      ek_tell_departed();
    }
  }
  if (pinned) /* the user's choice wins */
    entry = NULL;
  return (ek_word){entry, percent <= 100 ? (uint8_t)percent : EK_NO_FAST,
                   pinned};
}

void ek_wish_count(ek_word w) {
  bool by_call = w.percent <= 100;
  if ((w.entry || by_call) && ek_tier_count == 1)
    ek_count(EK_WHY_one_tier, 1);
  if (w.entry)
    ek_add(planned, 1);
  else if (w.pinned)
    ek_add(pinned, 1);
  else if (by_call)
    ek_add(by_call, 1);
  else
    ek_add(unplanned, 1);
}

void ek_wish_set(ek_object *o, ek_word w) {
  o->plan = w.entry;
  o->percent = w.percent;
  o->pinned = w.pinned;
}
