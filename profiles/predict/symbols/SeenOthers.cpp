//===- SeenOthers.cpp - what runs of other inputs say ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: two inputs are alike if their command lines differ in numbers only. A
// symbol is independent of an argument if alike inputs that differ in it agree
// on the symbol; it follows from an argument if one growth with it gives the
// symbol's value on all alike inputs, to the last digit. Where two such growths
// disagree on the target, nothing is known.
//===----------------------------------------------------------------------===//
#include "SeenPoints.h"
#include "SeenRuns.h"
#include "predict/base/Quantity.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace evenkeel;
using namespace evenkeel::seen;

namespace {

std::optional<double> numberIn(const std::string &Word) {
  char *End = nullptr;
  const double V = std::strtod(Word.c_str(), &End);
  if (Word.empty() || *End || !std::isfinite(V))
    return std::nullopt;
  return V;
}

/// One input: the numbers among its arguments (by index in the command), and
/// the values of its symbols.
struct Point {
  std::map<size_t, double> Numbers;
  std::map<uint64_t, double> Values;
};

/// Whether the commands differ in numbers only.
bool areAlike(const std::vector<std::string> &A,
              const std::vector<std::string> &B) {
  if (A.size() != B.size())
    return false;
  for (size_t I = 0; I < A.size(); ++I)
    if (A[I] != B[I] && (!numberIn(A[I]) || !numberIn(B[I])))
      return false;
  return true;
}

std::map<size_t, double> numbersOf(const std::vector<std::string> &Command) {
  std::map<size_t, double> Out;
  for (size_t I = 1; I < Command.size(); ++I)
    if (const std::optional<double> V = numberIn(Command[I]))
      Out[I] = *V;
  return Out;
}

/// The values on which all runs of \p In agree.
std::map<uint64_t, double> valuesOf(const SeenInput &In,
                                    const ValueNames &Names) {
  std::map<uint64_t, std::optional<double>> All;
  for (const SeenRun &R : In.Runs)
    for (const auto &[Symbol, Value] : Names.valuesIn(R)) {
      auto [It, New] = All.try_emplace(Symbol, Value);
      if (It->second != Value)
        It->second.reset();
    }
  std::map<uint64_t, double> Out;
  for (const auto &[Symbol, Value] : All)
    if (Value)
      Out[Symbol] = *Value;
  return Out;
}

/// constant + factor * x^power.
struct Growth {
  double Constant = 0, Factor = 0;
  unsigned Power = 0;

