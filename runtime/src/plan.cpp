//===- plan.cpp - plan.json for the C side ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: profiles/format/Plan.h. Makes: flat arrays, sorted by site, so that an
// allocation finds its entry by binary search. No exception leaves this file.
//===----------------------------------------------------------------------===//
#include "plan.h"
#include "format/Plan.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <tuple>

static ek_plan *flatten(const evenkeel::Plan &P) {
  auto *Flat = new ek_plan();
  Flat->count = P.Objects.size();
  Flat->objects = new ek_plan_object[P.Objects.size()]();
  Flat->fast_bytes = P.FastBytes;
  Flat->keeps_first_touch = P.KeepsFirstTouch;
  for (size_t I = 0; I < P.Objects.size(); ++I) {
    const evenkeel::PlanObject &From = P.Objects[I];
    ek_plan_object &To = Flat->objects[I];
    To.site = From.Site;
    To.context = From.Context ? *From.Context : 0;
    To.creator = From.Creator ? *From.Creator : EK_ANY;
    To.ordinal = From.Ordinal ? *From.Ordinal : EK_ANY;
    To.share = From.Share;
    To.gain_s = From.GainSeconds;
    auto *Ranges = new ek_plan_range[From.Ranges.size() + 1]();
    for (const evenkeel::PlanRange &R : From.Ranges)
      Ranges[To.range_count++] = {R.From, R.To, R.Share};
    To.ranges = Ranges;
  }
  std::sort(Flat->objects, Flat->objects + Flat->count,
            [](const ek_plan_object &A, const ek_plan_object &B) {
              return std::tie(A.site, A.context, A.creator, A.ordinal) <
                     std::tie(B.site, B.context, B.creator, B.ordinal);
            });
  return Flat;
}

ek_plan *ek_plan_read(const char *Path, char *Message, size_t Size) {
  try {
    auto P = evenkeel::readPlan(Path);
    if (P)
      return flatten(*P);
    std::snprintf(Message, Size, "%s", P.message().c_str());
  } catch (const std::exception &E) {
    std::snprintf(Message, Size, "%s: %s", Path, E.what());
  } catch (...) {
    std::snprintf(Message, Size, "%s: could not be read", Path);
  }
  return nullptr;
}

ek_plan_object *ek_plan_find(const ek_plan *Plan, uint64_t Site,
                             uint64_t Context, uint64_t Creator,
                             uint64_t Ordinal) {
  ek_plan_object *End = Plan->objects + Plan->count;
  ek_plan_object *It = std::lower_bound(
      Plan->objects, End, Site,
      [](const ek_plan_object &A, uint64_t S) { return A.site < S; });
  ek_plan_object *Best = nullptr;
  int BestRank = -1;
  for (; It != End && It->site == Site; ++It) {
    if ((It->context && It->context != Context) ||
        (It->creator != EK_ANY && It->creator != Creator) ||
        (It->ordinal != EK_ANY && It->ordinal != Ordinal))
      continue;
    int Rank = (It->context ? 4 : 0) + (It->creator != EK_ANY ? 2 : 0) +
               (It->ordinal != EK_ANY ? 1 : 0);
    if (Rank > BestRank) {
      Best = It;
      BestRank = Rank;
    }
  }
  return Best;
}
