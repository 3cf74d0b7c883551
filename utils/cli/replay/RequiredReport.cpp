//===- RequiredReport.cpp - results on a required tier as text ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: "evenkeel.required/1", and the tables for people.
// Not here: the replays (RequiredReplay.cpp).
//===----------------------------------------------------------------------===//
#include "RequiredReplay.h"
#include <cstdio>

using namespace evenkeel;
using namespace evenkeel::cli;
using namespace evenkeel::required;

static nlohmann::json runJson(const PolicyRun &Run) {
  const Replayed &R = Run.Result;
  nlohmann::json J = {{"name", Run.Name},
                      {"settings", Run.Used},
                      {"pool", poolName(Run.Decided.Pool)}};
  if (R.failed()) {
    J["failure"] = R.Failure;
    return J;
  }
  J.update({{"makespan_s", R.Seconds},
            {"without_overlap_s", R.secondsWithoutOverlap()},
            {"steps_s", R.StepSeconds},
            {"copies_s", R.CopySeconds},
            {"exposed_s", R.ExposedSeconds},
            {"hidden_share", R.hiddenShare()},
            {"peak_fast_bytes", R.PeakBytes},
            {"in_bytes", R.InBytes},
            {"out_bytes", R.OutBytes},
            {"spare_bytes", R.LeastSpareBytes},
            {"mean_fragmentation", R.MeanFragmentation},
            {"worst_fragmentation", R.WorstFragmentation},
            {"evictions", R.Evictions},
            {"flushes", R.Flushes}});
  return J;
}

nlohmann::json evenkeel::cli::requiredToJson(const RequiredRuns &R) {
  nlohmann::json J = {{"schema", "evenkeel.required/1"},
                      {"machine", R.M.Name},
                      {"steps", R.Steps},
                      {"peak_bytes", R.BreadthFirst},
                      {"peak_depth_first_bytes", R.DepthFirst},
                      {"amounts", nlohmann::json::array()},
                      {"assumed", R.M.Assumed}};
  for (const RequiredPoint &P : R.Points) {
    nlohmann::json Policies = nlohmann::json::array();
    for (const PolicyRun &Run : P.Runs)
      Policies.push_back(runJson(Run));
    J["amounts"].push_back({{"fast", P.Fast.Asked},
                            {"fast_bytes", P.Fast.Bytes},
                            {"policies", std::move(Policies)}});
  }
  return J;
}

static std::string pointText(const RequiredPoint &P) {
  Table T({"POLICY", ">TIME", ">WITHOUT OVERLAP", ">PEAK IN FAST", ">COPIED IN",
           ">COPIED OUT", ">HIDDEN", ">FRAGMENTATION"});
  std::string Notes;
  for (const PolicyRun &Run : P.Runs) {
    const Replayed &R = Run.Result;
    if (R.failed()) {
      T.row({Run.Name, "-", "-", "-", "-", "-", "-", "-"});
      Notes += Run.Name + " ends: " + R.Failure + "\n";
      continue;
    }
    T.row({Run.Name, secondsText(R.Seconds),
           secondsText(R.secondsWithoutOverlap()),
           bytesText(double(R.PeakBytes)), bytesText(double(R.InBytes)),
           bytesText(double(R.OutBytes)),
           R.CopySeconds > 0 ? percentText(R.hiddenShare()) : "-",
           percentText(R.WorstFragmentation)});
    std::string Used;
    for (const auto &[Name, Value] : Run.Used) {
      char Text[64];
      std::snprintf(Text, sizeof Text, " %s=%g", Name.c_str(), Value);
      Used += Text;
    }
    if (!Used.empty())
      Notes += Run.Name + " is best with" + Used + "\n";
  }
  return T.str() + Notes;
}

std::string evenkeel::cli::requiredText(const RequiredRuns &R) {
  std::string Out = "machine " + R.M.Name + ", " + std::to_string(R.Steps) +
                    " steps; peak of live data " +
                    bytesText(double(R.BreadthFirst)) + " breadth first, " +
                    bytesText(double(R.DepthFirst)) + " depth first\n";
  for (const RequiredPoint &P : R.Points)
    Out += "fast memory " + bytesText(double(P.Fast.Bytes)) + " (" +
           P.Fast.Asked + "), which data must be in\n" + pointText(P);
  Out += "without overlap: the same steps and copies one after the other; "
         "hidden: share of the copies' time while steps run; fragmentation: "
         "largest share of free bytes in blocks too small for a request\n";
  for (const std::string &A : R.M.Assumed)
    Out += "assumed: " + A + "\n";
  return Out;
}