  double at(double X) const { return Constant + Factor * std::pow(X, Power); }
};

using Pairs = std::map<double, double>; // value by argument

bool gives(const Growth &G, const Pairs &Of) {
  return std::all_of(Of.begin(), Of.end(), [&](const auto &P) {
    return std::fabs(G.at(P.first) - P.second) <=
           1e-9 * std::max(1.0, std::fabs(P.second));
  });
}

/// The growths that give all of \p Of. Proportions need two inputs, others
/// three: one more than they have coefficients.
std::vector<Growth> growthsThrough(const Pairs &Of) {
  std::vector<Growth> Out;
  const auto [X0, Y0] = *Of.begin();
  const auto [X1, Y1] = *Of.rbegin();
  for (unsigned Power = 1; Power <= 3; ++Power) {
    const double T0 = std::pow(X0, Power), T1 = std::pow(X1, Power);
    if (Of.size() < 2 || T0 == T1)
      continue;
    Growth G{0, Y1 / T1, Power};
    if (T1 == 0 || !gives(G, Of)) {
      const double Factor = (Y1 - Y0) / (T1 - T0);
      G = {Y0 - Factor * T0, Factor, Power};
      if (Of.size() < 3 || !gives(G, Of))
        continue;
    }
    Out.push_back(G);
  }
  return Out;
}

std::string rangeText(const Pairs &Of) {
  char Text[80];
  std::snprintf(Text, sizeof Text, "%.6g to %.6g", Of.begin()->first,
                Of.rbegin()->first);
  return Text;
}

std::string formulaText(const Growth &G, size_t Argument) {
  char Factor[32], Constant[32];
  std::snprintf(Factor, sizeof Factor, "%.6g", G.Factor);
  std::snprintf(Constant, sizeof Constant, "%.6g", G.Constant);
  const std::string X = "argument " + std::to_string(Argument) +
                        (G.Power > 1 ? "^" + std::to_string(G.Power) : "");
  return (G.Constant != 0 ? Constant + std::string(" + ") : "") +
         (G.Factor != 1 ? Factor + std::string(" * ") : "") + X;
}

struct Said {
  double Value = 0;
  std::string From;
};

/// The value of \p Symbol for the numbers \p Target, by alike inputs. None:
/// they do not determine it. \p Torn is set if two growths disagree.
std::optional<Said> valueOn(const std::map<size_t, double> &Target,
                            const std::vector<const Point *> &Alike,
                            uint64_t Symbol, bool &Torn) {
  const double First = Alike[0]->Values.at(Symbol);
  const bool Equal =
      std::all_of(Alike.begin(), Alike.end(), [&](const Point *P) {
        return P->Values.at(Symbol) == First;
      });
  std::optional<Said> Out;
  bool Independent = Equal;
  for (const auto &[Argument, X] : Target) {
    Pairs Of;
    bool Single = true; // one value for each value of the argument
    for (const Point *P : Alike) {
      auto [It, New] =
          Of.try_emplace(P->Numbers.at(Argument), P->Values.at(Symbol));
      Single &= It->second == P->Values.at(Symbol);
    }
    const bool Varies = Of.size() > 1;
    // Nothing is known of an argument that was always the same, unless the
    // target has it, too.
    Independent &= Varies || Of.begin()->first == X;
    if (Equal || !Varies || !Single)
      continue;
    for (const Growth &G : growthsThrough(Of)) {
      const double Value = std::round(G.at(X));
      if (Out && Out->Value != Value) {
        Torn = true;
        return std::nullopt;
      }
      if (!Out)
        Out = Said{Value, formulaText(G, Argument) + ", as in " +
                              numberOf(Alike.size(), "other input") +
                              " (argument " + std::to_string(Argument) + ": " +
                              rangeText(Of) + ")"};
    }
  }
  if (Independent)
    return Said{First, "the same in " + numberOf(Alike.size(), "other input")};
  return Out;
}

} // namespace

SeenTarget evenkeel::seenOfOthers(const Facts &F, const Profile &Base,
                                  const std::vector<std::string> &Target,
                                  const std::vector<SeenInput> &Others,
                                  const std::set<uint64_t> &Known) {
  SeenTarget Out;
  const ValueNames Names(F);
  const std::map<uint64_t, BaseRange> Ranges = rangesIn(Base);
  std::vector<Point> Points;
  std::set<uint64_t> Symbols;
  for (const SeenInput &In : Others)
    if (In.NamesSameFiles && areAlike(In.Command, Target)) {
      Points.push_back({numbersOf(In.Command), valuesOf(In, Names)});
      for (const auto &Entry : Points.back().Values)
        Symbols.insert(Entry.first);
    }
  if (Points.empty())
    return Out;
  if (areAlike(Base.Ran.Arguments, Target)) {
    Points.push_back({numbersOf(Base.Ran.Arguments), {}});
    for (const auto &[Symbol, Range] : Ranges)
      if (Range.isOne())
        Points.back().Values[Symbol] = Range.Least;
  }
  const std::map<size_t, double> Numbers = numbersOf(Target);
  size_t Torn = 0;
  for (uint64_t Symbol : Symbols) {
    const SymbolFact &S = *F.symbol(Symbol);
    if (Known.count(Symbol) || isThreadCount(S.Name))
      continue;
    std::vector<const Point *> Alike;
    for (const Point &P : Points)
      if (P.Values.count(Symbol))
        Alike.push_back(&P);
    bool Disagree = false;
    const std::optional<Said> Its =
        Alike.size() < 2 ? std::nullopt
                         : valueOn(Numbers, Alike, Symbol, Disagree);
    Torn += Disagree;
    if (!Its || Its->Value < 0)
      continue;
    SeenSymbol X{&S, std::nullopt, std::nullopt, Its->Value, Its->From};
    if (const auto Old = Ranges.find(Symbol);
        Old != Ranges.end() && Old->second.isOne())
      X.Base = Old->second.Least;
    Out.Symbols.push_back(X);
  }
  if (Torn)
    Out.Notes.push_back("runs of other inputs fit several growths of " +
                        numberOf(Torn, "size") +
                        ", which disagree on this input: not used");
  return Out;
}
