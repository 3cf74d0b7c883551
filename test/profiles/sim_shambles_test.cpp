//===- sim_shambles_test.cpp - the advisor's place, and moves -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The policy that begins with one plan and moves data by its samples. What the
// plugins of SHAMBLES do alone is in sim_system_test.cpp.
//===----------------------------------------------------------------------===//
#include "sim_records.h"

using namespace evenkeel;

namespace {

Plan adviceFor(uint64_t Site) {
  PlanObject O;
  O.Site = Site;
  O.Ranges = {{0, EK_CHUNKS, 1}};
  O.Share = 1;
  Plan P;
  P.Planner = "hmem-advisor";
  P.Objects = {O};
  return P;
}

} // namespace

/// Room for one of two objects, of which only the second is read.
TEST(ShamblesAdvised, BeginsWhereTheAdvisorSaysAndThenMoves) {
  const uint32_t Pages = 32, Quanta = 2000;
  for (bool Right : {true, false}) {
    RecordBuilder B(1, 20000);
    B.phase();
    const uint32_t Cold = B.instance(Pages * EK_PAGE, 0, EK_NO_TASK, 1);
    const uint32_t Hot = B.instance(Pages * EK_PAGE, 0, EK_NO_TASK, 2);
    const uint32_t T = B.thread(0, uint64_t(Quanta) * 20000);
    B.row(T, 0, Cold, 0, 1, 0, 1);
    for (uint32_t Q = 1; Q < Quanta; ++Q)
      B.row(T, Q, Hot, Q % Pages, 100, 0, 100);
    const MissRecord R = B.record();
    Plan P = adviceFor(Right ? 2 : 1);
    const uint64_t Room = Pages * EK_PAGE;
    const PolicyResult Stays = run(R, plainMachine(), Room, "hmem-advisor", &P);
    const PolicyResult Both =
        run(R, plainMachine(), Room, "shambles-advised", &P);
    EXPECT_EQ(Both.Name, "shambles-advised");
    if (Right) {
      EXPECT_EQ(Both.MigratedBytes, 0u);
      EXPECT_NEAR(Both.MakespanSeconds / Stays.MakespanSeconds, 1, 0.01)
          << "samples cost faults";
    } else {
      EXPECT_EQ(Both.MigratedBytes, (Pages + 1) * EK_PAGE); // touched ones
      EXPECT_LT(Both.MakespanSeconds, Stays.MakespanSeconds);
    }
  }
}

TEST(ShamblesAdvised, NeedsTheAdvisorsPlan) {
  const MissRecord R = randomRecord(1);
  const Machine M = plainMachine();
  EXPECT_TRUE(needsPlan("shambles-advised"));
  EXPECT_FALSE(needsPlan("shambles-window"));
  EXPECT_EQ(policyPlanner("shambles-advised"), "hmem-advisor");
  ReplayRequest Q{&R, &M, 4 * EK_PAGE};
  EXPECT_EQ(makePolicy("shambles-advised", Q).message(),
            "policy 'shambles-advised' needs a plan and there is none; "
            "give --plan, or --facts and --base");
  Plan P;
  P.Planner = "density";
  Q.P = &P;
  EXPECT_EQ(makePolicy("shambles-advised", Q).message(),
            "policy 'shambles-advised' needs a plan of planner 'hmem-advisor'; "
            "the plan given was made by 'density'");
  P.Planner = "hmem-advisor";
  Q.Tuned["window"] = 20;
  EXPECT_TRUE(bool(makePolicy("shambles-advised", Q)));
}
