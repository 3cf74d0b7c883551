//===- likeness_test.cpp - how alike phases of a kind were ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the beginning of a run says about the error of its prediction for
// the rest.
//===----------------------------------------------------------------------===//
#include "predict/base/Likeness.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace evenkeel;
using namespace evenkeel::prediction;

namespace {

/// A prefix of phases with four threads each.
struct Beginning : Profile {
  void phase(uint64_t Sync, double Cycles, double Lines) {
    const auto H = uint32_t(Phases.size());
    Phases.push_back({Sync, 1, 4});
    for (uint32_t T = 0; T < 4; ++T) {
      Tasks.push_back({7, H, T, T, 0, uint64_t(Cycles), 1000, 0});
      ek_raw_miss M{};
      M.task = uint32_t(Tasks.size() - 1);
      M.reads = uint64_t(Lines);
      Misses.push_back(M);
    }
  }
};

TEST(Likeness, EqualPhasesAreNotOff) {
  Beginning B;
  for (int H = 0; H < 4; ++H)
    B.phase(0x40, 1e9, 1e6);
  for (const Likeness &L : likenessOf(B)) {
    EXPECT_EQ(L.Core, 0);
    EXPECT_EQ(L.Lines, 0);
  }
}

TEST(Likeness, GrowingPhasesAreOffByTheirGrowth) {
  Beginning B;
  for (int H = 0; H < 4; ++H) {
    B.phase(0x40, 1e9 * std::pow(1.5, H), 1e6);
    B.phase(0x41, 1e9, 1e6 * std::pow(2, H));
  }
  const std::vector<Likeness> Of = likenessOf(B);
  EXPECT_NEAR(Of[8].Core, std::log(1.5), 1e-3);
  EXPECT_EQ(Of[8].Lines, 0);
  EXPECT_EQ(Of.back().Core, 0);
  EXPECT_NEAR(Of.back().Lines, std::log(2), 1e-3);
}

TEST(Likeness, TheFirstOfThreeMayDiffer) {
  Beginning B;
  B.Phases.push_back({0x40, 1, 4}); // so that all have the same one before
  B.phase(0x40, 5e9, 3e6);          // touches data first
  B.phase(0x40, 1e9, 1e6);
  EXPECT_NEAR(likenessOf(B)[0].Core, std::log(5), 1e-3);
  B.phase(0x40, 1e9, 1e6);
  EXPECT_EQ(likenessOf(B)[0].Core, 0);
}

TEST(Likeness, SerialPartsBetweenOtherPhasesAreOtherKinds) {
  Beginning B;
  B.phase(0x40, 1e9, 1e6);
  B.phase(0, 3e6, 1e3);
  B.phase(0x41, 1e9, 1e6);
  B.phase(0, 7e8, 1e6);
  for (const Likeness &L : likenessOf(B))
    EXPECT_EQ(L.Core, 0);
}

TEST(Likeness, FewSampledLinesAreUncertain) {
  EXPECT_EQ(samplingBound(1000, 1), 0);
  EXPECT_NEAR(samplingBound(64 * 100, 64), 0.1645, 1e-12);
  EXPECT_NEAR(samplingBound(0, 64), 1.645, 1e-12);
}

TEST(Likeness, APhaseAloneTellsNothing) {
  Beginning B;
  B.phase(0x40, 1e9, 1e6);
  B.phase(0x41, 2e9, 1e6);
  EXPECT_EQ(likenessOf(B)[0].Core, 0);
  EXPECT_EQ(likenessOf(B)[4].Core, 0);
}

} // namespace
