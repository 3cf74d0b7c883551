//===- BenchReport.cpp - policies compared over many replays --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows, makes, leaves out: see BenchReport.h.
//===----------------------------------------------------------------------===//
#include "BenchReport.h"
#include "cli/common/Cli.h"
#include "simulator/Replay.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

using nlohmann::json;

namespace evenkeel::cli {

namespace {

/// They say what more or less memory would give and place nothing themselves.
bool isWhatIf(const std::string &Policy) {
  return Policy == "slow-only" || Policy == "fast-only";
}

/// The rows of one cell, by policy.
using Cell = std::map<std::string, const BenchRow *>;

std::vector<Cell> cellsOf(const BenchData &D, bool WithVariants) {
  std::vector<Cell> Out;
  const BenchRow *Last = nullptr;
  for (const BenchRow &R : D.Rows) {
    if (!R.Variant.empty() && !WithVariants)
      continue;
    if (!Last || !Last->sameCell(R))
      Out.emplace_back();
    Out.back()[R.Policy] = &R;
    Last = &R;
  }
  return Out;
}

double makespan(const Cell &C, const std::string &Policy) {
  auto At = C.find(Policy);
  return At == C.end() ? 0 : At->second->MakespanS;
}

struct Mean {
  double Sum = 0, Most = -1e300, Least = 1e300;
  unsigned Count = 0;
  void add(double V) {
    Sum += V;
    Most = std::max(Most, V);
    Least = std::min(Least, V);
    ++Count;
  }
  double value() const { return Count ? Sum / Count : 0; }
};

/// Makespan of \p Policy against \p Against in one cell, less 1.
std::optional<double> excess(const Cell &C, const std::string &Policy,
                             const std::string &Against) {
  double A = makespan(C, Policy), B = makespan(C, Against);
  if (A <= 0 || B <= 0)
    return std::nullopt;
  return A / B - 1;
}

std::vector<std::string> policiesOf(const BenchData &D) {
  std::vector<std::string> Out;
  for (const BenchRow &R : D.Rows)
    if (std::find(Out.begin(), Out.end(), R.Policy) == Out.end())
      Out.push_back(R.Policy);
  return Out;
}

bool inGroup(const Cell &C, const std::string &Group) {
  if (C.empty())
    return false;
  const std::vector<std::string> &G = C.begin()->second->Groups;
  return std::find(G.begin(), G.end(), Group) != G.end();
}

/// The conditions of a paper: workloads, machine, amount of fast memory.
struct PaperTable {
  const char *Key, *Group, *Machine, *Fast;
  std::vector<const char *> Rivals;
  bool Reduction; // time reduction (Tahoe) instead of improvement
};

const std::vector<PaperTable> &paperTables() {
  static const std::vector<PaperTable> Tables = {
      {"merchandiser_five",
       "merchandiser-five",
       "optane-6252n",
       "12.5%",
       {"slow-only", "memory-mode", "hot-page"},
       false},
      {"tahoe_seven",
       "tahoe-seven",
       "tahoe-quarter",
       "12.5%",
       {"oblivious", "x-mem", "unimem", "tahoe"},
       true}};
  return Tables;
}

/// Names of the papers for policies that have another name here.
std::string policyName(const std::string &Name) {
  return Name == "oblivious" ? "first-touch" : Name;
}

bool hasVariants(const BenchData &D) {
  for (const BenchRow &R : D.Rows)
    if (!R.Variant.empty())
      return true;
  return false;
}

std::string keyOf(const BenchRow &R) {
  return R.Workload + "/" + R.Target + "/" + R.Machine + "/" + R.Fast;
}

/// Ours against a rival, by cell without variant.
struct Wins {
  unsigned Cells = 0;         // in which both ran
  std::set<std::string> Won;  // faster on the machine as it is
  std::set<std::string> Lost; // of those, not in every variant of it
};

Wins winsOver(const BenchData &D, const std::string &Rival) {
  Wins Out;
  std::set<std::string> NotFaster;
  for (const Cell &C : cellsOf(D, true)) {
    auto Ours = C.find(OursName);
    auto E = excess(C, OursName, Rival);
    if (Ours == C.end() || !E)
      continue;
    std::string Key = keyOf(*Ours->second);
    if (Ours->second->Variant.empty()) {
      ++Out.Cells;
      if (*E < 0)
        Out.Won.insert(Key);
    } else if (*E >= 0) {
      NotFaster.insert(Key);
    }
  }
  std::set_intersection(Out.Won.begin(), Out.Won.end(), NotFaster.begin(),
                        NotFaster.end(),
                        std::inserter(Out.Lost, Out.Lost.end()));
  return Out;
}

std::set<std::string> winsThatDoNotHold(const BenchData &D) {
  return winsOver(D, "first-touch").Lost;
}

struct PaperRow {
  std::string Rival;
  Mean Gain, AcvReduction;
  Mean OracleGain, OracleAcvReduction; // the oracle's, in ours' place
  Mean LeastAcvReduction;     // of the smallest A.C.V. that the oracle found
  unsigned Won = 0, Held = 0; // cells; Held: in every variant, too
};

bool isOn(const BenchRow &R, const PaperTable &T) {
  return R.Machine == T.Machine && R.Fast == T.Fast;
}

std::vector<PaperRow> paperRows(const BenchData &D, const PaperTable &T) {
  std::vector<PaperRow> Out;
  for (const char *Rival : T.Rivals) {
    PaperRow Row;
    Row.Rival = Rival;
    const Wins W = winsOver(D, policyName(Rival));
    for (const Cell &C : cellsOf(D, false)) {
      std::string Name = policyName(Rival);
      auto Ours = C.find(OursName), Theirs = C.find(Name);
      if (!inGroup(C, T.Group) || Ours == C.end() || Theirs == C.end() ||
          !isOn(*Ours->second, T))
        continue;
      const double B = Theirs->second->MakespanS;
      auto Gain = [&](Mean &M, double A) {
        if (A > 0 && B > 0)
          M.add(T.Reduction ? 1 - A / B : B / A - 1);
      };
      Gain(Row.Gain, Ours->second->MakespanS);
      auto Oracle = C.find("oracle");
      if (Oracle != C.end())
        Gain(Row.OracleGain, Oracle->second->MakespanS);
      Row.Won += W.Won.count(keyOf(*Ours->second));
      Row.Held += W.Won.count(keyOf(*Ours->second)) &&
                  !W.Lost.count(keyOf(*Ours->second));
      if (Theirs->second->Acv > 0)
        Row.AcvReduction.add(1 - Ours->second->Acv / Theirs->second->Acv);
      if (Theirs->second->Acv > 0 && Oracle != C.end())
        Row.OracleAcvReduction.add(1 -
                                   Oracle->second->Acv / Theirs->second->Acv);
      if (Theirs->second->Acv > 0 && Oracle != C.end() &&
          Oracle->second->LeastAcv > 0)
        Row.LeastAcvReduction.add(1 - Oracle->second->LeastAcv /
                                          Theirs->second->Acv);
    }
    if (Row.Gain.Count)
      Out.push_back(std::move(Row));
  }
  return Out;
}

struct PredictionSummary {
  Mean Error, ByTime, Worst, Pearson;
};

/// By policy and when the prediction was made.
std::map<std::pair<std::string, std::string>, PredictionSummary>
predictionsOf(const BenchData &D) {
  std::map<std::pair<std::string, std::string>, PredictionSummary> Out;
  for (const BenchPrediction &P : D.Predictions) {
    if (!P.Tasks)
      continue;
    PredictionSummary &S = Out[{P.When, P.Policy}];
    S.Error.add(P.MeanError);
    S.ByTime.add(P.MeanErrorByTime);
    S.Worst.add(P.WorstError);
    S.Pearson.add(P.Pearson);
  }
  return Out;
}

std::string signedPercent(double V) {
  char Buffer[32];
  std::snprintf(Buffer, sizeof Buffer, "%+.1f %%", 100 * V);
  return Buffer;
}

std::string plainPercent(double V) {
  char Buffer[32];
  std::snprintf(Buffer, sizeof Buffer, "%.1f %%", 100 * V);
  return Buffer;
}

/// Every cell: time per policy as a share of slow-only.
std::string cellTable(const BenchData &D) {
  std::vector<std::string> Policies = policiesOf(D);
  std::vector<std::string> Header = {"WORKLOAD", "TARGET", "MACHINE", ">FAST",
                                     ">SLOW-ONLY"};
  for (const std::string &P : Policies)
    if (P != "slow-only")
      Header.push_back(">" + P);
  Table T(Header);
  std::map<std::string, std::set<std::string>> Shaky; // by rival
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
        Text = Slow > 0 ? plainPercent(Time / Slow) : secondsText(Time);
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
    Out += std::string("!  ") + OursName +
           " is faster than this policy here, but not in every variant of the "
           "machine: not a win\n";
  return Out;
}

/// How far best placements are above what is proven, with and without
/// migration.
std::pair<Mean, Mean> boundGaps(const BenchData &D) {
  Mean Moving, Static;
  for (const BenchOracle &O : D.Oracles) {
    if (O.Bound > 0)
      Moving.add(O.Seconds / O.Bound - 1);
    if (O.StaticBound > 0)
      Static.add(O.StaticSeconds / O.StaticBound - 1);
  }
  return {Moving, Static};
}

/// Cells in which a policy was faster than the best placement found.
unsigned timesAboveOracle(const BenchData &D, const std::string &Policy) {
  unsigned N = 0;
  for (const Cell &C : cellsOf(D, false))
    if (auto E = excess(C, Policy, "oracle"); E && *E < -1e-9)
      ++N;
  return N;
}

std::string oracleText(const BenchData &D) {
  if (D.Oracles.empty())
    return "";
  auto [Moving, Static] = boundGaps(D);
  std::string Out =
      "oracle: best placement found is above the proven bound by " +
      plainPercent(Moving.value()) + " on average, at most " +
      plainPercent(Moving.Most) + "; without migration by " +
      plainPercent(Static.value()) + ", at most " + plainPercent(Static.Most) +
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
      ">MIGRATED",  std::string(">") + OursName + " WINS"};
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
    const bool Rival = P != OursName && W.Cells;
    std::vector<std::string> Row = {
        P,
        std::to_string(Acv.Count),
        Rank.Count ? RankText : "-",
        First.Count ? signedPercent(First.value()) : "-",
        First.Count ? signedPercent(First.Most) : "-",
        Oracle.Count ? signedPercent(Oracle.value()) : "-",
        Oracle.Count ? signedPercent(Oracle.Most) : "-",
        plainPercent(Acv.value()),
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

/// Ours with one amount of fast memory.
struct AmountSummary {
  Mean Gap, First;
  unsigned Cells = 0, Kept = 0; // first touch
  unsigned Worth = 0;           // the oracle gains more than WorthGain
  unsigned KeptThere = 0;
};

/// From here on keeping first touch is hiding behind it.
constexpr double WorthGain = 0.05;

/// By amount of fast memory, as a share of the peak.
std::map<double, AmountSummary> byAmount(const BenchData &D) {
  std::map<double, AmountSummary> Out;
  for (const Cell &C : cellsOf(D, false)) {
    auto Ours = C.find(OursName);
    auto First = excess(C, OursName, "first-touch");
    if (Ours == C.end() || !First)
      continue;
    AmountSummary &S = Out[Ours->second->FastShare];
    const bool Kept = Ours->second->KeptFirstTouch;
    ++S.Cells;
    S.First.add(*First);
    S.Kept += Kept;
    if (auto E = excess(C, OursName, "oracle"))
      S.Gap.add(*E);
    if (auto E = excess(C, "first-touch", "oracle"); E && *E > WorthGain) {
      ++S.Worth;
      S.KeptThere += Kept;
    }
  }
  return Out;
}

std::string amountText(const BenchData &D) {
  auto All = byAmount(D);
  if (All.empty())
    return "";
  Table T({">FAST", ">CELLS", ">BEHIND BEST FOUND", ">WORST",
           ">AGAINST FIRST TOUCH", ">WORST", ">KEPT FIRST TOUCH",
           ">KEPT WHERE 5 % CAN BE GAINED"});
  for (const auto &[Share, S] : All)
    T.row({plainPercent(Share), std::to_string(S.Cells),
           S.Gap.Count ? signedPercent(S.Gap.value()) : "-",
           S.Gap.Count ? signedPercent(S.Gap.Most) : "-",
           signedPercent(S.First.value()), signedPercent(S.First.Most),
           std::to_string(S.Kept),
           std::to_string(S.KeptThere) + " of " + std::to_string(S.Worth)});
  return std::string("\n") + OursName + " by amount of fast memory\n" + T.str();
}

/// Ours beside the smallest A.C.V. found at hardly more than the oracle's time.
std::string leastAcvText(const BenchData &D, const PaperTable &T) {
  Mean Ours, Least;
  for (const Cell &C : cellsOf(D, false)) {
    auto O = C.find("oracle"), Is = C.find(OursName);
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
                LeastAcvWithin, plainPercent(Least.value()).c_str(), OursName,
                plainPercent(Ours.value()).c_str());
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
  return std::string("\n") + OursName + " on " + P.Group + ", " + P.Machine +
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
           plainPercent(S.Error.value()), plainPercent(S.ByTime.value()),
           plainPercent(S.Worst.Most), Pearson[0], Pearson[1]});
  }
  return "\npredicted against replayed task times, means over cells\n" +
         T.str();
}

} // namespace

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

/// Ranks of the rows from \p First to before \p End, which are a cell's.
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
  // Slow-only's time, by cell.
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

static std::string tunedText(const BenchData &D) {
  if (D.Tuned.empty())
    return "";
  Table T({"MACHINE", "POLICY", ">CELLS", ">DEFAULTS", ">FIXED", ">EACH BEST",
           "FIXED SETTINGS"});
  for (const BenchTuned &X : D.Tuned)
    T.row({X.Machine, X.Policy, std::to_string(X.Cells),
           plainPercent(X.Default), plainPercent(X.Fixed), plainPercent(X.Best),
           X.Settings});
  return "\nsettings of rivals, fixed once per machine (share of slow-only; "
         "means over cells)\n" +
         T.str();
}

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
    if (auto E = excess(C, OursName, "oracle"))
      Oracle.add(*E);
    if (auto E = excess(C, OursName, "first-touch"))
      First.add(*E);
  }
  json S = {{"wins_that_do_not_hold", Shaky}};
  for (const std::string &P : policiesOf(D))
    if (Wins W = winsOver(D, P); P != OursName && W.Cells) {
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
    if (Key.second == OursName)
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
