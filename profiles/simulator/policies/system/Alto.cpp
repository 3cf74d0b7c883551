//===- Alto.cpp - promotion throttled by how much latency is exposed ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: ALTO of SOAR/ALTO (OSDI 2025, repository MoatLab/SoarAlto), here on
// top of NUMA balancing: counters give the AOL, the average cycles for which a
// demand read is outstanding without overlap, at regular intervals. Below 40
// cycles, misses overlap well and nothing is promoted; above 100, the base
// policy promotes without restriction; in between, a share of it. Parameters:
// low_aol, high_aol, and those of NumaBalancing.cpp.
//===----------------------------------------------------------------------===//
#include "NumaBalancing.h"
#include "simulator/policies/Policies.h"
#include <algorithm>

namespace evenkeel {
namespace {

class Alto : public NumaBalancing {
  const double GHz, LowAol, HighAol;
  double Share = 1, Credit = 0;

public:
  Alto(NumaBalancing &&Base, double GHz, double LowAol, double HighAol)
      : NumaBalancing(std::move(Base)), GHz(GHz), LowAol(LowAol),
        HighAol(HighAol) {}
  std::string name() const override { return "alto"; }

protected:
  void adjust(System &S) override {
    NumaBalancing::adjust(S);
    if (S.reads() <= 0)
      return;
    double Aol = S.stallNs() * GHz / S.reads();
    Share =
        std::clamp((Aol - LowAol) / std::max(HighAol - LowAol, 1e-9), 0.0, 1.0);
  }
  bool promotes(System &S, uint64_t Page, double LatencyNs) override {
    if (!NumaBalancing::promotes(S, Page, LatencyNs))
      return false;
    Credit += Share;
    if (Credit < 1)
      return false;
    Credit -= 1;
    return true;
  }
};

} // namespace

const std::vector<Tunable> &altoTunables() {
  static const std::vector<Tunable> T = [] {
    std::vector<Tunable> All = {
        {"low_aol", 40, {40}, "cycles; below, nothing is promoted"},
        {"high_aol", 100, {100}, "cycles; above, nothing is held back"}};
    for (const Tunable &X : numaBalancingTunables())
      All.push_back(X);
    return All;
  }();
  return T;
}

std::unique_ptr<Policy> makeAlto(const ReplayRequest &R) {
  auto Get = [&](const char *Name) {
    return settingOf(R.Tuned, altoTunables(), Name);
  };
  return std::make_unique<Alto>(
      std::move(*makeNumaBalancing(R.Tuned, altoTunables())), R.M->GHz,
      Get("low_aol"), Get("high_aol"));
}

} // namespace evenkeel
