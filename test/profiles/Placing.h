//===- Placing.h - what tests of placements share ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: calls of a planner with the default model, whether a placement fits,
// and a problem of two tasks.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_TEST_PROFILES_PLACING_H
#define EVENKEEL_TEST_PROFILES_PLACING_H

#include "Scenario.h"
#include "models/Phase.h"
#include <memory>
#include <set>

namespace evenkeel {

inline constexpr uint64_t MiB = 1 << 20;

inline std::unique_ptr<Model> overlap() {
  auto M = makeModel("overlap");
  EXPECT_TRUE(static_cast<bool>(M));
  return std::move(*M);
}

inline Placement place(const std::string &Planner, const Problem &P,
                       const Machine &M) {
  auto Pl = makePlanner(Planner);
  EXPECT_TRUE(static_cast<bool>(Pl));
  return (*Pl)->place(P, M, *overlap());
}

inline double value(const Problem &P, const std::vector<double> &X,
                    const Machine &M) {
  return makespan(P, X, M, *overlap());
}

inline double fastOnly(const Problem &P, const Machine &M) {
  return value(P, std::vector<double>(P.Units.size(), 1), M);
}

inline void expectFits(const Problem &P, const std::vector<double> &X,
                       bool FirstTouch = false) {
  ASSERT_EQ(X.size(), P.Units.size());
  for (double V : X)
    EXPECT_TRUE(V >= 0 && V <= 1);
  for (const PredictedPhase &H : P.Phases) {
    // What a phase frees without using it is gone before others are touched;
    // a plan's room must not depend on that.
    std::set<uint32_t> InUse;
    for (const PredictedTask &T : H.Tasks)
      for (const UnitDemand &D : T.Demand.Units)
        InUse.insert(P.Units[D.Unit].Instance);
    double Used = 0;
    for (size_t U = 0; U < X.size(); ++U) {
      const PredictedInstance &I = P.Instances[P.Units[U].Instance];
      if (isLive(I, H.Phase) && (!FirstTouch || I.FreePhase != H.Phase ||
                                 InUse.count(P.Units[U].Instance)))
        Used += X[U] * P.Units[U].Bytes;
    }
    EXPECT_LE(Used, P.FastBytes * (1 + 1e-9) + 1e-6);
  }
}

/// Private objects of 1 MiB for two tasks; a third, shared stream is hottest in
/// lines but hardly exposed. Task 0 chases 40,000 lines, task 1 20,000.
struct TwoTasks : Scenario {
  TwoTasks() : Scenario(2, 1000000) {
    for (uint64_t Site : {1, 2, 3})
      addObject(Site, MiB);
    addMisses(0, 0, 25600, 1);
    addMisses(1, 1, 12800, 1);
    for (uint32_t T : {0u, 1u})
      addMisses(T, 2, 256000, 1. / 256);
    R.Fast = "1MiB";
  }
};

} // namespace evenkeel

#endif
