//===- errors_test.cpp - a phase whose predictions are off ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the states with errors are those of a phase that is predicted so.
//===----------------------------------------------------------------------===//
#include "MadePhase.h"
#include "models/Errors.h"
#include <cmath>

using namespace evenkeel;

namespace {

class ErrorsTest : public ::testing::TestWithParam<Kind> {};

/// \p Sets errors of up to \p Most for each object and core time.
PhaseErrors drawn(const PredictedPhase &P, size_t Sets, double Most) {
  std::mt19937 Random(7);
  auto By = [&] {
    std::vector<double> Out;
    for (size_t E = 0; E < Sets; ++E)
      Out.push_back(std::exp(Most * (double(Random()) / 2147483648.0 - 1)));
    return Out;
  };
  PhaseErrors Out;
  Out.Sets = Sets;
  for (const PredictedTask &T : P.Tasks) {
    TaskErrors &Its = Out.Tasks.emplace_back();
    Its.Core = By();
    const auto &Units = T.Demand.Units;
    for (size_t First = 0, End = 0; First < Units.size(); First = End) {
      while (End < Units.size() && Units[End].Object == Units[First].Object)
        ++End;
      Its.Objects.push_back({End, By()});
    }
  }
  return Out;
}

/// \p P with the errors of one set.
PredictedPhase scaled(PredictedPhase P, const PhaseErrors &Errors, size_t Set) {
  for (size_t T = 0; T < P.Tasks.size(); ++T) {
    TaskDemand &D = P.Tasks.edit()[T].Demand;
    D.CoreSeconds *= Errors.Tasks[T].Core[Set];
    size_t First = 0;
    for (const TaskErrors::Stretch &X : Errors.Tasks[T].Objects)
      for (; First < X.End; ++First)
        for (double *Its :
             {&D.Units[First].ReadLines, &D.Units[First].WriteLines,
              &D.Units[First].Exposed, &D.Units[First].OpeningWrites})
          *Its *= X.By[Set];
  }
  return P;
}

} // namespace

TEST_P(ErrorsTest, NoErrorsChangeNothing) {
  for (const char *Name : {"overlap", "linear", "correlated"}) {
    auto Mod = makeModel(Name);
    ASSERT_TRUE(static_cast<bool>(Mod)) << Mod.message();
    for (unsigned Seed = 0; Seed < 4; ++Seed) {
      MadePhase X(GetParam(), 4, 60, Seed);
      const PhaseState Its = phaseState(X.P, X.Fast, X.M, **Mod);
      const auto With = statesWith(X.P, drawn(X.P, 2, 0), X.Fast, X.M, **Mod);
      ASSERT_EQ(With.size(), 2u);
      for (const PhaseState &S : With) {
        EXPECT_NEAR(S.Seconds, Its.Seconds, 1e-9 * Its.Seconds) << Name;
        EXPECT_TRUE(S.Bound == Its.Bound);
        ASSERT_EQ(S.TaskSeconds.size(), Its.TaskSeconds.size());
        for (size_t T = 0; T < Its.TaskSeconds.size(); ++T)
          EXPECT_NEAR(S.TaskSeconds[T], Its.TaskSeconds[T], 1e-9 * Its.Seconds);
      }
    }
  }
}

/// When lines are written back in a cut phase is as predicted, so there the
/// times are close, not the same.
TEST_P(ErrorsTest, AreThoseOfThePhaseThatIsPredictedSo) {
  auto Mod = makeModel("overlap");
  const bool IsCut = GetParam() == Kind::Walked || GetParam() == Kind::Courses;
  const double Near = IsCut ? 0.01 : 1e-9;
  for (unsigned Seed = 0; Seed < 4; ++Seed) {
    MadePhase X(GetParam(), 4, 60, Seed);
    const PhaseErrors Errors = drawn(X.P, 10, 0.7);
    const auto With = statesWith(X.P, Errors, X.Fast, X.M, **Mod);
    const PhaseState Its = phaseState(X.P, X.Fast, X.M, **Mod);
    for (size_t E = 0; E < With.size(); ++E) {
      const PhaseState Full =
          phaseState(scaled(X.P, Errors, E), X.Fast, X.M, **Mod);
      EXPECT_NEAR(With[E].Seconds, Full.Seconds, Near * Full.Seconds);
      EXPECT_NE(With[E].Seconds, Its.Seconds);
      for (size_t T = 0; T < Full.TaskSeconds.size(); ++T)
        EXPECT_NEAR(With[E].TaskSeconds[T], Full.TaskSeconds[T],
                    Near * Full.Seconds);
    }
  }
}

/// Sets of a phase with many tasks are computed a few at a time.
TEST(Errors, ManyTasksTakeTheSameStates) {
  auto Mod = makeModel("overlap");
  MadePhase X(Kind::Explicit, 6000, 12000, 1);
  const PhaseErrors Errors = drawn(X.P, 10, 0.7);
  const auto With = statesWith(X.P, Errors, X.Fast, X.M, **Mod);
  ASSERT_EQ(With.size(), 10u);
  for (size_t E : {0u, 5u, 9u}) {
    const double Full =
        phaseState(scaled(X.P, Errors, E), X.Fast, X.M, **Mod).Seconds;
    EXPECT_NEAR(With[E].Seconds, Full, 1e-9 * Full);
  }
}

TEST(Errors, APhaseWithoutTasksTakesNoTime) {
  auto Mod = makeModel("overlap");
  const PredictedPhase Nothing;
  PhaseErrors Errors;
  Errors.Sets = 3;
  const auto With = statesWith(Nothing, Errors, {}, roundMachine(), **Mod);
  ASSERT_EQ(With.size(), 3u);
  EXPECT_EQ(With[2].Seconds, 0);
}

INSTANTIATE_TEST_SUITE_P(Kinds, ErrorsTest,
                         ::testing::Values(Kind::Plain, Kind::Walked,
                                           Kind::Courses, Kind::Openings,
                                           Kind::Explicit));
