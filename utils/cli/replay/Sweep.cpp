//===- Sweep.cpp - replays with several amounts of fast memory ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Sweep.h.
//===----------------------------------------------------------------------===//
#include "Sweep.h"
#include "simulator/SimulationReport.h"
#include <algorithm>
#include <nlohmann/json.hpp>

namespace evenkeel::cli {

std::vector<SweepPoint> playSweep(JudgedRun &J, const PolicyChoice &C) {
  std::vector<SweepPoint> Out;
  PolicyChoice Each = C;
  Each.Quiet = true;
  Progress Shown("replaying amounts of fast memory");
  for (const FastAmount &X : J.Amounts) {
    J.FastBytes = X.Bytes;
    Out.push_back({X, playPolicies(J, Each)});
    Out.back().Runs.First.reset(); // large, and nobody asks for it
    Shown.step(Out.size(), J.Amounts.size());
  }
  return Out;
}

static const PolicyResult *resultOf(const SweepPoint &X,
                                    const std::string &Policy) {
  for (const PolicyResult &R : X.Runs.Results)
    if (R.Name == Policy)
      return &R;
  return nullptr;
}

std::vector<CurvePoint> curveOf(const std::vector<SweepPoint> &Points,
                                const std::string &Policy) {
  std::vector<CurvePoint> Out;
  for (const SweepPoint &X : Points)
    if (const PolicyResult *R = resultOf(X, Policy))
      Out.push_back({double(X.Fast.Bytes), R->MakespanSeconds});
  return Out;
}

std::string mainPolicy(const JudgedRun &J,
                       const std::vector<SweepPoint> &Points) {
  std::vector<std::string> Best{OwnPlanner, OwnStatic};
  if (J.Given)
    Best.push_back(J.Given->Planner);
  Best.push_back("first-touch");
  for (const std::string &Name : Best)
    if (!Points.empty() && resultOf(Points[0], Name))
      return Name;
  return "";
}

nlohmann::json sweepToJson(const JudgedRun &J,
                           const std::vector<SweepPoint> &Points) {
  nlohmann::json Out = {{"schema", "evenkeel.sweep/1"},
                        {"machine", J.M.Name},
                        {"peak_bytes", recordedPeakBytes(J.Record)},
                        {"amounts", nlohmann::json::array()},
                        {"knee", nullptr},
                        {"assumed", J.M.Assumed}};
  for (const SweepPoint &X : Points) {
    nlohmann::json Its = nlohmann::json::parse(
        simulationToJson(J.M, X.Fast.Bytes, X.Runs.Results));
    for (const char *Of : {"schema", "machine", "assumed"})
      Its.erase(Of);
    for (nlohmann::json &P : Its["policies"])
      if (auto At = X.Runs.KeptFirstTouch.find(P["name"]);
          At != X.Runs.KeptFirstTouch.end())
        P["keeps_first_touch"] = At->second;
    Its["fast"] = X.Fast.Asked;
    Out["amounts"].push_back(std::move(Its));
  }
  const std::string Policy = mainPolicy(J, Points);
  const std::vector<CurvePoint> Curve = curveOf(Points, Policy);
  if (const auto Knee = kneeOf(Curve))
    Out["knee"] = {{"policy", Policy},
                   {"fast_bytes", Points[*Knee].Fast.Bytes},
                   {"makespan_s", Curve[*Knee].Seconds}};
  return Out;
}

/// "each MiB saves 0.61 ms" on the way between two points.
static std::string eachText(const CurvePoint &A, const CurvePoint &B) {
  return secondsText((A.Seconds - B.Seconds) /
                     ((B.Bytes - A.Bytes) / 1048576.0));
}

/// A sentence on the amount with which the plan is worth most fast memory.
static std::string worthText(const std::vector<SweepPoint> &Points,
                             const std::string &Policy) {
  const std::vector<CurvePoint> Own = curveOf(Points, Policy),
                                Touch = curveOf(Points, "first-touch");
  if (Policy == "first-touch" || Own.empty() || Touch.size() != Own.size())
    return "";
  double Most = 0;
  CurvePoint Where;
  for (const CurvePoint &X : Own)
    if (const auto Needed = bytesFor(Touch, X.Seconds);
        Needed && *Needed - X.Bytes > Most) {
      Most = *Needed - X.Bytes;
      Where = X;
    }
  // Interpolation between equal times finds differences of a few bytes.
  if (Most < 0.01 * Own.back().Bytes)
    return "";
  return "worth: with " + bytesText(Where.Bytes) + ", " + Policy +
         " takes as long as first touch with " + bytesText(Where.Bytes + Most) +
         "\n";
}

std::string sweepText(const JudgedRun &J,
                      const std::vector<SweepPoint> &Points) {
  std::string Out = "machine " + J.M.Name + ", " +
                    bytesText(double(recordedPeakBytes(J.Record))) +
                    " of data at the recorded peak; time until all tasks are "
                    "done\n";
  std::vector<std::string> Head{">FAST", ">SHARE"};
  bool Bound = false;
  for (const PolicyResult &R : Points[0].Runs.Results) {
    Head.push_back(">" + R.Name);
    Bound |= R.Oracle.has_value();
  }
  if (Bound)
    Head.push_back(">STATIC LIMIT");
  Table T(Head);
  const double Peak = double(recordedPeakBytes(J.Record));
  for (const SweepPoint &X : Points) {
    std::vector<std::string> Row{
        bytesText(double(X.Fast.Bytes)),
        percentText(Peak > 0 ? double(X.Fast.Bytes) / Peak : 0)};
    std::string Limit;
    for (const PolicyResult &R : X.Runs.Results) {
      Row.push_back(secondsText(R.MakespanSeconds));
      if (R.Oracle)
        Limit = secondsText(R.Oracle->StaticLowerBound);
    }
    if (Bound)
      Row.push_back(Limit);
    T.row(std::move(Row));
  }
  Out += T.str();
  if (Bound)
    Out += "static limit: proven; no placement that stays put takes less\n";
  const std::string Policy = mainPolicy(J, Points);
  const std::vector<CurvePoint> Curve = curveOf(Points, Policy);
  if (const auto Knee = kneeOf(Curve))
    Out += "knee: " + bytesText(Curve[*Knee].Bytes) + " for " + Policy +
           "; up to there each MiB saves " +
           eachText(Curve.front(), Curve[*Knee]) + ", above it " +
           eachText(Curve[*Knee], Curve.back()) + "\n";
  return Out + worthText(Points, Policy);
}

} // namespace evenkeel::cli
