//===- Fits.cpp - the growth of one quantity, by several inputs -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Fits.h.
//===----------------------------------------------------------------------===//
#include "Fits.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

using namespace evenkeel;
using namespace evenkeel::fits;

double Inputs::distanceTo(size_t I) const {
  double Most = 0;
  for (const Variable &V : Variables)
    Most = std::max(Most, std::fabs(std::log(V.Base[I] / V.Base[Nearest])));
  return Most;
}

double Inputs::distanceToTarget() const {
  double Most = 0;
  for (const Variable &V : Variables)
    Most = std::max(Most, std::fabs(std::log(V.Target / V.Base[Nearest])));
  return Most;
}

std::optional<double> Fit::at(double X) const {
  const std::optional<double> T = Of.at(X);
  return T ? std::optional<double>(Constant + Factor * *T) : std::nullopt;
}

double evenkeel::fits::growthTo(const Fit &F, const Inputs &In, size_t I) {
  const Variable &V = In.Variables[F.Variable];
  return *F.at(V.Base[I]) / *F.at(V.Base[In.Nearest]);
}

namespace {

/// The judgement of predictions for one series.
class Judge {
  const Series &S;
  const Inputs &In;

public:
  Judge(const Series &S, const Inputs &In) : S(S), In(In) {}

  /// The mean error, weighted by value, of \p Predict(member, input) over the
  /// recorded values of the inputs that \p Of accepts; none: it predicts
  /// nothing.
  template <typename PredictT, typename OfT>
  std::optional<double> error(PredictT Predict, OfT Of) const {
    double Sum = 0, Weight = 0;
    for (const Member &M : S.Members)
      for (size_t I = 0; I < In.count(); ++I) {
        if (!M.Recorded[I] || !Of(I))
          continue;
        const std::optional<double> V = Predict(M, I);
        if (!V)
          continue;
        const double True = *M.Recorded[I] + S.Least;
        Sum += std::fabs(std::log((*V + S.Least) / True)) * True;
        Weight += True;
      }
    return Weight > 0 ? std::optional<double>(Sum / Weight) : std::nullopt;
  }

  /// The sum over the members that have values on all inputs.
  std::vector<double> totals() const {
    std::vector<double> Out(In.count());
    for (const Member &M : S.Members)
      if (std::all_of(M.Recorded.begin(), M.Recorded.end(),
                      [](const auto &V) { return bool(V); }))
        for (size_t I = 0; I < Out.size(); ++I)
          Out[I] += *M.Recorded[I];
    return Out;
  }
};

struct Candidate {
  Fit Its;
  size_t Rank = 0; // of its term, the simplest first
  double Judged = 0, Times = 1;
};

/// The inputs' values of variable \p V as points, without input \p Without.
std::vector<std::pair<double, double>>
pointsOf(const Variable &V, Term T, const std::vector<double> &Totals,
         size_t Without) {
  std::vector<std::pair<double, double>> Out;
  for (size_t I = 0; I < Totals.size(); ++I)
    if (I != Without)
      Out.emplace_back(*T.at(V.Base[I]), Totals[I]);
  return Out;
}

class Search {
  const Inputs &In;
  const Judge Its;
  const std::vector<double> Totals;
  std::vector<Candidate> Found;

  /// Judges the fits \p Without(I), made without input I; each predicts I from
  /// the nearest other input.
  void add(const Fit &All, size_t Rank,
           const std::function<std::optional<Fit>(size_t)> &Without);
  size_t nearestTo(const Variable &V, size_t I) const;

public:
  Search(const Series &S, const Inputs &In)
      : In(In), Its(S, In), Totals(Its.totals()) {}
  std::vector<Candidate> run();
};

} // namespace

size_t Search::nearestTo(const Variable &V, size_t I) const {
  size_t Best = I ? 0 : 1;
  for (size_t K = 0; K < In.count(); ++K)
    if (K != I && std::fabs(std::log(V.Base[K] / V.Base[I])) <
                      std::fabs(std::log(V.Base[Best] / V.Base[I])))
      Best = K;
  return Best;
}

