//===- Placement.cpp - a plan as one kind of memory per site --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Placement.h.
//===----------------------------------------------------------------------===//
#include "Placement.h"
#include <algorithm>
#include <utility>
#include <vector>

namespace evenkeel {

namespace {
/// The instances of a site together.
struct SiteShare {
  double Bytes = 0, Fast = 0; // predicted
  double Shares = 0;          // if no size is known
  unsigned Instances = 0;

  void add(const PlanObject &O) {
    const double Size = static_cast<double>(O.PredictedBytes);
    const unsigned Alike = std::max(1U, O.Alike);
    Bytes += Alike * Size;
    Fast += Alike * Size * O.Share;
    Shares += Alike * O.Share;
    Instances += Alike;
  }
  double share() const { return Bytes > 0 ? Fast / Bytes : Shares / Instances; }
};
} // namespace

bool Placement::any() const {
  return std::any_of(Sites.begin(), Sites.end(), [](const auto &Entry) {
    return Entry.second != Space::Ordinary;
  });
}

uint64_t Placement::bytesIn(Space S) const {
  uint64_t Sum = 0;
  for (const auto &[Site, In] : Sites)
    Sum += In == S ? Bytes.at(Site) : 0;
  return Sum;
}

Placement placementOf(const Plan &P, const Spaces &On) {
  std::map<uint64_t, SiteShare> Sites;
  for (const PlanObject &O : P.Objects)
    if (!O.LeftAlone && !O.Arena) // a library's space has blocks of any size
      Sites[O.Site].add(O);
  Placement Out;
  for (const PlanChange &C : P.Changes)
    Out.Moves += C.Objects.size();
  // Whole in fast memory: what the plan has there whole, then the divided
  // sites, largest share first, as long as they fit in the room of all of them.
  std::vector<std::pair<double, uint64_t>> Divided;
  double Room = static_cast<double>(P.FastBytes) -
                static_cast<double>(std::min(P.ReservedBytes, P.FastBytes));
  for (const auto &[Site, S] : Sites) {
    const double Share = S.share();
    Out.Sites[Site] = Share >= 1 ? On.Fast : On.Slow;
    Out.Bytes[Site] = static_cast<uint64_t>(S.Bytes);
    Out.PlanBytes += static_cast<uint64_t>(S.Fast);
    if (Share > 0 && Share < 1) {
      ++Out.Divided;
      Divided.push_back({-Share, Site});
      Room += S.Fast;
    }
  }
  std::sort(Divided.begin(), Divided.end());
  for (const auto &[Share, Site] : Divided)
    if (Sites[Site].Bytes <= Room) {
      Room -= Sites[Site].Bytes;
      Out.Sites[Site] = On.Fast;
    }
  return Out;
}

Plan wholePlan(const Plan &P, const Placement &Of, const Spaces &On) {
  Plan Out = P;
  // The libraries' calls make no arenas.
  Out.Objects.erase(std::remove_if(Out.Objects.begin(), Out.Objects.end(),
                                   [](const PlanObject &O) { return O.Arena; }),
                    Out.Objects.end());
  for (PlanObject &O : Out.Objects) {
    if (O.LeftAlone)
      continue;
    const auto It = Of.Sites.find(O.Site);
    O.Share = It != Of.Sites.end() && It->second == On.Fast ? 1 : 0;
    O.Ranges.clear();
  }
  Out.Changes.clear();
  return Out;
}

} // namespace evenkeel
