//===- plan.cpp - plan.json for the C side ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: profiles/format/Plan.h. Makes: flat arrays, sorted by site, so that an
// allocation finds its entry by binary search. No exception leaves this file.
//===----------------------------------------------------------------------===//
#include "flatten.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <map>
#include <tuple>
#include <vector>

static const ek_plan_range *ranges(const evenkeel::PlanObject &From) {
  auto *Ranges = new ek_plan_range[From.Ranges.size() + 1]();
  size_t I = 0;
  for (const evenkeel::PlanRange &R : From.Ranges)
    Ranges[I++] = {R.From, R.To, R.Share};
  return Ranges;
}

/// Seconds that a byte gains in the fast tier; 0: not said.
static double worth(const evenkeel::PlanObject &From) {
  double Share = From.Share;
  if (!From.Ranges.empty()) {
    Share = 0;
    for (const evenkeel::PlanRange &R : From.Ranges)
      Share += (R.To - R.From) * R.Share / EK_PLAN_CHUNKS;
  }
  double Bytes = Share * static_cast<double>(From.PredictedBytes);
  return From.GainSeconds > 0 && Bytes >= 1 ? From.GainSeconds / Bytes : 0;
}

static ek_plan_object entry(const evenkeel::PlanObject &From) {
  ek_plan_object To{};
  To.site = From.Site;
  To.context = From.Context ? *From.Context : 0;
  To.creator = From.Creator ? *From.Creator : EK_ANY;
  To.ordinal = From.Ordinal ? *From.Ordinal : EK_ANY;
  return To;
}

static auto key(const ek_plan_object &E) {
  return std::tie(E.site, E.context, E.creator, E.ordinal);
}

static bool before(const ek_plan_object &A, const ek_plan_object &B) {
  return key(A) < key(B);
}

static void place(ek_plan_object &To, const evenkeel::PlanObject &From) {
  To.share = From.Share;
  To.gain_s = From.GainSeconds;
  To.group.worth = worth(From);
  To.ranges = ranges(From);
  To.range_count = From.Ranges.size();
}

static bool isTeam(const evenkeel::PlanPhase &H) {
  return std::none_of(H.Tasks.begin(), H.Tasks.end(),
                      [&](const evenkeel::PlanTask &T) {
                        return T.Explicit || T.Index >= H.Tasks.size();
                      });
}

static void steps(ek_plan &Flat, const std::vector<evenkeel::PlanPhase> &From) {
  std::vector<ek_plan_sync> Syncs;
  std::vector<double> Seconds;
  std::vector<uint32_t> Index;
  Flat.steps = new ek_plan_step[From.size() + 1]();
  for (const evenkeel::PlanPhase &H : From) {
    if (H.Sync)
      Syncs.push_back({H.Sync, Flat.step_count});
    ek_plan_step &S = Flat.steps[Flat.step_count++];
    S = {H.Phase, H.Sync, H.Seconds, Seconds.size(), 0, false};
    if (Flat.rank_count) {
      std::map<uint32_t, double> ByIndex;
      for (const evenkeel::PlanTask &T : H.Tasks) {
        S.has_explicit |= T.Explicit;
        if (!T.Explicit)
          ByIndex[T.Index] += T.Seconds;
      }
      for (auto [I, X] : ByIndex) {
        Index.push_back(I);
        Seconds.push_back(X);
      }
      S.task_count = static_cast<uint32_t>(ByIndex.size());
      continue;
    }
    if (H.Tasks.size() < 2 || !isTeam(H))
      continue;
    S.task_count = static_cast<uint32_t>(H.Tasks.size());
    Flat.task_width = std::max(Flat.task_width, H.Tasks.size());
    Seconds.resize(Seconds.size() + H.Tasks.size());
    for (const evenkeel::PlanTask &T : H.Tasks)
      Seconds[S.first_task + T.Index] = T.Seconds;
    for (uint32_t I = 0; I < S.task_count; ++I)
      Index.push_back(I);
  }
  if (Flat.rank_count)
    Flat.task_width = Flat.rank_count;
  // The last step of each hook stays.
  std::sort(Syncs.begin(), Syncs.end(),
            [](const ek_plan_sync &A, const ek_plan_sync &B) {
              return std::tie(A.sync, B.last) < std::tie(B.sync, A.last);
            });
  Syncs.erase(std::unique(Syncs.begin(), Syncs.end(),
                          [](const ek_plan_sync &A, const ek_plan_sync &B) {
                            return A.sync == B.sync;
                          }),
              Syncs.end());
  Flat.sync_count = Syncs.size();
  Flat.syncs = new ek_plan_sync[Syncs.size() + 1]();
  std::copy(Syncs.begin(), Syncs.end(), Flat.syncs);
  Flat.task_seconds = new double[Seconds.size() + 1]();
  std::copy(Seconds.begin(), Seconds.end(), Flat.task_seconds);
  Flat.task_index = new uint32_t[Index.size() + 1]();
  std::copy(Index.begin(), Index.end(), Flat.task_index);
}

