//===- BenchTables.cpp - a comparison's tables for display ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: the tables of `evenkeel bench`.
//===----------------------------------------------------------------------===//
#include "BenchReport.h"
#include "BenchSummary.h"
#include "cli/common/Cli.h"
#include "format/plan/Plan.h"
#include "simulator/Replay.h"
#include "tuning/Tuning.h"
#include <cstdio>

namespace evenkeel::cli {

namespace {

std::string signedPercent(double V) {
  char Buffer[32];
  std::snprintf(Buffer, sizeof Buffer, "%+.1f %%", 100 * V);
  return Buffer;
}

/// All cells: time of each policy relative to slow-only.
std::string cellTable(const BenchData &D) {
  std::vector<std::string> Policies = policiesOf(D);
  std::vector<std::string> Header = {"WORKLOAD", "TARGET", "MACHINE", ">FAST",
                                     ">SLOW-ONLY"};
  for (const std::string &P : Policies)
    if (P != "slow-only")
      Header.push_back(">" + P);
  Table T(Header);
  std::map<std::string, std::set<std::string>> Shaky; // cells by rival
  for (const std::string &P : Policies)
    Shaky[P] = winsOver(D, P).Lost;
  bool Marked = false;
  for (const Cell &C : cellsOf(D, false)) {
    const BenchRow &R = *C.begin()->second;
    double Slow = makespan(C, "slow-only");
    std::vector<std::string> Cells = {R.Workload, R.Target, R.Machine, R.Fast,
                                      Slow > 0 ? secondsText(Slow) : "-"};
    for (const std::string &P : Policies) {
      if (P == "slow-only")
        continue;
      double Time = makespan(C, P);
      std::string Text = "-";
      if (Time > 0)
        Text = Slow > 0 ? percentText(Time / Slow) : secondsText(Time);
      if (Shaky[P].count(keyOf(R))) {
        Text += " !";
        Marked = true;
      }
      Cells.push_back(Text);
    }
    T.row(Cells);
  }
  std::string Out = "makespan as a share of slow-only\n" + T.str();
  if (Marked)
    Out += std::string("!  ") + OwnPlanner +
           " is faster than this policy here, but not in every variant of the "
           "machine: not a win\n";
  return Out;
}

std::string oracleText(const BenchData &D) {
  if (D.Oracles.empty())
    return "";
  auto [Moving, Static] = boundGaps(D);
  std::string Out =
      "oracle: best placement found is above the proven bound by " +
      percentText(Moving.value()) + " on average, at most " +
      percentText(Moving.Most) + "; without migration by " +
      percentText(Static.value()) + ", at most " + percentText(Static.Most) +
      "\n";
  for (const std::string &P : policiesOf(D))
    if (unsigned N = isWhatIf(P) ? 0 : timesAboveOracle(D, P))
      Out += "oracle: beaten by " + P + " in " + std::to_string(N) +
             (N == 1 ? " cell\n" : " cells\n");
  return Out;
}

std::string policyTable(const BenchData &D) {
  std::vector<std::string> Header = {
      "POLICY",     ">CELLS",
      ">MEAN RANK", ">AGAINST FIRST TOUCH",
      ">WORST",     ">BEHIND BEST FOUND",
      ">WORST",     ">IMBALANCE",
      ">MIGRATED",  std::string(">") + OwnPlanner + " WINS"};
  if (hasVariants(D))
    Header.push_back(">THAT HOLD");
  Table T(Header);
  std::vector<Cell> Cells = cellsOf(D, false);
  for (const std::string &P : policiesOf(D)) {
    Mean Rank, First, Oracle, Acv, Migrated;
    for (const Cell &C : Cells) {
      auto At = C.find(P);
      if (At == C.end())
        continue;
      if (At->second->Rank)
        Rank.add(At->second->Rank);
      Acv.add(At->second->Acv);
      Migrated.add(double(At->second->MigratedBytes));
      if (auto E = excess(C, P, "first-touch"))
        First.add(*E);
      if (auto E = excess(C, P, "oracle"))
        Oracle.add(*E);
    }
    char RankText[32];
    std::snprintf(RankText, sizeof RankText, "%.1f", Rank.value());
    const Wins W = winsOver(D, P);
    const bool Rival = P != OwnPlanner && W.Cells;
    std::vector<std::string> Row = {
        P,
        std::to_string(Acv.Count),
        Rank.Count ? RankText : "-",
        First.Count ? signedPercent(First.value()) : "-",
        First.Count ? signedPercent(First.Most) : "-",
        Oracle.Count ? signedPercent(Oracle.value()) : "-",
        Oracle.Count ? signedPercent(Oracle.Most) : "-",
        percentText(Acv.value()),
        bytesText(Migrated.value()),
        Rival ? std::to_string(W.Won.size()) : "-"};
    if (hasVariants(D))
      Row.push_back(Rival ? std::to_string(W.Won.size() - W.Lost.size()) : "-");
    T.row(Row);
  }
  return "policies over all cells (means). against first touch, behind best "
         "found: more time than first touch takes, and than the best placement "
         "found (oracle)\n" +
         T.str();
}

std::string amountText(const BenchData &D) {
  auto All = byAmount(D);
  if (All.empty())
    return "";
  Table T({">FAST", ">CELLS", ">BEHIND BEST FOUND", ">WORST",
           ">AGAINST FIRST TOUCH", ">WORST", ">KEPT FIRST TOUCH",
           ">KEPT WHERE 5 % CAN BE GAINED"});
  for (const auto &[Share, S] : All)
    T.row({percentText(Share), std::to_string(S.Cells),
           S.Gap.Count ? signedPercent(S.Gap.value()) : "-",
           S.Gap.Count ? signedPercent(S.Gap.Most) : "-",
           signedPercent(S.First.value()), signedPercent(S.First.Most),
           std::to_string(S.Kept),
           std::to_string(S.KeptThere) + " of " + std::to_string(S.Worth)});
  return std::string("\n") + OwnPlanner + " by amount of fast memory\n" +
         T.str();
}

/// Compares ours with the smallest A.C.V. at hardly more than the oracle's
/// time.
std::string leastAcvText(const BenchData &D, const PaperTable &T) {
  Mean Ours, Least;
  for (const Cell &C : cellsOf(D, false)) {
    auto O = C.find("oracle"), Is = C.find(OwnPlanner);
    if (!inGroup(C, T.Group) || O == C.end() || Is == C.end() ||
        O->second->LeastAcv <= 0 || !isOn(*O->second, T))
      continue;
    Ours.add(Is->second->Acv);
    Least.add(O->second->LeastAcv);
  }
  if (!Ours.Count)
    return "";
  char Text[160];
  std::snprintf(Text, sizeof Text,
                "possible: the smallest imbalance found within %.2f times the "
                "oracle's makespan, %s on average; %s has %s\n",
                figures().LeastAcvWithin, percentText(Least.value()).c_str(),
                OwnPlanner, percentText(Ours.value()).c_str());
  return Text;
}

std::string paperTableText(const BenchData &D, const PaperTable &P) {
  std::vector<PaperRow> Rows = paperRows(D, P);
  if (Rows.empty())
    return "";
  Table T({"RIVAL", ">CELLS",
           P.Reduction ? ">MEAN TIME REDUCTION" : ">MEAN IMPROVEMENT",
           ">ORACLE'S", ">LARGEST", ">SMALLEST", ">IMBALANCE REDUCTION",
           ">ORACLE'S", ">POSSIBLE", ">WINS", ">THAT HOLD"});
  auto Text = [](const Mean &M) {
    return M.Count ? signedPercent(M.value()) : "-";
  };
  for (const PaperRow &R : Rows)
    T.row({R.Rival, std::to_string(R.Gain.Count), signedPercent(R.Gain.value()),
           Text(R.OracleGain), signedPercent(R.Gain.Most),
           signedPercent(R.Gain.Least), Text(R.AcvReduction),
           Text(R.OracleAcvReduction), Text(R.LeastAcvReduction),
           std::to_string(R.Won),
           hasVariants(D) ? std::to_string(R.Held) : "not tried"});
  return std::string("\n") + OwnPlanner + " on " + P.Group + ", " + P.Machine +
         ", fast " + P.Fast + "\n" + T.str() + leastAcvText(D, P);
}

std::string predictionText(const BenchData &D) {
  auto All = predictionsOf(D);
  if (All.empty())
    return "";
  Table T({"PREDICTED", "POLICY", ">CELLS", ">MEAN ERROR", ">BY TIME",
           ">WORST TASK", ">PEARSON, MEAN", ">LEAST"});
  for (const auto &[Key, S] : All) {
    char Pearson[2][32];
    std::snprintf(Pearson[0], sizeof Pearson[0], "%.3f", S.Pearson.value());
    std::snprintf(Pearson[1], sizeof Pearson[1], "%.3f", S.Pearson.Least);
    T.row({Key.first, Key.second, std::to_string(S.Error.Count),
           percentText(S.Error.value()), percentText(S.ByTime.value()),
           percentText(S.Worst.Most), Pearson[0], Pearson[1]});
  }
  return "\npredicted against replayed task times, means over cells\n" +
         T.str();
}

std::string tunedText(const BenchData &D) {
  if (D.Tuned.empty())
    return "";
  Table T({"MACHINE", "POLICY", ">CELLS", ">DEFAULTS", ">FIXED", ">EACH BEST",
           "FIXED SETTINGS"});
  for (const BenchTuned &X : D.Tuned)
    T.row({X.Machine, X.Policy, std::to_string(X.Cells), percentText(X.Default),
           percentText(X.Fixed), percentText(X.Best), X.Settings});
  return "\nsettings of rivals, fixed once per machine (share of slow-only; "
         "means over cells)\n" +
         T.str();
}

} // namespace

std::string benchTables(const BenchData &D) {
  std::string Out =
      cellTable(D) + "\n" + policyTable(D) + oracleText(D) + amountText(D);
  for (const PaperTable &P : paperTables())
    Out += paperTableText(D, P);
  Out += tunedText(D);
  Out += predictionText(D);
  if (hasVariants(D)) {
    std::set<std::string> Shaky = winsThatDoNotHold(D);
    Out += "\nwins over first touch that do not hold in every variant: " +
           std::to_string(Shaky.size()) + "\n";
  }
  if (!D.Assumed.empty())
    Out += "\nassumed figures of machine files: " +
           std::to_string(D.Assumed.size()) +
           " (evenkeel machine show NAME lists them)\n";
  return Out;
}

} // namespace evenkeel::cli
