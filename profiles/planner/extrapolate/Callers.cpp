//===- Callers.cpp - which call of a wrapper made a block -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the base profile has the site of a block, not which call of a function
// around it asked for it. Where as many blocks of one task and phase were as
// large as as many calls ask for (the three matrices of a square product), they
// were made in the order in which the calls stand in their file.
// Makes: the callers of such blocks.
// Leaves out: calls in loops, and in several files; they are too many or too
// few, or have no order.
//===----------------------------------------------------------------------===//
#include "Extrapolator.h"
#include <algorithm>

using namespace evenkeel;

namespace {

using Caller = SiteFact::Caller;

/// Sorts callers that differ in one call; false if that leaves no order.
bool sortByCode(std::vector<const Caller *> &Callers) {
  const std::vector<std::string> &First = Callers[0]->Calls;
  std::optional<size_t> Differ;
  for (const Caller *C : Callers) {
    if (C->Calls.size() != First.size())
      return false;
    for (size_t K = 0; K < First.size(); ++K)
      if (C->Calls[K] != First[K]) {
        if (Differ && *Differ != K)
          return false;
        Differ = K;
      }
  }
  if (!Differ)
    return false;
  std::vector<std::pair<Coordinate, const Caller *>> Order;
  for (const Caller *C : Callers) {
    Order.emplace_back(coordinateOf(C->Calls[*Differ]), C);
    if (std::get<0>(Order.back().first) != std::get<0>(Order[0].first))
      return false;
  }
  std::sort(Order.begin(), Order.end(),
            [](const auto &A, const auto &B) { return A.first < B.first; });
  for (size_t I = 0; I < Order.size(); ++I)
    Callers[I] = Order[I].second;
  return true;
}

} // namespace

namespace evenkeel {
namespace extrapolation {

void Extrapolator::findCallers() {
  using Made = std::tuple<uint64_t, uint32_t, uint32_t>; // site, creator, phase
  std::map<Made, std::map<std::vector<const Caller *>, std::vector<uint32_t>>>
      Alike; // base instances, by those who may have asked for them
  for (uint32_t I = 0; I < B.Instances.size(); ++I) {
    const ek_raw_inst &X = B.Instances[I];
    const SiteFact *S = F.site(X.site);
    if (!S || X.ordinal == EK_RAW_SMALL ||
        std::any_of(S->Contexts.begin(), S->Contexts.end(),
                    [](const Caller &C) { return !C.Size; }))
      continue;
    std::vector<const Caller *> May;
    for (const Caller &C : S->Contexts)
      if (givesSize(*C.Size, makerOf(X), double(X.bytes)))
        May.push_back(&C);
    if (May.size() > 1)
      Alike[{X.site, X.creator, X.alloc_phase}][std::move(May)].push_back(I);
  }
  for (auto &Entry : Alike)
    for (auto &[May, Rows] : Entry.second) {
      std::vector<const Caller *> Callers = May;
      if (Callers.size() != Rows.size() || !sortByCode(Callers))
        continue;
      std::sort(Rows.begin(), Rows.end(), [&](uint32_t X, uint32_t Y) {
        return B.Instances[X].ordinal < B.Instances[Y].ordinal;
      });
      for (size_t I = 0; I < Rows.size(); ++I)
        CallerOf[Rows[I]] = Callers[I];
    }
}

/// Null where it is not known.
const Caller *Extrapolator::callerOf(uint32_t Instance) const {
  auto It = CallerOf.find(Instance);
  return It == CallerOf.end() ? nullptr : It->second;
}

} // namespace extrapolation
} // namespace evenkeel
