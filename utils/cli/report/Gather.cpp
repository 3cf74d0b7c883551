//===- Gather.cpp - from plans and records to a report --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Gather.h.
//===----------------------------------------------------------------------===//
#include "Gather.h"
#include <algorithm>

namespace evenkeel::cli {

std::vector<std::string> usualAmounts() {
  return {"0%",  "6.25%", "12.5%", "25%",   "37.5%",
          "50%", "62.5%", "75%",   "87.5%", "100%"};
}

static PlanRequest requestOf(const PlanInputs &In, const Machine &M,
                             const ReportPlan &What) {
  return requestOf(In, M, What.Fast, What.Planner, What.Model);
}

/// What a plan and its inputs say by themselves.
static void describe(const Planned &X, const PlanInputs &In,
                     const ReportPlan &What, ReportInput &I) {
  I.F = &In.F;
  I.P = &X.P;
  I.Pr = &X.Pr;
  I.M = &X.M;
  I.Ahead = X.Ahead;
  I.Base = In.recorded().Command;
  I.BaseRole = In.recorded().Role;
  if (I.BaseRole == "prefix")
    I.FirstPhases = X.Pr.Phases.size();
  I.FastAsked = What.Fast;
  I.For = In.For;
  I.Ungiven = ungivenSymbols(In.F, In.Base, In.For);
  I.Notes = X.P.Notes;
}

static void sortAmounts(std::vector<AmountPoint> &All) {
  std::sort(All.begin(), All.end(),
            [](const AmountPoint &A, const AmountPoint &B) {
              return A.Bytes < B.Bytes;
            });
  All.erase(std::unique(All.begin(), All.end(),
                        [](const AmountPoint &A, const AmountPoint &B) {
                          return A.Bytes == B.Bytes;
                        }),
            All.end());
  if (All.size() < 3)
    All.clear();
}

std::unique_ptr<GatheredReport> gatherPredicted(const Planned &X,
                                                const ReportPlan &What) {
  auto Out = std::make_unique<GatheredReport>();
  describe(X, X.In, What, Out->Input);
  const auto Mod = orFail(makeModel(What.Model));
  std::vector<AmountPoint> &Points = Out->Input.Amounts;
  PlanRequest R = requestOf(X.In, X.M, What);
  Progress Shown("predicting amounts of fast memory");
  for (const std::string &Fast : What.Amounts) {
    R.Fast = Fast;
    const uint64_t Bytes =
        orFail(parseFastSize(Fast, uint64_t(X.Pr.PeakBytes)));
    if (checkFastOn(X.M, Bytes))
      continue;
    Problem Pr;
    const Plan P = orFail(makePlan(R, &Pr));
    Points.push_back({double(P.FastBytes),
                      outlookOf(Pr, X.M, *Mod).FirstTouch,
                      P.PredictedMakespan,
                      {}});
    Shown.step(Points.size(), What.Amounts.size());
  }
  if (!Points.empty())
    Points.push_back(
        {double(X.P.FastBytes), X.Ahead.FirstTouch, X.P.PredictedMakespan, {}});
  sortAmounts(Points);
  return Out;
}

static std::optional<double> makespanOf(const PolicyRuns &Runs,
                                        const std::string &Policy) {
  for (const PolicyResult &R : Runs.Results)
    if (R.Name == Policy)
      return R.MakespanSeconds;
  return {};
}

static void addPoint(const PolicyRuns &Runs, const std::string &Policy,
                     uint64_t Bytes, std::vector<AmountPoint> &Points) {
  const auto Touch = makespanOf(Runs, "first-touch"),
             Planned = makespanOf(Runs, Policy);
  if (!Touch || !Planned)
    return;
  Points.push_back({double(Bytes), *Touch, *Planned, {}});
  for (const PolicyResult &R : Runs.Results)
    if (R.Oracle)
      Points.back().Limit = R.Oracle->StaticLowerBound;
}

/// Replays the other amounts.
static void sweepAmounts(JudgedRun &J, const ReportPlan &What,
                         std::vector<std::string> Policies,
                         std::vector<AmountPoint> &Points) {
  const uint64_t Asked = J.FastBytes;
  const uint64_t Peak = recordedPeakBytes(J.Record);
  const std::vector<FastAmount> Before = std::move(J.Amounts);
  J.Amounts.clear();
  for (const std::string &Text : What.Amounts)
    if (const uint64_t Bytes = orFail(parseFastSize(Text, Peak));
        Bytes != Asked && !checkFastOn(J.M, Bytes))
      J.Amounts.push_back({Text, Bytes});
  PolicyChoice C;
  C.Policies = std::move(Policies);
  const std::string Policy = policyOfPlan(What.Planner);
  for (const SweepPoint &X : playSweep(J, C))
    addPoint(X.Runs, Policy, X.Fast.Bytes, Points);
  J.Amounts = Before;
  J.FastBytes = Asked;
}

std::unique_ptr<GatheredReport> gatherReplayed(JudgedRun &J, Planned &X,
                                               const ReportPlan &What) {
  auto Out = std::make_unique<GatheredReport>();
  X.M = J.M;
  const std::string Policy = policyOfPlan(What.Planner);
  // Of a sampled record, single pages are not known.
  auto Possible = [&](std::vector<std::string> Names) {
    Names.erase(std::remove_if(Names.begin(), Names.end(),
                               [&](const std::string &N) {
                                 return J.Record.OneIn != 1 && watchesPages(N);
                               }),
                Names.end());
    return Names;
  };
  PolicyChoice C;
  C.Policies =
      Possible({"slow-only", "first-touch", Policy, "oracle", "fast-only"});
  if (What.Planner == OwnPlanner)
    C.Policies.push_back(OwnPlanner);
  Out->Played = playPolicies(J, C);
  if (Out->Played.First && What.Planner == OwnPlanner &&
      What.Model == "overlap") {
    X.P = Out->Played.First->Its;
    X.Pr = Out->Played.First->From;
  } else {
    ReportPlan Its = What;
    Its.Fast = std::to_string(J.FastBytes);
    X.P = orFail(makePlan(requestOf(*J.In, J.Believed, Its), &X.Pr));
  }
  X.Ahead = outlookOf(X.Pr, X.M, *orFail(makeModel(What.Model)));
  X.P.Notes.insert(X.P.Notes.end(), J.In->Notes.begin(), J.In->Notes.end());
  if (J.OtherRanks)
    X.P.Notes.push_back("the record has another number of ranks than the plan, "
                        "so first touch is kept");
  ReportInput &I = Out->Input;
  describe(X, *J.In, What, I);
  I.Replayed = ReplayedRun{&J, &Out->Played};
  if (!What.Amounts.empty()) {
    addPoint(Out->Played, Policy, J.FastBytes, I.Amounts);
    sweepAmounts(J, What, Possible({"first-touch", Policy, "oracle"}),
                 I.Amounts);
    sortAmounts(I.Amounts);
  }
  return Out;
}

} // namespace evenkeel::cli
