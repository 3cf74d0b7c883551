//===- PredictionReport.cpp - predicted against replayed times ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PredictionReport.h.
//===----------------------------------------------------------------------===//
#include "PredictionReport.h"
#include "Cli.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using namespace evenkeel::cli;

namespace {

constexpr double Shortest = 1e-4; // seconds

struct Errors {
  unsigned Tasks = 0, LeftOut = 0;
  double Mean = 0, Weighted = 0, Worst = 0, Pearson = 0;
  double Predicted = 0, Replayed = 0; // longest task, for phases
  uint64_t Region = 0;
};

Errors errorsOf(const PredictedPolicy &P, int64_t Phase) {
  Errors E;
  std::vector<std::pair<double, double>> Pairs;
  double Time = 0;
  for (const TaskResult &T : P.Replayed->Tasks) {
    auto It = P.Predicted.find(taskKey(T.Phase, T.Index, T.Explicit));
    if (It == P.Predicted.end() || (Phase >= 0 && T.Phase != Phase))
      continue;
    if (T.Seconds < Shortest) {
      ++E.LeftOut;
      continue;
    }
    double Off = std::fabs(It->second / T.Seconds - 1);
    E.Mean += Off;
    E.Weighted += Off * T.Seconds;
    E.Worst = std::max(E.Worst, Off);
    E.Predicted = std::max(E.Predicted, It->second);
    E.Replayed = std::max(E.Replayed, T.Seconds);
    E.Region = T.Region;
    Time += T.Seconds;
    Pairs.emplace_back(It->second, T.Seconds);
  }
  E.Tasks = static_cast<unsigned>(Pairs.size());
  if (!E.Tasks)
    return E;
  E.Mean /= E.Tasks;
  E.Weighted /= Time;
  double X = 0, Y = 0, XX = 0, YY = 0, XY = 0;
  for (auto [A, B] : Pairs) {
    X += A / E.Tasks;
    Y += B / E.Tasks;
  }
  for (auto [A, B] : Pairs) {
    XX += (A - X) * (A - X);
    YY += (B - Y) * (B - Y);
    XY += (A - X) * (B - Y);
  }
  E.Pearson = XX > 0 && YY > 0 ? XY / std::sqrt(XX * YY) : 0;
  return E;
}

std::string percent(double Share) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%.1f %%", 100 * Share);
  return Text;
}

} // namespace

std::string cli::predictionTable(const std::vector<PredictedPolicy> &Rows,
                                 const Facts &F) {
  Table All({"POLICY", "PREDICTED", ">TASKS", ">MEAN ERROR", ">BY TIME",
             ">WORST", ">PEARSON"});
  Table Phases({"POLICY", ">PHASE", "REGION", ">TASKS", ">MEAN ERROR", ">WORST",
                ">LONGEST PREDICTED", ">REPLAYED"});
  for (const PredictedPolicy &P : Rows) {
    Errors E = errorsOf(P, -1);
    if (!E.Tasks)
      continue;
    char Pearson[32];
    std::snprintf(Pearson, sizeof Pearson, "%.3f", E.Pearson);
    All.row({P.Name, P.When, std::to_string(E.Tasks), percent(E.Mean),
             percent(E.Weighted), percent(E.Worst), Pearson});
    for (uint32_t H = 0; H < P.Replayed->PhaseSeconds.size(); ++H) {
      Errors X = errorsOf(P, H);
      if (!X.Tasks)
        continue;
      const RegionFact *R = F.region(X.Region);
      Phases.row({P.Name, std::to_string(H),
                  R ? R->At + " " + R->Function : std::string("?"),
                  std::to_string(X.Tasks), percent(X.Mean), percent(X.Worst),
                  secondsText(X.Predicted), secondsText(X.Replayed)});
    }
  }
  return "predicted against replayed task times, tasks of 0.1 ms and more\n" +
         All.str() + "\n" + Phases.str();
}

nlohmann::json cli::predictionJson(const std::vector<PredictedPolicy> &Rows) {
  nlohmann::json J = nlohmann::json::array();
  for (const PredictedPolicy &P : Rows) {
    Errors E = errorsOf(P, -1);
    J.push_back({{"policy", P.Name},
                 {"predicted", P.When},
                 {"tasks", E.Tasks},
                 {"tasks_too_short", E.LeftOut},
                 {"mean_error", E.Mean},
                 {"mean_error_by_time", E.Weighted},
                 {"worst_error", E.Worst},
                 {"pearson", E.Pearson}});
  }
  return J;
}
