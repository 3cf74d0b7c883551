//===- BenchSummary.cpp - means over the cells of a comparison ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See BenchSummary.h.
//===----------------------------------------------------------------------===//
#include "BenchSummary.h"
#include "format/plan/Plan.h"
#include <iterator>

namespace evenkeel::cli {

bool isWhatIf(const std::string &Policy) {
  return Policy == "slow-only" || Policy == "fast-only";
}

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

Wins winsOver(const BenchData &D, const std::string &Rival) {
  Wins Out;
  std::set<std::string> NotFaster;
  for (const Cell &C : cellsOf(D, true)) {
    auto Ours = C.find(OwnPlanner);
    auto E = excess(C, OwnPlanner, Rival);
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
      auto Ours = C.find(OwnPlanner), Theirs = C.find(Name);
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

unsigned timesAboveOracle(const BenchData &D, const std::string &Policy) {
  unsigned N = 0;
  for (const Cell &C : cellsOf(D, false))
    if (auto E = excess(C, Policy, "oracle"); E && *E < -1e-9)
      ++N;
  return N;
}

std::map<double, AmountSummary> byAmount(const BenchData &D) {
  std::map<double, AmountSummary> Out;
  for (const Cell &C : cellsOf(D, false)) {
    auto Ours = C.find(OwnPlanner);
    auto First = excess(C, OwnPlanner, "first-touch");
    if (Ours == C.end() || !First)
      continue;
    AmountSummary &S = Out[Ours->second->FastShare];
    const bool Kept = Ours->second->KeptFirstTouch;
    ++S.Cells;
    S.First.add(*First);
    S.Kept += Kept;
    if (auto E = excess(C, OwnPlanner, "oracle"))
      S.Gap.add(*E);
    if (auto E = excess(C, "first-touch", "oracle"); E && *E > WorthGain) {
      ++S.Worth;
      S.KeptThere += Kept;
    }
  }
  return Out;
}

} // namespace evenkeel::cli
