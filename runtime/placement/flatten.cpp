//===- flatten.cpp - turning plan.json into flat arrays ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: profiles/format/plan/Plan.h.
// Makes: flat arrays sorted by site, so that an allocation finds its entry by
// binary search. ek_plan_read throws nothing.
//===----------------------------------------------------------------------===//
#include "placement/flatten.h"
#include "core/names.h"
#include "objects/record.h"
#include "placement/plan_order.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <exception>
#include <iterator>
#include <map>
#include <sys/stat.h>
#include <tuple>
#include <vector>

using evenkeel::before;
using evenkeel::key;
using evenkeel::same;

static const ek_plan_range *ranges(const evenkeel::PlanObject &From) {
  auto *Ranges = new ek_plan_range[From.Ranges.size() + 1]();
  size_t I = 0;
  for (const evenkeel::PlanRange &R : From.Ranges)
    Ranges[I++] = {R.From, R.To, R.Share};
  return Ranges;
}

/// Seconds gained per byte in the fast tier; 0: unknown.
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
  static_assert(EK_SMALL_BLOCKS == EK_RAW_SMALL, "one number for both");
  To.ordinal = From.Arena     ? EK_SMALL_BLOCKS
               : From.Ordinal ? *From.Ordinal
                              : EK_ANY;
  To.of_site = From.OfSite ? *From.OfSite : EK_ANY;
  To.more = From.Alike - 1;
  return To;
}

static void place(ek_plan_object &To, const evenkeel::PlanObject &From) {
  To.share = From.Share;
  To.gain_s = From.GainSeconds;
  To.group.worth = worth(From);
  To.ranges = ranges(From);
  To.range_count = From.Ranges.size();
  To.least_bytes = double(From.LeastBytes);
  To.most_bytes = double(From.MostBytes);
}

static bool isTeam(const evenkeel::PlanPhase &H) {
  return std::none_of(H.Tasks.begin(), H.Tasks.end(),
                      [&](const evenkeel::PlanTask &T) {
                        return T.Explicit || T.Index >= H.Tasks.size();
                      });
}

static void values(ek_plan &Flat,
                   const std::vector<evenkeel::PlanValue> &From) {
  std::map<uint64_t, size_t> Index; // by symbol
  Flat.values = new ek_plan_value[From.size() + 1]();
  Flat.totals = new ek_plan_total[From.size() + 1]();
  for (const evenkeel::PlanValue &V : From) {
    if (V.IsTotal) {
      Flat.totals[Flat.total_count++] = {V.Region, V.HandedAs, V.Symbol};
      continue;
    }
    Flat.values[Flat.value_count++] = {
        V.Region,
        V.HandedAs,
        V.Symbol,
        Index.try_emplace(V.Symbol, Index.size()).first->second,
        V.Expected.value_or(0),
        V.Expected.has_value()};
  }
  Flat.symbol_count = Index.size();
  std::sort(Flat.values, Flat.values + Flat.value_count,
            [](const ek_plan_value &A, const ek_plan_value &B) {
              return std::tie(A.region, A.handed_as, A.symbol) <
                     std::tie(B.region, B.handed_as, B.symbol);
            });
  std::sort(Flat.totals, Flat.totals + Flat.total_count,
            [](const ek_plan_total &A, const ek_plan_total &B) {
              return std::tie(A.region, A.handed_as) <
                     std::tie(B.region, B.handed_as);
            });
}

