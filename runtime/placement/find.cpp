//===- find.cpp - finding entries and steps of a plan -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: an allocation finds its entry, and a hook its steps, by binary search.
// Throws nothing and allocates nothing.
// Not here: how the arrays are made (flatten.cpp).
//===----------------------------------------------------------------------===//
#include "objects/record.h"
#include "placement/plan.h"
#include "placement/plan_order.h"

#include <algorithm>
#include <utility>

using evenkeel::before;
using evenkeel::order;

void ek_plan_drop(ek_plan *Plan) {
  Plan->keeps_first_touch = true;
  Plan->all_fits = false;
  Plan->replans = Plan->change_count = 0;
  __atomic_store_n(&Plan->count, 0, __ATOMIC_RELEASE);
}

/// FNV-1a.
static uint64_t mix(uint64_t H, const void *Data, size_t Size) {
  for (auto *C = static_cast<const unsigned char *>(Data); Size--; ++C)
    H = (H ^ *C) * 0x100000001b3ULL;
  return H;
}

uint64_t ek_plan_identity(const ek_plan *Plan) {
  uint64_t H = mix(0xcbf29ce484222325ULL, Plan->ranks,
                   Plan->rank_count * sizeof *Plan->ranks);
  for (size_t I = 0; I < Plan->step_count; ++I) {
    H = mix(H, &Plan->steps[I].sync, sizeof Plan->steps[I].sync);
    H = mix(H, &Plan->steps[I].seconds, sizeof Plan->steps[I].seconds);
  }
  for (size_t I = 0; I < Plan->count; ++I) {
    H = mix(H, &Plan->objects[I].site, sizeof Plan->objects[I].site);
    H = mix(H, &Plan->objects[I].share, sizeof Plan->objects[I].share);
  }
  return H;
}

size_t ek_plan_rank_of(const ek_plan *Plan, uint32_t Index) {
  const uint32_t *Last =
      std::upper_bound(Plan->ranks, Plan->ranks + Plan->rank_count, Index);
  return static_cast<size_t>(Last - Plan->ranks) - 1;
}

bool ek_plan_names_rank(const ek_plan *Plan, const ek_plan_object *Entry,
                        uint32_t Rank) {
  return Entry->creator == EK_ANY ||
         (Entry->creator <= UINT32_MAX &&
          ek_plan_rank_of(Plan, static_cast<uint32_t>(Entry->creator)) == Rank);
}

size_t ek_plan_part(const ek_plan *Plan, size_t Step, double *Times) {
  size_t From = Step;
  while (From > 0 && !Plan->steps[From - 1].sync)
    --From;
  std::fill_n(Times, Plan->rank_count, 0.0);
  for (size_t I = From; I <= Step; ++I) {
    const ek_plan_step &S = Plan->steps[I];
    if (S.has_explicit)
      return Plan->step_count;
    // Tasks are sorted by number, so a rank's tasks are adjacent.
    for (uint32_t T = 0; T < S.task_count;) {
      const size_t R =
          ek_plan_rank_of(Plan, Plan->task_index[S.first_task + T]);
      double Longest = 0;
      for (; T < S.task_count &&
             ek_plan_rank_of(Plan, Plan->task_index[S.first_task + T]) == R;
           ++T)
        Longest = std::max(Longest, Plan->task_seconds[S.first_task + T]);
      Times[R] += Longest;
    }
  }
  return From;
}

/// Finds the entry by the object's order among all objects of its site, through
/// whatever calls they were allocated.
static ek_plan_object *findByOrder(const ek_plan *Plan, const ek_instance *O) {
  ek_plan_object **End = Plan->by_order + Plan->by_order_count;
  for (const uint64_t Creator : {O->creator, EK_ANY}) {
    ek_plan_object Name{};
    Name.site = O->site;
    Name.creator = Creator;
    Name.of_site = O->ordinal;
    ek_plan_object **After = std::upper_bound(
        Plan->by_order, End, order(Name),
        [](const auto &N, const ek_plan_object *E) { return N < order(*E); });
    if (After == Plan->by_order)
      continue;
    const ek_plan_object *Last = After[-1];
    if (Last->site == Name.site && Last->creator == Creator &&
        Name.of_site - Last->of_site <= Last->more)
      return *std::lower_bound(
          Plan->by_order, After, order(*Last),
          [](const ek_plan_object *E, const auto &N) { return order(*E) < N; });
  }
  return nullptr;
}