static bool same(const ek_plan_object &A, const ek_plan_object &B) {
  return key(A) == key(B);
}

/// Puts \p To where its place in the order is; false: it was there.
static bool add(std::vector<ek_plan_object> &Objects,
                const ek_plan_object &To) {
  auto At = std::lower_bound(Objects.begin(), Objects.end(), To, before);
  if (At != Objects.end() && same(To, *At))
    return false;
  Objects.insert(At, To);
  return true;
}

/// Where an object named by \p To lies as long as nothing speaks of it but
/// entries for more objects; null: in the slow tier.
static const evenkeel::PlanObject *wider(const evenkeel::Plan &P,
                                         const ek_plan_object &To) {
  const evenkeel::PlanObject *Best = nullptr;
  int BestRank = -1;
  for (const evenkeel::PlanObject &O : P.Objects) {
    const ek_plan_object E = entry(O);
    if (E.site != To.site || E.context || To.context ||
        (E.creator != EK_ANY && E.creator != To.creator) ||
        (E.ordinal != EK_ANY && E.ordinal != To.ordinal))
      continue;
    const int Rank = (E.creator != EK_ANY ? 2 : 0) + (E.ordinal != EK_ANY);
    if (Rank > BestRank) {
      Best = &O;
      BestRank = Rank;
    }
  }
  return Best;
}

/// A change of all that one creator makes, which takes those of its objects
/// along that an entry for an ordinal of any creator speaks of until then.
static std::vector<ek_plan_object>
taken(const evenkeel::Plan &P, const ek_plan_object &To, uint32_t Phase) {
  std::vector<ek_plan_object> Out;
  if (To.creator == EK_ANY || To.ordinal != EK_ANY || To.context)
    return Out;
  for (const evenkeel::PlanObject &O : P.Objects) {
    ek_plan_object E = entry(O);
    if (E.site != To.site || E.context || E.creator != EK_ANY ||
        E.ordinal == EK_ANY)
      continue;
    E.creator = To.creator;
    auto Says = [&](const evenkeel::PlanObject &X) {
      return same(entry(X), E);
    };
    bool Own = std::any_of(P.Objects.begin(), P.Objects.end(), Says);
    for (const evenkeel::PlanChange &C : P.Changes)
      Own |= C.Phase <= Phase &&
             std::any_of(C.Objects.begin(), C.Objects.end(), Says);
    if (Own)
      continue;
    place(E, O);
    Out.push_back(E);
  }
  return Out;
}

