//===- CurveJson.cpp - working set and recency as JSON --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CurveJson.h.
//===----------------------------------------------------------------------===//
#include "CurveJson.h"
#include "curves/Recency.h"
#include "curves/WorkingSet.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

using nlohmann::json;

namespace evenkeel::cli {

static double rounded(double Value) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%.6g", Value);
  return std::strtod(Text, nullptr);
}

static json secondsOf(const std::vector<double> &Values) {
  json Out = json::array();
  for (const double V : Values)
    Out.push_back(rounded(V));
  return Out;
}

static int64_t whole(double Bytes) { return std::llround(Bytes); }

static json bytesOf(const std::vector<double> &Values) {
  json Out = json::array();
  for (const double V : Values)
    Out.push_back(whole(V));
  return Out;
}

static json percentilesOf(const std::vector<double> &Values) {
  const Distribution D = distributionOf(Values);
  json Out = {{"mean", whole(D.Mean)}};
  for (size_t I = 0; I < ShownPercentiles.size(); ++I)
    Out[std::to_string(ShownPercentiles[I])] = whole(D.At[I]);
  return Out;
}

static json groupOf(const TouchGroup &G) {
  return {{"name", G.Name},
          {"kind", G.Kind},
          {"stack", G.Stack},
          {"objects", G.Objects}};
}

static json workingSetJson(const WorkingSet &W, size_t Most) {
  json Rows = json::array();
  for (size_t I = 0; I < std::min(Most, W.Rows.size()); ++I) {
    json Row = groupOf(W.Rows[I].Its);
    Row["percentiles"] = percentilesOf(W.Rows[I].Touched);
    Row["touched_bytes"] = bytesOf(W.Rows[I].Touched);
    Rows.push_back(std::move(Row));
  }
  return {{"window_s", rounded(W.WindowSeconds)},
          {"times_s", secondsOf(W.Seconds)},
          {"touched_bytes", bytesOf(W.Touched)},
          {"resident_bytes", bytesOf(W.Resident)},
          {"percentiles", percentilesOf(W.Touched)},
          {"objects", std::move(Rows)}};
}

static json recencyJson(const Recency &R, size_t Most) {
  json Rows = json::array();
  for (size_t I = 0; I < std::min(Most, R.Rows.size()); ++I) {
    json Row = groupOf(R.Rows[I].Its);
    Row["resident_bytes"] = whole(R.Rows[I].Resident);
    Row["within_bytes"] = bytesOf(R.Rows[I].Within);
    Rows.push_back(std::move(Row));
  }
  return {{"passes", R.Passes},
          {"ages_s", secondsOf(R.Ages)},
          {"resident_bytes", whole(R.All.Resident)},
          {"within_bytes", bytesOf(R.All.Within)},
          {"objects", std::move(Rows)}};
}

void addCurves(const TouchRecord &R, uint32_t Process, bool Single, size_t Most,
               json &To) {
  To["process"] = Process;
  To["working_set"] = workingSetJson(workingSetOf(R, Process, Single), Most);
  To["recency"] = recencyJson(recencyOf(R, Process, Single), Most);
}

} // namespace evenkeel::cli
