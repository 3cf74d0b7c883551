//===- Planned.cpp - a plan with all that was known for it ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Planned.h.
//===----------------------------------------------------------------------===//
#include "Planned.h"
#include "cli/programs/Launched.h"
#include "predict/base/Fold.h"
#include "tuning/Tuning.h"

namespace evenkeel::cli {

static PlanRequest requestOf(const Args &A, const PlanInputs &In,
                             const Machine &M) {
  PlanRequest R = requestOf(In, M, A.require("--fast"), A.text("--planner"),
                            A.text("--model"));
  R.Arenas = A.has("--arenas");
  return R;
}

void loseBounds(Plan &P) {
  for (PlanPhase &H : P.Phases)
    for (PlanTask &T : H.Tasks)
      T.BoundSeconds = figures().MostOff * T.Seconds;
}

Planned makePlanned(const Args &A) {
  A.requireAll({"--facts", "--base", "--machine", "--fast"});
  Planned X{readPlanInputs(A, A.has("--allow-target-profile"),
                           targetCommandLine(A.Command)),
            orFail(readMachineToPlan(A.require("--machine"))),
            {},
            {},
            {}};
  const PlanRequest R = requestOf(A, X.In, X.M);
  X.P = orFail(makePlan(R, &X.Pr));
  if (X.In.Blind)
    loseBounds(X.P);
  if (MaybeError E = checkFastOn(X.M, X.P.FastBytes))
    fail("--fast " + R.Fast + ": " + E->Message);
  X.P.Notes.insert(X.P.Notes.end(), X.In.Notes.begin(), X.In.Notes.end());
  if (!X.P.Ranks.empty())
    X.P.Notes.push_back("for " + std::to_string(X.P.Ranks.size()) +
                        " ranks, as in the base run; with another number of "
                        "ranks, pages stay where they are first touched");
  X.Ahead = outlookOf(X.Pr, X.M, *orFail(makeModel(R.Model)));
  return X;
}

void writePlanned(const Args &A, Planned &X, const std::string &Path) {
  PlanRequest Carried = requestOf(A, X.In, X.M);
  // Repeated phases that are alike cost nothing; otherwise, the run extends
  // what was recorded.
  const Profile Folded = foldPhases(X.In.Base);
  Carried.Base = Folded.Like.empty() ? &X.In.recorded() : &Folded;
  X.P.ReplanJson = replanOf(Carried, X.P);
  writeFile(Path, planToJson(X.P));
}

} // namespace evenkeel::cli
