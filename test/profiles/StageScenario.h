//===- StageScenario.h - inputs for stages of the prediction ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which tables each stage takes (predict/Stages.h).
// Makes: those tables for a Scenario, and the results of the stages before the
// one under test.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_TEST_PROFILES_STAGESCENARIO_H
#define EVENKEEL_TEST_PROFILES_STAGESCENARIO_H

#include "Scenario.h"
#include "predict/PredictionCache.h"
#include <cmath>

namespace evenkeel {

/// The lines of each phase's first task.
inline std::vector<double> linesByPhase(const Problem &P) {
  std::vector<double> Out;
  for (const PredictedPhase &H : P.Phases)
    Out.push_back(std::round(total(H.Tasks[0].Demand).ReadLines));
  return Out;
}

/// A loop counted in 0x50 (1000 and 3000 iterations) and a second phase of two
/// tasks in another region. Object 1 has 4000 elements of 8 bytes.
struct LoopScenario : Scenario {
  static constexpr uint64_t Trips = 0x50, Twin = 0x51, Region2 = 0x21;
  LoopScenario() : Scenario(2) {
    addSymbol(Trips, "main:trips", "measured", 1000, 0);
    addSymbol(Trips, "main:trips", "measured", 3000, 1);
    F.Regions.push_back({Region2, "parallel", "a.c:30:1", "main"});
    B.Phases.push_back({0x41, 1, 2});
    for (uint32_t T = 0; T < 2; ++T)
      B.Tasks.push_back({Region2, 1, T, T, 0, 1000, 1000, 0});
    addObject(1, 32000);
  }
  static ExprRef trips() { return makeSymbol(Trips); }
  /// Adds symbol 0x51, with these values in the second phase.
  void addTwin(double First, double Second) {
    addSymbol(Twin, "main:twin", "measured", First, 2);
    addSymbol(Twin, "main:twin", "measured", Second, 3);
  }
  /// Adds object \p Site of unknown size, walked through in the second phase.
  void addWalk(uint64_t Site, ExprRef Reads) {
    uint32_t I = addObject(Site, 8 * (1 << 20));
    addAccess(Site, "stream", std::move(Reads));
    F.Accesses.back().Region = Region2;
    addMisses(2, I, 2560, 1);
    addMisses(3, I, 2560, 1);
  }
  void know(double Bytes) {
    PredictedInstance K;
    K.Site = 1;
    K.Bytes = Bytes;
    R.KnownSizes = {K};
  }
  static double lines(const Problem &P, uint32_t T) {
    return total(P.Phases[1].Tasks[T].Demand).ReadLines / 2560;
  }
};

/// The stages of a complete scenario; no sizes are known.
struct Stages {
  std::unique_ptr<const prediction::PredictionTables> Tables;
  const Rules Use;
  prediction::SymbolValues Given;
  prediction::TargetCounts Counts;
  prediction::AccessGrowth Growth;
  prediction::ObjectSizes Sizes;

  static std::unique_ptr<const prediction::PredictionTables>
  tablesOf(const PlanRequest &R) {
    auto Made = prediction::makePredictionTables(R);
    EXPECT_TRUE(bool(Made)) << (Made ? "" : Made.message());
    return std::move(*Made);
  }
  /// The stages of \p S before traffic, as at the start of its run.
  explicit Stages(const Scenario &S)
      : Tables(tablesOf(S.R)), Use(S.R.Use),
        Given(prediction::givenValues(
            Tables->Base, Tables->Defined, Tables->FromPeople,
            std::make_shared<prediction::SeenValues>(), Use)),
        Counts(Tables->Base, Given), Growth(prediction::growthOfAccesses(
                                         Tables->Base, Tables->Counts, Counts)),
        Sizes(prediction::predictSizes(Tables->Base, Given, Growth, {},
                                       Tables->Fits, Use)) {}

  const prediction::BaseTables &base() const { return Tables->Base; }
  prediction::CountInputs inputs() const {
    return {Tables->Base, Tables->Demands, Tables->Counts,
            Counts,       Sizes,           Growth.Work};
  }
  prediction::AccessCounts counts(const std::vector<uint32_t> &Tasks) const {
    return prediction::predictCounts(inputs(), Tasks, {});
  }
};

} // namespace evenkeel

#endif
