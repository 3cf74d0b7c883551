//===- PlacedShares.cpp - the current placement of units ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PlacedShares.h.
//===----------------------------------------------------------------------===//
#include "PlacedShares.h"
#include "models/shares/FirstTouch.h"
#include <cmath>
#include <map>
#include <tuple>

using namespace evenkeel;

std::vector<uint32_t> cli::liveInstances(const Problem &P,
                                         const MissRecord &Record,
                                         const PageMap &Map) {
  std::map<InstanceKey, uint32_t> Live;
  for (uint32_t I = 0; I < Record.Instances.size(); ++I)
    if (const ek_raw_inst &X = Record.Instances[I]; Map.isLive(I))
      Live[keyOf(nameOf(X))] = I;
  std::vector<uint32_t> Out;
  for (const PredictedInstance &I : P.Instances) {
    auto It = Live.find(keyOf(nameOf(I)));
    Out.push_back(It == Live.end() ? EK_NO_TASK : It->second);
  }
  return Out;
}

std::pair<uint32_t, uint32_t> cli::pagesOf(const Unit &U, uint32_t I,
                                           const PageMap &Map) {
  const uint64_t N = Map.pages(I);
  return {uint32_t(N * U.From / EK_CHUNKS), uint32_t(N * U.To / EK_CHUNKS)};
}

std::vector<double> cli::placedShares(const Problem &P,
                                      const MissRecord &Record,
                                      const PageMap &Map) {
  std::vector<double> Out(P.Units.size(), std::nan(""));
  std::vector<uint32_t> Live = liveInstances(P, Record, Map);
  for (size_t U = 0; U < P.Units.size(); ++U) {
    const uint32_t I = Live[P.Units[U].Instance];
    if (I == EK_NO_TASK)
      continue;
    auto [From, To] = pagesOf(P.Units[U], I, Map);
    uint32_t Placed = 0, InFast = 0;
    for (uint32_t Page = From; Page < To; ++Page) {
      Placed += Map.tier(I, Page) != PageMap::Unplaced;
      InFast += Map.tier(I, Page) == 0;
    }
    if (Placed)
      Out[U] = double(InFast) / Placed;
  }
  return Out;
}

std::vector<double> cli::sharesUnder(const Plan &X, const Problem &P,
                                     const MissRecord &Record,
                                     const PageMap &Map) {
  std::vector<double> Now = placedShares(P, Record, Map);
  const std::vector<double> Planned =
      X.KeepsFirstTouch ? firstTouchShares(P, Now) : sharesOf(P, X);
  for (size_t U = 0; U < Now.size(); ++U)
    if (std::isnan(Now[U]))
      Now[U] = Planned[U];
  return Now;
}

/// The fast pages of instance \p I; pages that are not placed yet count as far
/// as they are \p Wanted there.
static double fastPages(const Unit &U, uint32_t I, const PageMap &Map,
                        double Wanted) {
  auto [From, To] = cli::pagesOf(U, I, Map);
  double Out = 0;
  for (uint32_t Page = From; Page < To; ++Page)
    Out += Map.tier(I, Page) == PageMap::Unplaced ? Wanted
                                                  : Map.tier(I, Page) == 0;
  return Out;
}

std::vector<double> cli::sharesByObject(const Plan &X, const Problem &P,
                                        const MissRecord &Record,
                                        const PageMap &Map) {
  if (X.KeepsFirstTouch)
    return sharesUnder(X, P, Record, Map);
  std::vector<double> Out = sharesOf(P, X);
  const std::vector<uint32_t> Live = liveInstances(P, Record, Map);
  struct Pages {
    double Wanted = 0, There = 0, Rounded = 0;
  };
  std::vector<Pages> Of(P.Instances.size());
  for (size_t U = 0; U < P.Units.size(); ++U) {
    const uint32_t I = Live[P.Units[U].Instance];
    if (I == EK_NO_TASK)
      continue;
    auto [From, To] = pagesOf(P.Units[U], I, Map);
    Pages &Its = Of[P.Units[U].Instance];
    Its.Wanted += Out[U] * (To - From);
    Its.There += fastPages(P.Units[U], I, Map, Out[U]);
    Its.Rounded += Out[U] > 0 && Out[U] < 1; // to whole pages
  }
  for (size_t U = 0; U < P.Units.size(); ++U) {
    const Pages &Its = Of[P.Units[U].Instance];
    if (Its.There + Its.Rounded < Its.Wanted)
      Out[U] *= Its.There / Its.Wanted;
  }
  return Out;
}