static void steps(ek_plan &Flat, const std::vector<evenkeel::PlanPhase> &From) {
  std::vector<ek_plan_sync> Syncs;
  std::vector<double> Seconds;
  std::vector<uint32_t> Index;
  std::vector<ek_plan_task_kind> Kinds;
  Flat.steps = new ek_plan_step[From.size() + 1]();
  for (const evenkeel::PlanPhase &H : From) {
    if (H.Sync)
      Syncs.push_back({H.Sync, Flat.step_count});
    ek_plan_step &S = Flat.steps[Flat.step_count++];
    S = {H.Phase, H.Sync, H.Seconds, Seconds.size(), 0, false, false, 0, 0};
    const ek_plan_value *V = ek_plan_values_of(&Flat, H.Region);
    S.hands_over = V != Flat.values + Flat.value_count && V->region == H.Region;
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
    S.first_kind = Kinds.size();
    S.kind_count = static_cast<uint32_t>(H.TaskKinds.size());
    S.has_explicit = S.kind_count != 0;
    for (const evenkeel::PlanTaskKind &K : H.TaskKinds)
      Kinds.push_back({K.Region, K.Tasks, K.Seconds});
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
  // Keep the last step of each hook.
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
  Flat.task_kinds = new ek_plan_task_kind[Kinds.size() + 1]();
  std::copy(Kinds.begin(), Kinds.end(), Flat.task_kinds);
  Flat.task_index = new uint32_t[Index.size() + 1]();
  std::copy(Index.begin(), Index.end(), Flat.task_index);
}

/// Registers the plan's names of sites, regions and sync points for messages.
static void registerNames(const evenkeel::Plan &From, ek_plan &Flat) {
  std::map<uint64_t, const std::string *> Texts;
  for (const evenkeel::PlanObject &O : From.Objects)
    Texts[O.Site] = &O.At;
  for (const evenkeel::PlanPhase &H : From.Phases) {
    Texts[H.Region] = &H.At;
    Texts[H.Sync] = &H.SyncAt;
  }
  auto *Names = new ek_name[Texts.size() + 1]();
  size_t Count = 0;
  for (auto [Id, Text] : Texts)
    if (Id && !Text->empty())
      Names[Count++] = {Id,
                        std::strcpy(new char[Text->size() + 1], Text->c_str())};
  Flat.names = Names;
  ek_names_are(Names, Count);
}

namespace {
/// An entry of the plan and its name, as in key(). If several have the same
/// name, the first counts.
struct Given {
  std::tuple<uint64_t, uint64_t, uint64_t, uint64_t> Name;
  const evenkeel::PlanObject *From;
};
/// A name that later phases use, and the first phase that does.
struct Named {
  ek_plan_object Entry;
  uint32_t Phase;
};
} // namespace

static const evenkeel::PlanObject *find(const std::vector<Given> &All,
                                        const ek_plan_object &Name) {
  auto It = std::lower_bound(
      All.begin(), All.end(), Name,
      [](const Given &A, const ek_plan_object &B) { return A.Name < key(B); });
  return It != All.end() && It->Name == key(Name) ? It->From : nullptr;
}

/// The plan's entries, sorted by name.
static std::vector<Given> given(const std::vector<evenkeel::PlanObject> &Of) {
  std::vector<Given> All;
  All.reserve(Of.size());
  for (const evenkeel::PlanObject &From : Of) {
    const ek_plan_object To = entry(From);
    All.push_back({key(To), &From});
  }
  auto Before = [](const Given &A, const Given &B) {
    return std::tie(A.Name, A.From) < std::tie(B.Name, B.From);
  };
  if (!std::is_sorted(All.begin(), All.end(), Before))
    std::sort(All.begin(), All.end(), Before);
  return All;
}

/// Merges \p All and the sorted \p Added into one array, in a single
/// allocation: a plan may have very many entries.
static void fill(ek_plan &Flat, const std::vector<Given> &All,
                 const std::vector<ek_plan_object> &Added) {
  Flat.objects = new ek_plan_object[All.size() + Added.size() + 1]();
  auto Next = Added.begin();
  for (const Given &G : All) {
    ek_plan_object To = entry(*G.From);
    for (; Next != Added.end() && before(*Next, To); ++Next)
      Flat.objects[Flat.count++] = *Next;
    place(To, *G.From);
    Flat.objects[Flat.count++] = To;
  }
  for (; Next != Added.end(); ++Next)
    Flat.objects[Flat.count++] = *Next;
}

/// The entry that decides about an object named \p To while only entries for
/// more objects cover it; null: the object lies in the slow tier.
static const evenkeel::PlanObject *wider(const std::vector<Given> &All,
                                         const ek_plan_object &To) {
  for (const bool AnyContext : {false, true})
    for (const bool AnyCreator : {false, true})
      for (const bool AnyOrdinal : {false, true}) {
        ek_plan_object Name = To;
        if (AnyContext) {
          Name.context = 0;
          Name.ordinal = To.context ? To.of_site : To.ordinal;
        }
        if (AnyCreator)
          Name.creator = EK_ANY;
        if (AnyOrdinal)
          Name.ordinal = EK_ANY;
        if (const evenkeel::PlanObject *O = find(All, Name))
          return O;
      }
  return nullptr;
}

static std::vector<Named> named(const evenkeel::Plan &P) {
  std::vector<Named> All;
  for (const evenkeel::PlanChange &C : P.Changes)
    for (const evenkeel::PlanObject &O : C.Objects)
      All.push_back({entry(O), C.Phase});
  std::sort(All.begin(), All.end(), [](const Named &A, const Named &B) {
    return before(A.Entry, B.Entry) ||
           (same(A.Entry, B.Entry) && A.Phase < B.Phase);
  });
  All.erase(std::unique(All.begin(), All.end(),
                        [](const Named &A, const Named &B) {
                          return same(A.Entry, B.Entry);
                        }),
            All.end());
  return All;
}

/// An entry for one ordinal of any creator takes precedence over a waiting
/// entry for all objects of one creator. When a change puts the latter into
/// force, it must also apply to the creator's objects that the former covered.
/// Calls \p Each for those that a later phase names: they have entries of their
/// own.
template <class F>
static void takeAlong(const std::vector<Given> &All,
                      const std::vector<Named> &Later, const ek_plan_object &To,
                      uint32_t Phase, F Each) {
  ek_plan_object First = To;
  First.ordinal = 0;
  auto It = std::lower_bound(Later.begin(), Later.end(), First,
                             [](const Named &A, const ek_plan_object &B) {
                               return before(A.Entry, B);
                             });
  for (; It != Later.end() && It->Entry.site == To.site &&
         It->Entry.context == To.context && It->Entry.creator == To.creator &&
         It->Entry.ordinal != EK_ANY;
       ++It) {
    ek_plan_object OfAny = It->Entry;
    OfAny.creator = EK_ANY;
    if (It->Phase > Phase && !find(All, It->Entry) && find(All, OfAny))
      Each(It->Entry);
  }
}

ek_plan *evenkeel::flatten(const Plan &P) {
  const std::vector<Given> All = given(P.Objects);
  std::vector<ek_plan_object> Added;
  // An object that a later phase is the first to name lies, until then, where
  // an entry for more objects puts it, or else in the slow tier.
  const std::vector<Named> Names = named(P);
  for (const Named &N : Names) {
    if (find(All, N.Entry))
      continue; // its own entry has covered it from the start
    ek_plan_object To = N.Entry;
    if (const evenkeel::PlanObject *Was = wider(All, To))
      place(To, *Was);
    To.waits = To.creator != EK_ANY && To.ordinal == EK_ANY && !To.context;
    Added.push_back(To);
  }
  std::vector<
      std::tuple<uint32_t, ek_plan_object, const evenkeel::PlanObject *>>
      Later;
  for (const evenkeel::PlanChange &C : P.Changes)
    for (const evenkeel::PlanObject &From : C.Objects) {
      const ek_plan_object To = entry(From);
      Later.emplace_back(C.Phase, To, &From);
      if (To.creator != EK_ANY && To.ordinal == EK_ANY && !To.context &&
          !find(All, To))
        takeAlong(All, Names, To, C.Phase, [&](const ek_plan_object &E) {
          Later.emplace_back(C.Phase, E, &From);
        });
    }
  auto *Flat = new ek_plan();
  fill(*Flat, All, Added);
  Flat->fast_bytes = P.FastBytes;
  for (const PlanObject &O : P.Objects)
    Flat->data_bytes += O.PredictedBytes;
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
  using Ordered =
      std::tuple<decltype(order(Added[0])), size_t, ek_plan_object *>;
  std::vector<Ordered> ByOrder; // among equals the first of the file counts
  for (const evenkeel::PlanObject &O : P.Objects)
    if (O.Context && O.OfSite) {
      ek_plan_object *E = std::lower_bound(
          Flat->objects, Flat->objects + Flat->count, entry(O), before);
      ByOrder.emplace_back(order(*E), ByOrder.size(), E);
    }
  std::sort(ByOrder.begin(), ByOrder.end());
  Flat->by_order = new ek_plan_object *[ByOrder.size() + 1]();
  for (const Ordered &O : ByOrder)
    Flat->by_order[Flat->by_order_count++] = std::get<2>(O);
  values(*Flat, P.Values);
  steps(*Flat, P.Phases);
  return Flat;
}

static uint64_t ownCpuNs() {
  timespec T;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &T);
  return uint64_t(T.tv_sec) * 1000000000 + uint64_t(T.tv_nsec);
}

ek_plan *ek_plan_read(const char *Path, char *Message, size_t Size) {
  try {
    const uint64_t Began = ownCpuNs();
    auto P = evenkeel::readPlan(Path, evenkeel::PlanUse::Run);
    if (P) {
      ek_plan *Flat = evenkeel::flatten(*P);
      registerNames(*P, *Flat);
      Flat->read_ns = ownCpuNs() - Began;
      struct stat File;
      if (stat(Path, &File) == 0 && size_t(File.st_size) > P->ReplanJson.size())
        Flat->read_bytes = size_t(File.st_size) - P->ReplanJson.size();
      // Other texts say why this run cannot plan again (replan.cpp).
      if (P->ReplanJson.find("\"base\"") != std::string::npos)
        Flat->replans = P->ReplanJson.size();
      Flat->file = Flat->replans ? realpath(Path, nullptr) : nullptr;
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
