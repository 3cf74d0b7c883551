//===- PlanAnswer.cpp - what a plan brings, and how sure that is ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PlanAnswer.h"
#include "SymbolNames.h"
#include <algorithm>
#include <cstdio>
#include <map>

using namespace evenkeel;
using namespace evenkeel::cli;

double evenkeel::cli::boundOfMakespan(const Plan &P) {
  double Seconds = 0, Bound = 0;
  for (const PlanPhase &H : P.Phases) {
    auto Last = std::max_element(H.Tasks.begin(), H.Tasks.end(),
                                 [](const PlanTask &A, const PlanTask &B) {
                                   return A.Seconds < B.Seconds;
                                 });
    if (Last == H.Tasks.end())
      continue;
    Seconds += Last->Seconds;
    Bound += Last->BoundSeconds;
  }
  return Seconds > 0 ? Bound / Seconds : 0;
}

std::string evenkeel::cli::answerText(const Plan &P, const Outlook &Ahead,
                                      size_t Phases) {
  std::string Text = "\npredicted makespan";
  if (Phases)
    Text += " of the first " + std::to_string(Phases) + " phases";
  Text += ": all slow " + secondsText(Ahead.AllSlow) + ", first touch " +
          secondsText(Ahead.FirstTouch) + ", plan " +
          secondsText(P.PredictedMakespan) + ", all fast " +
          secondsText(Ahead.AllFast) + "\n";
  if (P.KeepsFirstTouch)
    return Text +
           "gain: none; no placement is predicted to be faster than first "
           "touch, so the plan changes nothing\n";
  const double Within = boundOfMakespan(P);
  char Gain[160];
  std::snprintf(Gain, sizeof Gain,
                Within > 1
                    ? "gain: %.1f %% less time than first touch; a guess, as "
                      "times may be off by more than their own length\n"
                    : "gain: %.1f %% less time than first touch (nine in ten "
                      "task times are within %.0f %%)\n",
                100 * (1 - P.PredictedMakespan / Ahead.FirstTouch),
                std::max(1.0, 100 * Within));
  return Text + Gain;
}

std::string evenkeel::cli::nextText(const Plan &P, const std::string &File) {
  const std::string Run = "evenkeel run --plan " + File + " -- PROGRAM\n";
  return P.Ranks.empty()
             ? "next: " + Run
             : "next: mpirun -n " + std::to_string(P.Ranks.size()) + " " + Run;
}

/// Of objects that keep the base run's size, for want of a quantity.
static std::string keptSizes(const PlanInputs &In, const Problem &Pr) {
  if (In.For.empty())
    return "";
  struct Kept {
    double Bytes = 0;
    std::string Formula;
  };
  std::map<std::string, Kept> BySite;
  std::map<std::string, double> BySymbol;
  const auto Name = symbolNames(In.F);
  double Bytes = 0;
  for (const PredictedInstance &I : Pr.Instances) {
    const SiteFact *S = In.F.site(I.Site);
    if (!I.SizeUntold || !S || !S->Size)
      continue;
    Kept &K = BySite[S->At];
    K.Bytes += I.Bytes;
    Bytes += I.Bytes;
    K.Formula = exprToText(*S->Size, Name);
    for (uint64_t Symbol : symbolsOf(*S->Size))
      BySymbol[Name(Symbol)] += I.Bytes;
  }
  if (BySite.empty())
    return "";
  std::vector<std::pair<std::string, Kept>> Rows(BySite.begin(), BySite.end());
  std::sort(Rows.begin(), Rows.end(), [](const auto &A, const auto &B) {
    return A.second.Bytes != B.second.Bytes ? A.second.Bytes > B.second.Bytes
                                            : A.first < B.first;
  });
  constexpr size_t Most = 3;
  std::string Text = "objects of " + std::to_string(Rows.size()) +
                     (Rows.size() == 1 ? " site" : " sites") +
                     " are taken to be as large as in the base run, " +
                     bytesText(Bytes) + " in all: ";
  for (size_t I = 0; I < Rows.size() && I < Most; ++I)
    Text += (I ? ", " : "") + Rows[I].first + " (" + Rows[I].second.Formula +
            " bytes)";
  if (Rows.size() > Most)
    Text += " and " + std::to_string(Rows.size() - Most) + " more";
  const auto Heaviest = std::max_element(
      BySymbol.begin(), BySymbol.end(),
      [](const auto &A, const auto &B) { return A.second < B.second; });
  if (Heaviest != BySymbol.end())
    Text += "; if they grow, say --for '" + Heaviest->first + "=VALUE'";
  return Text;
}

/// Of caches that were simulated and are not those of \p M.
static std::string otherCaches(const Profile &Base, const Machine &M,
                               const std::string &Named) {
  const ek_raw_conf &C = Base.Config;
  if (!C.l2_bytes || Base.Mode == "counts")
    return "";
  // The recorder rounds a task's share up to whole sets.
  constexpr double Rounding = 0.05;
  auto Alike = [](double A, double B) {
    return A <= B * (1 + Rounding) && B <= A * (1 + Rounding);
  };
  if (Alike(C.l2_bytes, double(M.L2Bytes)) &&
      Alike(C.llc_share_bytes, double(M.llcSharePerCore())))
    return "";
  return "the base profile was recorded with the caches of another machine (" +
         bytesText(C.l2_bytes) + " and " + bytesText(C.llc_share_bytes) +
         " for each task; this one has " + bytesText(double(M.L2Bytes)) +
         " and " + bytesText(double(M.llcSharePerCore())) +
         "); record again with --machine " + Named;
}

std::vector<std::string> evenkeel::cli::doubts(const PlanInputs &In,
                                               const Problem &Pr,
                                               const Machine &M,
                                               const std::string &Named) {
  std::vector<std::string> All;
  for (std::string Text :
       {keptSizes(In, Pr), otherCaches(In.recorded(), M, Named)})
    if (!Text.empty())
      All.push_back(std::move(Text));
  return All;
}
