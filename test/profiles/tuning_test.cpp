//===- tuning_test.cpp - the table of figures and rules -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: profiles/tuning.def and how EVENKEEL_TUNING changes it.
//===----------------------------------------------------------------------===//
#include "tuning/Tuning.h"
#include <gtest/gtest.h>
#include <set>

using namespace evenkeel;

namespace {

/// Restores the table's values after each test.
class Tuning : public ::testing::Test {
  const Figures F = figures();
  const Rules R = rules();

protected:
  ~Tuning() override {
    tuning::NowFigures = F;
    tuning::NowRules = R;
  }
};

TEST_F(Tuning, everyEntrySaysWhatItIs) {
  std::set<std::string> Names;
  for (const TuningEntry &E : tuningEntries()) {
    EXPECT_TRUE(Names.insert(E.Name).second) << E.Name << " stands twice";
    EXPECT_FALSE(E.What.empty()) << E.Name;
    EXPECT_FALSE(E.Source.empty()) << E.Name;
    EXPECT_EQ(E.IsRule, E.Unit.empty()) << E.Name;
    EXPECT_LT(E.Least, E.Most) << E.Name;
    EXPECT_GE(E.Value, E.Least) << E.Name;
    EXPECT_LE(E.Value, E.Most) << E.Name;
  }
}

TEST_F(Tuning, movesWhatTheTextNames) {
  EXPECT_EQ(figures().Disturbance, 0.02);
  EXPECT_FALSE(moveTuning("Disturbance=0.1,TaskTypes=off"));
  EXPECT_EQ(figures().Disturbance, 0.1);
  EXPECT_FALSE(rules().TaskTypes);
  EXPECT_TRUE(rules().PhaseKinds);
  EXPECT_EQ(movedTuning(), "TaskTypes=off,Disturbance=0.1");
  EXPECT_FALSE(moveTuning("TaskTypes=on"));
  EXPECT_TRUE(rules().TaskTypes);
}

TEST_F(Tuning, refusesAWrongTextAndMovesNothing) {
  auto Said = [](const char *Text) {
    const MaybeError E = moveTuning(Text);
    return E ? E->Message : std::string();
  };
  EXPECT_EQ(Said("Disturbance=0.1,NoSuch=1"),
            "'NoSuch' is no figure and no rule of profiles/tuning.def");
  EXPECT_EQ(Said("Disturbance=100"),
            "'Disturbance=100': Disturbance is a number from 0 to 0.2");
  EXPECT_EQ(Said("Disturbance=nan"),
            "'Disturbance=nan': Disturbance is a number from 0 to 0.2");
  EXPECT_EQ(Said("Disturbance"),
            "'Disturbance': Disturbance is a number from 0 to 0.2");
  EXPECT_EQ(Said("TaskTypes=0"),
            "'TaskTypes=0': say TaskTypes=on or TaskTypes=off");
  EXPECT_EQ(figures().Disturbance, 0.02);
  EXPECT_TRUE(rules().TaskTypes);
}

} // namespace
