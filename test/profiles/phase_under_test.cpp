//===- phase_under_test.cpp - a phase with a few objects in slow memory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: PhaseUnder returns the same as phaseState, at a cost that grows with
// the object and not with the phase.
//===----------------------------------------------------------------------===//
#include "MadePhase.h"
#include "models/PhaseUnder.h"

using namespace evenkeel;

namespace {

std::vector<uint32_t> unitsOf(uint32_t Object) {
  return {3 * Object, 3 * Object + 1, 3 * Object + 2};
}

class PhaseUnderTest : public ::testing::TestWithParam<Kind> {};

} // namespace

TEST_P(PhaseUnderTest, TakesWhatThePhaseTakes) {
  for (const char *Name : {"overlap", "linear", "correlated"}) {
    auto Mod = makeModel(Name);
    ASSERT_TRUE(static_cast<bool>(Mod)) << Mod.message();
    for (unsigned Seed = 0; Seed < 4; ++Seed) {
      MadePhase X(GetParam(), 4, 150, Seed);
      const std::vector<double> Before = X.Fast;
      const PhaseUnder Under(X.P, X.Fast, X.M, **Mod);
      for (uint32_t O = 0; O < 150; O += 11) {
        const PhaseState Quick = Under.without(unitsOf(O));
        EXPECT_EQ(X.Fast, Before);
        std::vector<double> Slow = X.Fast;
        for (uint32_t U : unitsOf(O))
          Slow[U] = 0;
        const PhaseState Full = phaseState(X.P, Slow, X.M, **Mod);
        EXPECT_NEAR(Quick.Seconds, Full.Seconds, 1e-9 * Full.Seconds) << Name;
        EXPECT_TRUE(Quick.Bound == Full.Bound);
        ASSERT_EQ(Quick.TaskSeconds.size(), Full.TaskSeconds.size());
        for (size_t T = 0; T < Full.TaskSeconds.size(); ++T)
          EXPECT_NEAR(Quick.TaskSeconds[T], Full.TaskSeconds[T],
                      1e-9 * Full.Seconds);
      }
    }
  }
}

/// Ten times the objects cost ten times as much to go through, not a hundred.
TEST_P(PhaseUnderTest, CostsInProportion) {
  auto Mod = makeModel("overlap");
  for (unsigned Objects : {300u, 3000u}) {
    MadePhase X(GetParam(), 4, Objects, 1);
    const PhaseUnder Under(X.P, X.Fast, X.M, **Mod);
    for (uint32_t O = 0; O < Objects; ++O)
      Under.without(unitsOf(O));
    EXPECT_LE(Under.visited(), 12 * Objects);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, PhaseUnderTest,
                         ::testing::Values(Kind::Plain, Kind::Walked,
                                           Kind::Courses, Kind::Openings,
                                           Kind::Explicit));

/// If the object is a large part of the phase, recomputing it costs no more,
/// and is exact to the last bit.
TEST(PhaseUnder, LargeObjectsAreExact) {
  auto Mod = makeModel("overlap");
  MadePhase X(Kind::Plain, 2, 5, 1);
  const PhaseUnder Under(X.P, X.Fast, X.M, **Mod);
  std::vector<double> Slow = X.Fast;
  for (uint32_t U : unitsOf(2))
    Slow[U] = 0;
  EXPECT_EQ(Under.without(unitsOf(2)).Seconds,
            phaseState(X.P, Slow, X.M, **Mod).Seconds);
}
