//===- Placement.cpp - a plan as one kind of memory per site --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Placement.h.
//===----------------------------------------------------------------------===//
#include "Placement.h"
#include <algorithm>
#include <tuple>

namespace evenkeel {

namespace {
/// The instances of a site together.
struct SiteShare {
  double Bytes = 0, Fast = 0; // predicted
  double Shares = 0;          // if no size is known
  unsigned Instances = 0;
  bool Divided = false;

  void add(const PlanObject &O) {
    const double Size = static_cast<double>(O.PredictedBytes);
    const unsigned Alike = std::max(1U, O.Alike);
    Bytes += Alike * Size;
    Fast += Alike * Size * O.Share;
    Shares += Alike * O.Share;
    Instances += Alike;
    Divided |= O.Share > 0 && O.Share < 1;
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
    if (!O.LeftAlone)
      Sites[O.Site].add(O);
  Placement Out;
  for (const PlanChange &C : P.Changes)
    Out.Moves += C.Objects.size();
  // Sites that become faster than planned, by their share. The plan's room may
  // not be enough for them; then those with the least share stay slow.
  std::vector<std::tuple<double, uint64_t>> Raised;
  double Change = 0;
  for (const auto &[Site, S] : Sites) {
    const double Share = S.share();
    const bool Fast = Share >= 0.5;
    Out.Sites[Site] = Fast ? On.Fast : On.Slow;
    Out.Divided += S.Divided || (Share > 0 && Share < 1);
    Out.PlanBytes += static_cast<uint64_t>(S.Fast);
    Change += Fast ? S.Bytes - S.Fast : -S.Fast;
    if (Fast && Share < 1)
      Raised.push_back({Share, Site});
    Out.Bytes[Site] = static_cast<uint64_t>(S.Bytes);
  }
  std::sort(Raised.begin(), Raised.end());
  const double Room =
      static_cast<double>(P.FastBytes) - static_cast<double>(P.ReservedBytes);
  for (const auto &[Share, Site] : Raised) {
    if (Change <= std::max(0.0, Room))
      break;
    Change -= Sites[Site].Bytes;
    Out.Sites[Site] = On.Slow;
  }
  return Out;
}

Plan wholePlan(const Plan &P, const Placement &Of, const Spaces &On) {
  Plan Out = P;
  for (PlanObject &O : Out.Objects) {
    const auto It = Of.Sites.find(O.Site);
    O.Share = It != Of.Sites.end() && It->second == On.Fast ? 1 : 0;
    O.Ranges.clear();
  }
  Out.Changes.clear();
  return Out;
}

} // namespace evenkeel
