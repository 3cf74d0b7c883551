//===- MadePhase.h - phases of each kind, drawn at random -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what cuts a phase into spans: walks, courses, openings.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_TEST_PROFILES_MADEPHASE_H
#define EVENKEEL_TEST_PROFILES_MADEPHASE_H

#include "Scenario.h"
#include <random>

namespace evenkeel {

enum class Kind { Plain, Walked, Courses, Openings, Explicit };

/// A phase in which each of \p Objects objects of three units is used by one or
/// two of \p Tasks tasks.
struct MadePhase {
  Machine M = roundMachine();
  PredictedPhase P;
  std::vector<double> Fast;

  MadePhase(Kind K, unsigned Tasks, unsigned Objects, unsigned Seed) {
    std::mt19937 Random(Seed);
    auto Upto = [&](double Most) {
      return Most * double(Random()) / 4294967296.0;
    };
    P.Workers = Tasks;
    P.Tasks.edit().resize(Tasks);
    for (uint32_t T = 0; T < Tasks; ++T) {
      P.Tasks.edit()[T].Index = T;
      P.Tasks.edit()[T].Explicit = K == Kind::Explicit;
      P.Tasks.edit()[T].Demand.CoreSeconds = 1e-3 * Upto(1);
      if (K == Kind::Openings)
        P.Tasks.edit()[T].Demand.Opening = 0.3;
    }
    for (uint32_t O = 0; O < Objects; ++O)
      for (unsigned N = 0; N < 3; ++N) {
        const uint32_t Unit = uint32_t(Fast.size());
        // Whole objects, so that walks stay in one tier, or parts.
        Fast.push_back(K == Kind::Plain ? Upto(1)
                       : N && O % 4     ? Fast.back()
                                        : Random() % 2);
        for (uint32_t T : {O % Tasks, (O * 7 + 1) % Tasks}) {
          UnitDemand U;
          U.Unit = Unit;
          U.Object = O;
          U.ReadLines = 1000 * Upto(1);
          U.WriteLines = 500 * Upto(1);
          U.OpeningWrites = U.WriteLines * (K == Kind::Openings ? Upto(1) : 0);
          U.Exposed = U.ReadLines / 3;
          U.Walked = K == Kind::Walked;
          if (K == Kind::Courses)
            U.Course = uint64_t(0xf) << 4 * (O % 16);
          P.Tasks.edit()[T].Demand.Units.push_back(U);
          if (O % Tasks == (O * 7 + 1) % Tasks)
            break;
        }
      }
  }
};

} // namespace evenkeel

#endif