/// The first entry with that name, or null.
static ek_plan_object *findByName(const ek_plan *Plan,
                                  const ek_plan_object &Name) {
  ek_plan_object *First = Plan->objects;
  ek_plan_object *After =
      std::upper_bound(First, First + Plan->count, Name, before);
  if (After == First)
    return nullptr;
  const ek_plan_object &Last = After[-1];
  if (Last.site != Name.site || Last.context != Name.context ||
      Last.creator != Name.creator || Name.ordinal - Last.ordinal > Last.more)
    return nullptr;
  return std::lower_bound(First, After, Last, before);
}

ek_plan_object *ek_plan_find(const ek_plan *Plan, const ek_instance *O) {
  ek_plan_object *Best = nullptr;
  int BestRank = -1;
  // All names that an entry for this object may have.
  const bool Small = O->ordinal == EK_SMALL_BLOCKS;
  for (unsigned Any = 0; Any < 8; ++Any) {
    if (Small && Any & 1)
      continue; // entries for any block of the site mean large ones
    ek_plan_object Name{};
    Name.site = O->site;
    Name.context = Any & 4 ? 0 : O->context;
    Name.creator = Any & 2 ? EK_ANY : O->creator;
    Name.ordinal = Any & 1 ? EK_ANY : Name.context ? O->in_context : O->ordinal;
    ek_plan_object *It = findByName(Plan, Name);
    if (!It)
      continue;
    const bool OfCreator = It->creator != EK_ANY;
    const bool Waits = __atomic_load_n(&It->waits, __ATOMIC_RELAXED);
    int Rank = (It->context ? 8 : 0) + (OfCreator ? (Waits ? 1 : 4) : 0) +
               (It->ordinal != EK_ANY ? 2 : 0);
    if (Rank > BestRank) {
      Best = It;
      BestRank = Rank;
    }
  }
  // The program may not report contexts.
  return Best || O->context || Small ? Best : findByOrder(Plan, O);
}

ek_plan_known ek_plan_knows(const ek_plan *Plan, uint64_t Site) {
  const ek_plan_object *First = Plan->objects, *End = First + Plan->count;
  const ek_plan_object *After = std::upper_bound(
      First, End, Site,
      [](uint64_t S, const ek_plan_object &E) { return S < E.site; });
  if (After == First || After[-1].site != Site)
    return EK_KNOWS_NOTHING;
  return After[-1].context ? EK_KNOWS_CALLS : EK_KNOWS_ORDER; // sorted
}

const ek_plan_sync *ek_plan_sync_of(const ek_plan *Plan, uint64_t Id) {
  const ek_plan_sync *Begin = Plan->syncs, *End = Begin + Plan->sync_count;
  const ek_plan_sync *At = std::lower_bound(
      Begin, End, Id,
      [](const ek_plan_sync &S, uint64_t Sync) { return S.sync < Sync; });
  return At != End && At->sync == Id ? At : nullptr;
}

const ek_plan_value *ek_plan_values_of(const ek_plan *Plan, uint64_t Region) {
  return std::lower_bound(
      Plan->values, Plan->values + Plan->value_count, Region,
      [](const ek_plan_value &V, uint64_t R) { return V.region < R; });
}

bool ek_plan_was_used(const ek_plan *Plan) {
  for (; Plan; Plan = Plan->older)
    if (std::any_of(Plan->objects, Plan->objects + Plan->count,
                    [](const ek_plan_object &E) { return E.used; }))
      return true;
  return false;
}

bool ek_plan_change_now(ek_plan_change *Change) {
  ek_plan_object *To = Change->entry;
  To->share = Change->share;
  To->gain_s = Change->gain_s;
  // Swapped, so that leak detectors still find the old ranges.
  std::swap(To->ranges, Change->ranges);
  To->range_count = Change->range_count;
  To->group.worth = Change->worth;
  return __atomic_exchange_n(&To->waits, false, __ATOMIC_RELAXED);
}