void Search::add(const Fit &All, size_t Rank,
                 const std::function<std::optional<Fit>(size_t)> &Without) {
  const Variable &V = In.Variables[All.Variable];
  std::vector<std::optional<double>> Growth(In.count());
  std::vector<size_t> From(In.count());
  for (size_t I = 0; I < In.count(); ++I) {
    const std::optional<Fit> F = Without(I);
    From[I] = nearestTo(V, I);
    if (!F)
      return;
    Growth[I] = *F->at(V.Base[I]) / *F->at(V.Base[From[I]]);
  }
  const std::optional<double> Error = Its.error(
      [&](const Member &M, size_t I) -> std::optional<double> {
        const auto &Start = M.Recorded[From[I]];
        return Start ? std::optional<double>(*Start * *Growth[I])
                     : std::nullopt;
      },
      [](size_t) { return true; });
  const std::optional<double> Old = All.at(V.Base[In.Nearest]),
                              New = All.at(V.Target);
  if (Error && Old && New && *Old > 0 && *New > 0)
    Found.push_back({All, Rank, *Error, *New / *Old});
}

std::vector<Candidate> Search::run() {
  const size_t None = In.count();
  const std::vector<Term> Terms = termsFor(In.count());
  for (size_t V = 0; V < In.Variables.size(); ++V) {
    const Variable &X = In.Variables[V];
    for (size_t K = 0; K < Terms.size(); ++K) {
      const Term &T = Terms[K];
      if (!T.at(X.Target) || !std::all_of(X.Base.begin(), X.Base.end(),
                                          [&](double B) { return T.at(B); }))
        continue;
      const Fit One{V, T, 0, 1};
      add(One, K, [&](size_t) { return One; });
      if (In.count() < 3 || (T.Power == 0 && !T.Logs))
        continue;
      auto Two = [&](size_t Without) -> std::optional<Fit> {
        const auto C = lineThrough(pointsOf(X, T, Totals, Without));
        return C ? std::optional<Fit>({V, T, C->first, C->second})
                 : std::nullopt;
      };
      if (const std::optional<Fit> All = Two(None);
          All && All->Constant > 0 && All->Factor > 0)
        add(*All, Terms.size() + K, Two);
    }
  }
  return std::move(Found);
}

std::optional<Choice> evenkeel::fits::chooseFit(const Series &S,
                                                const Inputs &In) {
  double Here = 0;
  for (const Member &M : S.Members)
    Here += M.Recorded[In.Nearest].value_or(0);
  if (Here < S.Least)
    return std::nullopt;
  const std::optional<double> OneBase = Judge(S, In).error(
      [](const Member &M, size_t I) { return M.Predicted[I]; },
      [&](size_t I) { return I != In.Nearest; });
  const std::vector<Candidate> All = Search(S, In).run();
  if (!OneBase || All.empty())
    return std::nullopt;
  double Least = HUGE_VAL;
  for (const Candidate &C : All)
    Least = std::min(Least, C.Judged);
  auto AsGood = [&](const Candidate &C) {
    return C.Judged <= Least + figures().FitTie;
  };
  // Of those that explain the base inputs about as well, the simplest.
  const Candidate &Best = *std::min_element(
      All.begin(), All.end(), [&](const Candidate &A, const Candidate &B) {
        return std::tuple(!AsGood(A), A.Rank, A.Judged) <
               std::tuple(!AsGood(B), B.Rank, B.Judged);
      });
  double Disagree = 0;
  for (const Candidate &C : All)
    if (AsGood(C))
      Disagree = std::max(Disagree, std::fabs(std::log(C.Times / Best.Times)));
  // Errors grow with the distance from the measured range.
  double Range = 0;
  for (size_t I = 0; I < In.count(); ++I)
    if (const double D = In.distanceTo(I); D > 0)
      Range = Range > 0 ? std::min(Range, D) : D;
  const double Far = Range > 0 ? In.distanceToTarget() / Range : 1;
  Choice Out;
  Out.Best = Best.Its;
  Out.Times = Best.Times;
  Out.Judged = Best.Judged;
  Out.Off = Best.Judged * Far + Disagree / 2;
  Out.OneBase = *OneBase;
  Out.OneOff = *OneBase * Far;
  // A fit that misses the base inputs themselves explains nothing.
  Out.IsBetter = Out.Judged <= figures().MostFitError &&
                 Out.Off + figures().FitMargin < Out.OneOff;
  return Out;
}
