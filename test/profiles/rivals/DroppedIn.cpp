//===- DroppedIn.cpp - a rival that nobody but this file knows ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: none; the first units that fit, in the order of the problem. It shows
// that a rival is one file (dropped_rival_test.cpp).
//===----------------------------------------------------------------------===//
#include "planner/Registry.h"

using namespace evenkeel;

namespace {

class DroppedIn : public Planner {
public:
  std::string name() const override { return "dropped-in"; }
  Placement place(const Problem &P, const Machine &,
                  const Model &) const override {
    Placement Out;
    double Left = P.FastBytes;
    for (const Unit &U : P.Units) {
      const bool Fits = U.Bytes <= Left;
      Out.FastShare.push_back(Fits ? 1 : 0);
      Left -= Fits ? U.Bytes : 0;
    }
    return Out;
  }
};

} // namespace

static std::unique_ptr<Planner> make(const Settings &) {
  return std::make_unique<DroppedIn>();
}

static const std::vector<Tunable> &tunables() {
  static const std::vector<Tunable> All = {
      {"depth", 1, {1, 2}, "a setting, to be found by its name"}};
  return All;
}

EK_RIVAL(DroppedIn, "dropped-in", "just-dropped", make, tunables)
