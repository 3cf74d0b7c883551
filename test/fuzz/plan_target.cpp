//===- plan_target.cpp - plan.json ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: plans that were accepted are written and read with equal content, and
// every object of one is found by its own name.
//===----------------------------------------------------------------------===//
#include "Target.h"
#include "format/Replan.h"
#include "format/plan/Plan.h"
#include "planner/Planner.h"
#include <algorithm>

using namespace evenkeel;
using namespace ekfuzz;

/// Their order is the writer's business.
static void add(Description &D, const std::vector<PlanObject> &Objects) {
  std::vector<std::string> Texts;
  for (const PlanObject &O : Objects) {
    Description X;
    X.add(O.Site).add(O.At);
    X.add(O.Creator ? *O.Creator : UINT64_MAX);
    X.add(O.Ordinal ? *O.Ordinal : UINT64_MAX);
    X.add(O.Context ? *O.Context : UINT64_MAX);
    if (O.Context) { // what others say of it is not kept
      X.add(O.OfSite ? *O.OfSite : UINT64_MAX);
      for (const std::string &Call : O.Calls)
        X.add(Call);
    }
    if (O.MostBytes && !(O.Ordinal && O.Creator)) // the same of one
      X.add(O.LeastBytes).add(O.MostBytes);
    X.add(O.Share).add(O.PredictedBytes).add(O.GainSeconds).add(O.Reason);
    for (const PlanRange &R : O.Ranges)
      X.add(uint64_t(R.From)).add(uint64_t(R.To)).add(R.Share);
    Texts.push_back(X.text());
  }
  std::sort(Texts.begin(), Texts.end());
  D.add(uint64_t(Texts.size()));
  for (const std::string &T : Texts)
    D.add(T);
}

static std::string describe(const Plan &P) {
  Description D;
  D.add(P.Program).add(P.Planner).add(P.Model).add(P.Machine);
  D.add(P.FastBytes).add(uint64_t(P.KeepsFirstTouch)).add(uint64_t(P.AllFits));
  D.add(P.BaseInput);
  D.add(P.PredictedMakespan);
  // A plan without what a hook needs has an empty object there.
  D.add(P.ReplanJson.empty() ? "{}" : P.ReplanJson);
  for (const std::string &A : P.Assumed)
    D.add(A);
  for (const PlanPhase &H : P.Phases) {
    D.add(uint64_t(H.Phase)).add(H.Region).add(H.At).add(H.Seconds);
    D.add(H.Sync);
    D.add(uint64_t(H.Tasks.size()));
    for (const PlanTask &T : H.Tasks)
      D.add(uint64_t(T.Index))
          .add(T.Seconds)
          .add(T.SlowOnlySeconds)
          .add(T.FastOnlySeconds)
          .add(T.BoundSeconds)
          .add(uint64_t(T.Explicit));
  }
  add(D, P.Objects);
  for (const PlanChange &C : P.Changes)
    add(D.add(uint64_t(C.Phase)), C.Objects);
  for (uint32_t R : P.Ranks)
    D.add(uint64_t(R));
  return D.text();
}

/// What a run plans again with: read, written and read alike; and a planner
/// that is given it makes a plan or an error, never the end of the program that
/// it serves.
static void runReplan(const std::string &Text) {
  Expected<ReplanData> D = readReplan(Text, "in");
  if (!D) {
    checkError(D.message());
    return;
  }
  const std::string Written = replanToJson(*D, "{}");
  Expected<ReplanData> Again = readReplan(Written, "out");
  EK_HOLDS(bool(Again), "a written base is refused: " + Again.message());
  EK_HOLDS(replanToJson(*Again, "{}") == Written,
           "a base differs after a round trip");
  // More takes long, and shows the same.
  if (D->Base.Tasks.size() > 64 || D->Base.Instances.size() > 64 ||
      D->Base.Phases.size() > 64 || D->Base.Misses.size() > 4096)
    return;
  PlanRequest Q;
  Q.F = &D->F;
  Q.Base = &D->Base;
  Q.M = &D->M;
  Q.Fast = D->Fast;
  for (const auto &[Name, Task, Value] : D->For)
    Q.For.push_back({Name, Task, Value});
  for (const auto &[Name, Bytes] : D->Sizes) {
    Q.KnownSizes.push_back(instanceNamed(Name));
    Q.KnownSizes.back().Bytes = Bytes;
    Q.KnownSizes.back().AllocPhase = EK_NO_TASK;
  }
  Expected<Plan> Made = makePlan(Q);
  if (!Made) {
    checkError(Made.message());
    return;
  }
  for (const PlanObject &O : Made->Objects)
    EK_HOLDS(O.Site, "a plan names an object of no site");
}

bool ekfuzz::runPlan(const std::string &Input) {
  Expected<Plan> P = readPlan(scratchFile("in", Input));
  if (!P) {
    checkError(P.message());
    return false;
  }
  Expected<Plan> Again = readPlan(scratchFile("out", planToJson(*P)));
  EK_HOLDS(bool(Again), "a written plan is refused: " + Again.message());
  EK_HOLDS(describe(*P) == describe(*Again), "plan differs after a round trip");
  runReplan(P->ReplanJson);
  for (const PlanObject &O : P->Objects) {
    const uint32_t Ordinal = O.Ordinal.value_or(7);
    const PlanObject *Found =
        P->find({O.Site, O.Context.value_or(0), O.Creator.value_or(7), Ordinal,
                 Ordinal});
    EK_HOLDS(Found && Found->Site == O.Site, "an object is not found");
    EK_HOLDS(O.Site, "an object of no site");
  }
  return true;
}