ek_plan *evenkeel::flatten(const Plan &P) {
  std::vector<ek_plan_object> Objects;
  for (const evenkeel::PlanObject &From : P.Objects) {
    Objects.push_back(entry(From));
    place(Objects.back(), From);
  }
  std::sort(Objects.begin(), Objects.end(), before);
  const std::vector<ek_plan_object> Given = Objects;
  // What a later phase names first lies until then where an entry for more
  // objects puts it, or else in the slow tier.
  std::vector<
      std::tuple<uint32_t, ek_plan_object, const evenkeel::PlanObject *>>
      Later;
  for (const evenkeel::PlanChange &C : P.Changes)
    for (const evenkeel::PlanObject &From : C.Objects) {
      ek_plan_object To = entry(From);
      Later.emplace_back(C.Phase, To, &From);
      if (std::binary_search(Given.begin(), Given.end(), To, before))
        continue; // its own entry has spoken for it all along
      for (const ek_plan_object &E : taken(P, To, C.Phase)) {
        Later.emplace_back(C.Phase, E, &From);
        if (!add(Objects, E))
          delete[] E.ranges;
      }
      if (std::binary_search(Objects.begin(), Objects.end(), To, before))
        continue;
      if (const evenkeel::PlanObject *Was = wider(P, To))
        place(To, *Was);
      add(Objects, To);
    }
  auto *Flat = new ek_plan();
  Flat->count = Objects.size();
  Flat->objects = new ek_plan_object[Objects.size() + 1]();
  std::copy(Objects.begin(), Objects.end(), Flat->objects);
  Flat->fast_bytes = P.FastBytes;
  auto *Ranks = new uint32_t[P.Ranks.size() + 1]();
  std::copy(P.Ranks.begin(), P.Ranks.end(), Ranks);
  Flat->ranks = Ranks;
  Flat->rank_count = P.Ranks.size();
  Flat->keeps_first_touch = P.KeepsFirstTouch;
  Flat->all_fits = P.AllFits;
  std::vector<ek_plan_change> Changes;
  for (const auto &[Phase, Entry, From] : Later)
    Changes.push_back(
        {Phase,
         std::lower_bound(Flat->objects, Flat->objects + Flat->count, Entry,
                          before),
         From->Share, From->GainSeconds, worth(*From), ranges(*From),
         From->Ranges.size()});
  std::sort(Changes.begin(), Changes.end(),
            [](const ek_plan_change &A, const ek_plan_change &B) {
              return std::tie(A.phase, A.entry) < std::tie(B.phase, B.entry);
            });
  Flat->change_count = Changes.size();
  Flat->changes = new ek_plan_change[Changes.size() + 1]();
  std::copy(Changes.begin(), Changes.end(), Flat->changes);
  steps(*Flat, P.Phases);
  return Flat;
}

ek_plan *ek_plan_read(const char *Path, char *Message, size_t Size) {
  try {
    auto P = evenkeel::readPlan(Path);
    if (P) {
      ek_plan *Flat = evenkeel::flatten(*P);
      // The others say why a run cannot plan again (replan.cpp).
      if (P->ReplanJson.find("\"base\"") != std::string::npos)
        Flat->replans = P->ReplanJson.size();
      Flat->source =
          Flat->replans ? new evenkeel::Plan(std::move(*P)) : nullptr;
      return Flat;
    }
    std::snprintf(Message, Size, "%s", P.message().c_str());
  } catch (const std::exception &E) {
    std::snprintf(Message, Size, "%s: %s", Path, E.what());
  } catch (...) {
    std::snprintf(Message, Size, "%s: could not be read", Path);
  }
  return nullptr;
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

size_t ek_plan_part(const ek_plan *Plan, size_t Step, double *ByRank) {
  size_t From = Step;
  while (From > 0 && !Plan->steps[From - 1].sync)
    --From;
  std::fill_n(ByRank, Plan->rank_count, 0.0);
  for (size_t I = From; I <= Step; ++I) {
    const ek_plan_step &S = Plan->steps[I];
    if (S.has_explicit)
      return Plan->step_count;
    // Tasks come by their numbers, so those of a rank come together.
    for (uint32_t T = 0; T < S.task_count;) {
      const size_t R =
          ek_plan_rank_of(Plan, Plan->task_index[S.first_task + T]);
      double Longest = 0;
      for (; T < S.task_count &&
             ek_plan_rank_of(Plan, Plan->task_index[S.first_task + T]) == R;
           ++T)
        Longest = std::max(Longest, Plan->task_seconds[S.first_task + T]);
      ByRank[R] += Longest;
    }
  }
  return From;
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
