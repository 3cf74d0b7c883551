//===- BenchReport.cpp - a comparison of policies over many replays -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See BenchReport.h.
//===----------------------------------------------------------------------===//
#include "BenchReport.h"
#include "BenchSummary.h"
#include "format/plan/Plan.h"
#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

using nlohmann::json;

namespace evenkeel::cli {

static BenchRow rowOf(const json &P, const BenchRow &Where,
                      const std::string &Policy) {
  BenchRow R = Where;
  R.Policy = Policy;
  R.MakespanS = P.at("makespan_s").get<double>();
  R.Acv = P.at("acv").get<double>();
  R.BarrierWaitS = P.at("barrier_wait_s").get<double>();
  R.FastAccessShare = P.at("fast_access_share").get<double>();
  R.MigratedBytes = P.at("migrated_bytes").get<uint64_t>();
  R.KeptFirstTouch = P.value("keeps_first_touch", false);
  return R;
}

static std::string settingsText(const json &Settings) {
  std::string Out;
  for (const auto &[Name, Value] : Settings.items()) {
    char Text[64];
    std::snprintf(Text, sizeof Text, "%g", Value.get<double>());
    Out += (Out.empty() ? "" : " ") + Name + "=" + Text;
  }
  return Out;
}

/// Ranks the rows of one cell, [\p First, \p End).
static void rank(BenchData &D, size_t First, size_t End) {
  for (size_t I = First; I < End; ++I) {
    D.Rows[I].Rank = 0;
    if (isWhatIf(D.Rows[I].Policy))
      continue;
    D.Rows[I].Rank = 1;
    for (size_t K = First; K < End; ++K)
      if (!isWhatIf(D.Rows[K].Policy) &&
          D.Rows[K].MakespanS < D.Rows[I].MakespanS)
        ++D.Rows[I].Rank;
  }
}

void addCell(BenchData &D, const BenchRow &Where, const std::string &Json) {
  json J = json::parse(Json);
  size_t First = D.Rows.size();
  for (const json &P : J.at("policies"))
    D.Rows.push_back(rowOf(P, Where, P.at("name").get<std::string>()));
  rank(D, First, D.Rows.size());
  if (Where.Variant.empty() && J.contains("oracle")) {
    const json &O = J["oracle"];
    D.Oracles.push_back({O.at("makespan_s").get<double>(),
                         O.at("static_makespan_s").get<double>(),
                         O.at("lower_bound_s").get<double>(),
                         O.at("static_lower_bound_s").get<double>()});
    for (size_t I = First; I < D.Rows.size(); ++I)
      if (D.Rows[I].Policy == "oracle") // cells of older versions have none
        D.Rows[I].LeastAcv = O.value("least_acv", 0.0);
  }
  if (J.contains("tuning"))
    for (const auto &[Policy, Points] : J["tuning"].items()) {
      BenchGrid G;
      for (const json &P : Points)
        G.Points.push_back(
            {settingsText(P.at("settings")), rowOf(P, Where, Policy)});
      if (!G.Points.empty())
        D.Grids.push_back(std::move(G));
    }
  if (Where.Variant.empty() && J.contains("prediction"))
    for (const json &P : J["prediction"])
      D.Predictions.push_back(
          {Where.Workload, Where.Target, Where.Machine, Where.Fast,
           P.at("policy").get<std::string>(),
           P.at("predicted").get<std::string>(), P.at("tasks").get<unsigned>(),
           P.at("mean_error").get<double>(),
           P.at("mean_error_by_time").get<double>(),
           P.at("worst_error").get<double>(), P.at("pearson").get<double>()});
  if (J.contains("assumed"))
    for (const json &A : J["assumed"]) {
      std::string Text = Where.Machine + ": " + A.get<std::string>();
      if (std::find(D.Assumed.begin(), D.Assumed.end(), Text) ==
          D.Assumed.end())
        D.Assumed.push_back(Text);
    }
}

void fixSettings(BenchData &D) {
  // The time of slow-only, by cell.
  std::map<std::string, double> Slow;
  for (const BenchRow &R : D.Rows)
    if (R.Variant.empty() && R.Policy == "slow-only")
      Slow[keyOf(R)] = R.MakespanS;
  std::map<std::pair<std::string, std::string>, std::vector<const BenchGrid *>>
      Together; // by machine and policy
  for (const BenchGrid &G : D.Grids) {
    const BenchRow &R = G.Points[0].Row;
    if (R.Variant.empty() && Slow.count(keyOf(R)) && Slow[keyOf(R)] > 0)
      Together[{R.Machine, R.Policy}].push_back(&G);
  }
  std::map<std::pair<std::string, std::string>, BenchRow> Fixed, Best;
  for (const auto &Entry : Together) {
    const auto &Key = Entry.first;
    const std::vector<const BenchGrid *> &Grids = Entry.second;
    size_t Points = Grids[0]->Points.size(), Chosen = 0;
    double Least = 0;
    auto Mean = [&](size_t I) {
      double Sum = 0;
      for (const BenchGrid *G : Grids)
        Sum += G->Points[I].Row.MakespanS / Slow[keyOf(G->Points[I].Row)];
      return Sum / double(Grids.size());
    };
    for (size_t I = 0; I < Points; ++I)
      if (double M = Mean(I); I == 0 || M < Least) {
        Least = M;
        Chosen = I;
      }
    BenchTuned T = {Key.first, Key.second, Grids[0]->Points[Chosen].Settings};
    T.Fixed = Least;
    T.Cells = unsigned(Grids.size());
    for (const BenchGrid *G : Grids) {
      const auto &Own = *std::min_element(
          G->Points.begin(), G->Points.end(),
          [](auto &A, auto &B) { return A.Row.MakespanS < B.Row.MakespanS; });
      T.Best += Own.Row.MakespanS / Slow[keyOf(Own.Row)] / T.Cells;
      Fixed[{keyOf(Own.Row), Key.second}] = G->Points[Chosen].Row;
      Best[{keyOf(Own.Row), Key.second}] = Own.Row;
    }
    for (const BenchRow &R : D.Rows)
      if (Fixed.count({keyOf(R), Key.second}) && R.Policy == Key.second &&
          R.Variant.empty() && R.Machine == Key.first)
        T.Default += R.MakespanS / Slow[keyOf(R)] / T.Cells;
    D.Tuned.push_back(T);
  }
  std::vector<BenchRow> Rows = std::move(D.Rows);
  D.Rows.clear();
  for (size_t First = 0, End; First < Rows.size(); First = End) {
    size_t Begin = D.Rows.size();
    for (End = First; End < Rows.size() && Rows[End].sameCell(Rows[First]);
         ++End) {
      const BenchRow &R = Rows[End];
      auto At =
          R.Variant.empty() ? Fixed.find({keyOf(R), R.Policy}) : Fixed.end();
      D.Rows.push_back(At == Fixed.end() ? R : At->second);
      if (At == Fixed.end())
        continue;
      D.Rows.push_back(Best[{keyOf(R), R.Policy}]);
      D.Rows.back().Policy += "@best";
    }
    rank(D, Begin, D.Rows.size());
  }
}

json benchJson(const BenchData &D) {
  json J = {{"schema", "evenkeel.bench/1"}, {"rows", json::array()}};
  std::set<std::string> Shaky = winsThatDoNotHold(D);
  for (const BenchRow &R : D.Rows)
    J["rows"].push_back({{"workload", R.Workload},
                         {"target", R.Target},
                         {"machine", R.Machine},
                         {"variant", R.Variant},
                         {"fast_share", R.FastShare},
                         {"policy", R.Policy},
                         {"makespan_s", R.MakespanS},
                         {"acv", R.Acv},
                         {"barrier_wait_s", R.BarrierWaitS},
                         {"fast_access_share", R.FastAccessShare},
                         {"migrated_bytes", R.MigratedBytes},
                         {"keeps_first_touch", R.KeptFirstTouch},
                         {"rank", R.Rank}});
  Mean Oracle, First;
  for (const Cell &C : cellsOf(D, false)) {
    if (auto E = excess(C, OwnPlanner, "oracle"))
      Oracle.add(*E);
    if (auto E = excess(C, OwnPlanner, "first-touch"))
      First.add(*E);
  }
  json S = {{"wins_that_do_not_hold", Shaky}};
  for (const std::string &P : policiesOf(D))
    if (Wins W = winsOver(D, P); P != OwnPlanner && W.Cells) {
      S["wins"][P] = {{"cells", W.Cells}, {"won", W.Won.size()}};
      if (hasVariants(D))
        S["wins"][P]["held"] = W.Won.size() - W.Lost.size();
    }
  if (Oracle.Count)
    S["oracle_gap"] = {{"mean", Oracle.value()}, {"worst", Oracle.Most}};
  if (!D.Oracles.empty()) {
    auto [Moving, Static] = boundGaps(D);
    S["oracle_bound"] = {{"mean", Moving.value()},
                         {"worst", Moving.Most},
                         {"static_mean", Static.value()},
                         {"static_worst", Static.Most},
                         {"beaten_by", json::object()}};
    for (const std::string &P : policiesOf(D))
      if (unsigned N = isWhatIf(P) ? 0 : timesAboveOracle(D, P))
        S["oracle_bound"]["beaten_by"][P] = N;
  }
  if (First.Count)
    S["worst_vs_first_touch"] = First.Most;
  for (const auto &[Share, A] : byAmount(D)) {
    json X = {{"fast_share", Share},
              {"cells", A.Cells},
              {"worst_vs_first_touch", A.First.Most},
              {"keeps_first_touch", A.Kept},
              {"oracle_gains", A.Worth},
              {"keeps_first_touch_there", A.KeptThere}};
    if (A.Gap.Count)
      X["oracle_gap"] = {{"mean", A.Gap.value()}, {"worst", A.Gap.Most}};
    S["by_amount"].push_back(X);
  }
  for (const PaperTable &P : paperTables()) {
    json T = json::object();
    for (const PaperRow &R : paperRows(D, P)) {
      json X = P.Reduction ? json{{"mean_time_reduction", R.Gain.value()}}
                           : json{{"mean_improvement", R.Gain.value()},
                                  {"max_improvement", R.Gain.Most}};
      if (!P.Reduction && R.AcvReduction.Count)
        X["acv_reduction"] = R.AcvReduction.value();
      if (R.OracleGain.Count)
        X["oracle"] = R.OracleGain.value();
      if (!P.Reduction && R.OracleAcvReduction.Count)
        X["oracle_acv_reduction"] = R.OracleAcvReduction.value();
      if (!P.Reduction && R.LeastAcvReduction.Count)
        X["possible_acv_reduction"] = R.LeastAcvReduction.value();
      X["cells"] = R.Gain.Count;
      X["wins"] = R.Won;
      if (hasVariants(D))
        X["wins_that_hold"] = R.Held;
      T[R.Rival] = X;
    }
    S[P.Key] = T;
  }
  for (const auto &[Key, P] : predictionsOf(D)) {
    json X = {{"mean_error", P.Error.value()},
              {"mean_error_by_time", P.ByTime.value()},
              {"worst_error", P.Worst.Most},
              {"pearson", P.Pearson.value()}};
    S["predictions"][Key.first][Key.second] = X;
    if (Key.second == OwnPlanner)
      S["prediction"] = X;
  }
  J["summary"] = S;
  for (const BenchTuned &T : D.Tuned)
    J["tuned"].push_back({{"machine", T.Machine},
                          {"policy", T.Policy},
                          {"settings", T.Settings},
                          {"cells", T.Cells},
                          {"default", T.Default},
                          {"fixed", T.Fixed},
                          {"best", T.Best}});
  J["assumed"] = D.Assumed;
  return J;
}

} // namespace evenkeel::cli
