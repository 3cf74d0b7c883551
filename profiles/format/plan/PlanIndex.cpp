//===- PlanIndex.cpp - fast search for a plan's entries -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PlanIndex.h.
//===----------------------------------------------------------------------===//
#include "PlanIndex.h"
#include <algorithm>

using namespace evenkeel;

PlanIndex::PlanIndex(const std::vector<PlanObject> &Objects) {
  auto OrAny = [](const std::optional<uint32_t> &X) {
    return X ? uint64_t(*X) : PlanAny;
  };
  for (const PlanObject &O : Objects) {
    ByName.push_back({{O.Site, O.Context.value_or(0), OrAny(O.Creator),
                       O.Arena ? EK_RAW_SMALL : OrAny(O.Ordinal)},
                      &O});
    if (!O.Arena && O.Context.value_or(0) && O.OfSite)
      ByOrder.push_back({{O.Site, 0, OrAny(O.Creator), *O.OfSite}, &O});
  }
  for (Entries *All : {&ByName, &ByOrder})
    std::sort(All->begin(), All->end());
}

const PlanObject *PlanIndex::findIn(const Entries &In, const Key &Name) {
  const auto It = std::lower_bound(
      In.begin(), In.end(), Name,
      [](const Entries::value_type &E, const Key &K) { return E.first < K; });
  return It != In.end() && It->first == Name ? It->second : nullptr;
}

template <typename F>
void PlanIndex::each(const InstanceName &O, F Take) const {
  auto Names = [&](const Entries &In, uint64_t Context,
                   std::initializer_list<uint64_t> Ordinals) {
    for (const uint64_t Creator : {O.Creator, PlanAny})
      for (const uint64_t Ordinal : Ordinals)
        if (const PlanObject *X =
                findIn(In, {O.Site, Context, Creator, Ordinal}))
          if (!Take(X))
            return false;
    return true;
  };
  if (EK_RAW_IS_SMALL(O.Ordinal)) { // they share the site's arena
    if (!O.Context || Names(ByName, O.Context, {EK_RAW_SMALL}))
      Names(ByName, 0, {EK_RAW_SMALL});
    return;
  }
  // In the order of planRank.
  if (O.Context && !Names(ByName, O.Context, {O.InContext, PlanAny}))
    return;
  if (Names(ByName, 0, {O.Ordinal, PlanAny}) && !O.Context)
    Names(ByOrder, 0, {O.Ordinal});
}

const PlanObject *PlanIndex::find(const InstanceName &Name) const {
  const PlanObject *Best = nullptr;
  each(Name, [&](const PlanObject *X) {
    Best = X;
    return false;
  });
  return Best;
}

const PlanObject *PlanIndex::first(const InstanceName &Name) const {
  const PlanObject *First = nullptr;
  each(Name, [&](const PlanObject *X) {
    First = !First || X < First ? X : First;
    return true;
  });
  return First;
}
