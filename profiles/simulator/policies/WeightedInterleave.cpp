//===- WeightedInterleave.cpp - more turns for the faster tier ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: MPOL_WEIGHTED_INTERLEAVE, Linux 6.9 (kernel documentation, sysfs
// "weighted_interleave"): a node gets `weight` pages in turn before the next
// one; 1-255. A full node's pages go to the next one. No migration.
// Parameters: weight of tier 0 against the others' weight of 1; 0 = the
// kernel's `auto` mode (6.16): weights in proportion to the tiers' read
// bandwidth.
//===----------------------------------------------------------------------===//
#include "Policies.h"
#include <algorithm>
#include <cmath>

namespace evenkeel {
namespace {

class WeightedInterleave : public Policy {
  std::vector<unsigned> Weights;
  unsigned Tier = 0, Given = 0;

public:
  explicit WeightedInterleave(std::vector<unsigned> Weights)
      : Weights(std::move(Weights)) {}
  std::string name() const override { return "weighted-interleave"; }
  unsigned onFirstTouch(PageMap &Map, uint32_t I, uint32_t Page) override {
    if (Given == Weights[Tier]) {
      Given = 0;
      Tier = unsigned((Tier + 1) % Weights.size());
    }
    ++Given;
    return Map.placeFrom(I, Page, Tier);
  }
};

} // namespace

const std::vector<Tunable> &weightedInterleaveTunables() {
  static const std::vector<Tunable> T = {
      {"weight",
       0,
       {0, 1, 2, 3, 4, 5, 8, 16},
       "pages in tier 0 per page elsewhere; 0 = as bandwidths are"}};
  return T;
}

std::unique_ptr<Policy> makeWeightedInterleave(const ReplayRequest &R) {
  double Weight = settingOf(R.Tuned, weightedInterleaveTunables(), "weight");
  std::vector<unsigned> Weights;
  double Least = R.M->Tiers[0].ReadBandwidthGBps;
  for (const Tier &T : R.M->Tiers)
    Least = std::min(Least, T.ReadBandwidthGBps);
  for (const Tier &T : R.M->Tiers) {
    double W = Weight > 0 ? (Weights.empty() ? Weight : 1)
                          : T.ReadBandwidthGBps / Least;
    // Without a bandwidth limit, there is no ratio.
    if (!std::isfinite(W))
      W = 1;
    Weights.push_back(unsigned(std::clamp(std::round(W), 1.0, 255.0)));
  }
  return std::make_unique<WeightedInterleave>(std::move(Weights));
}

} // namespace evenkeel
