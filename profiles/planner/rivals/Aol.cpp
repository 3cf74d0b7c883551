//===- Aol.cpp - SOAR's score: hotness times exposed latency --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: SOAR (OSDI 2025), repository MoatLab/SoarAlto, src/soar/run. Profiled
// in fast memory; per interval (there a second, here a phase, weighted by its
// time) AOL = cycles with a demand read outstanding / demand reads, and the
// predicted slowdown S = stall share / (24.67 / AOL + 0.87). An object's score
// is its share R of the interval's accesses times S. If accesses overlap (AOL
// <= 80), hot objects matter less than their score and cold ones more: R >= 0.7
// (0.6 for AOL above 60) is divided, R < 0.03 (0.4) multiplied by 2, 4, 8 or 12
// for AOL above 60, 45, 40 or below. Objects are sites, placed whole by score
// per byte; objects below 4096 bytes are ignored. Parameters: factors: 0 = the
// score without these corrections.
//===----------------------------------------------------------------------===//
#include "models/Phase.h"
#include "planner/Registry.h"
#include "planner/Rivals.h"
#include <algorithm>
#include <map>

using namespace evenkeel;

static const std::vector<Tunable> &tunables() {
  static const std::vector<Tunable> T = {
      {"factors", 1, {0, 1}, "1 = corrections where accesses overlap"}};
  return T;
}

namespace {

class Aol : public Planner {
  const bool Factors;

  double corrected(double R, double Aol) const {
    if (!Factors || Aol > 80)
      return R;
    double Factor = Aol > 60 ? 2 : Aol > 45 ? 4 : Aol > 40 ? 8 : 12;
    double Hot = Aol > 60 ? 0.6 : 0.7, Cold = Aol > 60 ? 0.4 : 0.03;
    return R >= Hot ? R / Factor : R < Cold ? R * Factor : R;
  }

public:
  explicit Aol(bool Factors) : Factors(Factors) {}
  std::string name() const override { return "aol"; }

  Placement place(const Problem &P, const Machine &M,
                  const Model &Mod) const override {
    std::vector<SiteObject> Objects = siteObjects(P);
    std::map<uint64_t, size_t> Index;
    for (size_t I = 0; I < Objects.size(); ++I)
      Index[Objects[I].Site] = I;
    std::vector<double> Score(Objects.size(), 0), All(P.Units.size(), 1);
    for (const PredictedPhase &H : P.Phases) {
      const double Latency = phaseState(H, All, M, Mod).LatencyNs.front();
      std::vector<double> Reads(Objects.size(), 0);
      double Exposed = 0, Core = 0, Sum = 0;
      for (const PredictedTask &T : H.Tasks) {
        Core += T.Demand.CoreSeconds * 1e9;
        for (const UnitDemand &D : T.Demand.Units) {
          Reads[Index[P.Instances[P.Units[D.Unit].Instance].Site]] +=
              D.ReadLines;
          Sum += D.ReadLines;
          Exposed += D.Exposed * Latency;
        }
      }
      if (Sum <= 0 || Exposed <= 0)
        continue;
      double Cycles = Exposed * M.GHz / Sum;
      double S = Exposed / (Core + Exposed) / (24.67 / Cycles + 0.87);
      for (size_t I = 0; I < Objects.size(); ++I)
        Score[I] += corrected(Reads[I] / Sum, Cycles) * S * (Core + Exposed);
    }
    return wholeObjects(P, Objects, Score, /*LeastBytes=*/4096);
  }
};

} // namespace

static std::unique_ptr<Planner> make(const Settings &S) {
  return std::make_unique<Aol>(settingOf(S, tunables(), "factors") > 0);
}

EK_RIVAL(Aol, "aol", "soar", make, tunables)
