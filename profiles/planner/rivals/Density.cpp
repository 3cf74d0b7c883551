//===- Density.cpp - ecoHMEM's greedy knapsack, alone ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: the first step of ecoHMEM's advisor (IEEE Cluster 2022): whole sites
// that fit, by (loads * latency + stores * latency) / bytes. Deliberately
// without tasks, phases and parts of objects, so that plans can be compared;
// EcoHmem.cpp has the advisor's further steps.
//===----------------------------------------------------------------------===//
#include "planner/Density.h"
#include "planner/Registry.h"

using namespace evenkeel;

namespace {

class Density : public Planner {
public:
  std::string name() const override { return "density"; }
  Placement place(const Problem &P, const Machine &M,
                  const Model &) const override {
    return placeByDensity(P, M);
  }
};

} // namespace

static std::unique_ptr<Planner> make(const Settings &) {
  return std::make_unique<Density>();
}

static const std::vector<Tunable> &tunables() {
  static const std::vector<Tunable> None;
  return None;
}

EK_RIVAL(Density, "density", nullptr, make, tunables)
