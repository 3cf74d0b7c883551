//===- Inputs.cpp - symbols whose values the input tells ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Inputs.h.
//===----------------------------------------------------------------------===//
#include "Inputs.h"
#include "CommandLineTexts.h"
#include "predict/base/Quantity.h"
#include <cmath>
#include <map>
#include <set>
#include <sys/stat.h>

using namespace evenkeel;

namespace {

/// Values of inputs on one command line.
class InputValues {
  const std::map<uint64_t, const InputFact *> &Rows;
  const CommandLine &C;
  std::map<uint64_t, double> Stated; // by input
  std::set<uint64_t> Open;           // a row of a damaged file may contain
                                     // itself
  std::optional<std::string> textOf(const InputFact &I) {
    if (!I.Of.empty() && I.Of[0]->K == Expr::Symbol)
      if (auto It = Rows.find(I.Of[0]->Sym); It != Rows.end())
        return textOnCommandLine(*It->second, C);
    return I.Name.empty() ? std::nullopt : std::optional(I.Name);
  }

  /// Whether \p E is a number in a file that the command names; what such files
  /// contain is not read here.
  bool isInFile(const Expr &E) {
    const auto It = E.K == Expr::Symbol ? Rows.find(E.Sym) : Rows.end();
    return It != Rows.end() && It->second->Kind == "file" &&
           !Stated.count(E.Sym) && textOf(*It->second);
  }

  std::optional<double> ofRow(const InputFact &I) {
    if (I.Kind == "count")
      return C.known() ? std::optional(double(C.Arguments.size()))
                       : std::nullopt;
    if (I.Kind == "first")
      return firstOf(I, 0);
    if (I.Kind == "file-size") {
      struct stat S;
      const std::optional<std::string> Path = textOf(I);
      return Path && !::stat(Path->c_str(), &S) && S_ISREG(S.st_mode)
                 ? std::optional(double(S.st_size))
                 : std::nullopt;
    }
    const std::optional<std::string> Text = textOnCommandLine(I, C);
    return Text ? numberIn(I, *Text) : std::nullopt;
  }

public:
  InputValues(const std::map<uint64_t, const InputFact *> &Rows,
              const CommandLine &C)
      : Rows(Rows), C(C) {}

  void state(uint64_t Input, double Value) { Stated[Input] = Value; }

  /// The first value of the choices of \p I, without the first \p Skipped.
  std::optional<double> firstOf(const InputFact &I, size_t Skipped) {
    // Without a command line, it is not known that an argument is missing.
    for (size_t K = Skipped; K < I.Of.size() && !isInFile(*I.Of[K]); ++K)
      if (C.known() || I.Of[K]->K != Expr::Const)
        if (std::optional<double> V = of(*I.Of[K]))
          return V;
    return std::nullopt;
  }

  std::optional<double> of(const Expr &E) {
    EvalContext Context;
    Context.Lookup = [&](uint64_t Id) -> std::optional<double> {
      if (auto It = Stated.find(Id); It != Stated.end())
        return It->second;
      auto It = Rows.find(Id);
      if (It == Rows.end() || !Open.insert(Id).second)
        return std::nullopt;
      const std::optional<double> V = ofRow(*It->second);
      Open.erase(Id);
      return V;
    };
    return valueOf(E, Context);
  }
};

} // namespace

static const InputFact *rowOf(const Facts &F, uint64_t Id) {
  for (const InputFact &I : F.Inputs)
    if (I.Id == Id)
      return &I;
  return nullptr;
}

/// Rows of a damaged file may contain themselves.
static constexpr unsigned DeepestRows = 8;

static std::string textOf(const Facts &F, const Expr &E, unsigned Depth = 0);

/// "argument 1", "option -n/--size".
static std::string wordsFor(const Facts &F, const InputFact &I,
                            unsigned Depth) {
  auto File = [&] {
    return I.Of.empty() ? "'" + I.Name + "'"
                        : "the file of " + textOf(F, *I.Of[0], Depth + 1);
  };
  if (Depth > DeepestRows)
    return "?";
  if (I.Convert.compare(0, 6, "equals") == 0) {
    InputFact Text = I;
    Text.Convert.clear();
    return "(" + wordsFor(F, Text, Depth + 1) + " is '" + I.Format + "')";
  }
  if (I.Kind == "option") {
    std::string Names;
    for (const std::string &Name : I.Names)
      Names += (Names.empty() ? "" : "/") + Name;
    return "option " + Names;
  }
  if (I.Kind == "count")
    return "the number of arguments";
  if (I.Kind == "environment")
    return "variable " + I.Name;
  if (I.Kind == "file")
    return "a number in " + File();
  if (I.Kind == "file-size")
    return "the size of " + File();
  if (I.Kind == "first") {
    std::string Out;
    for (const ExprRef &E : I.Of)
      Out += (Out.empty() ? "" : ", else ") + textOf(F, *E, Depth + 1);
    return I.Of.size() > 1 ? "(" + Out + ")" : Out;
  }
  return I.Kind + " " + std::to_string(I.Index);
}

static std::string textOf(const Facts &F, const Expr &E, unsigned Depth) {
  return exprToText(E, [&](uint64_t Id) {
    const InputFact *I = rowOf(F, Id);
    return I ? wordsFor(F, *I, Depth) : std::string("?");
  });
}

/// The place of the first input in \p E that has one; "": none.
static std::string placeOf(const Facts &F, const Expr &E, unsigned Depth = 0) {
  for (uint64_t Id : symbolsOf(E))
    if (const InputFact *I = rowOf(F, Id); I && Depth <= DeepestRows) {
      if (!I->At.empty())
        return I->At.substr(0, I->At.rfind(':'));
      for (const ExprRef &Of : I->Of)
        if (std::string At = placeOf(F, *Of, Depth + 1); !At.empty())
          return At;
    }
  return "";
}

static std::string comesFrom(const Facts &F, const Expr &E) {
  std::string Text = textOf(F, E);
  if (E.K == Expr::Symbol && Text.size() > 2 && Text.front() == '(')
    Text = Text.substr(1, Text.size() - 2);
  const std::string At = placeOf(F, E);
  return At.empty() ? Text : Text + ", " + At;
}

static bool isSame(double X, double Y) {
  return std::fabs(X - Y) <= 1e-9 * std::fabs(Y);
}

/// Which choices of \p E, if it is one, the program did not use in the base
/// run, where it got \p Recorded: the code that would say so depends on more
/// than whether an argument is there. nullopt: no choices explain the value.
static std::optional<size_t> choicesLeftOut(const Facts &F, const Expr &E,
                                            InputValues &Was, double Recorded) {
  const std::optional<double> All = Was.of(E);
  if (All && isSame(std::floor(*All), Recorded))
    return 0;
  const InputFact *I = E.K == Expr::Symbol ? rowOf(F, E.Sym) : nullptr;
  if (I && I->Kind == "first")
    for (size_t Out = 1; Out < I->Of.size(); ++Out)
      if (I->Of[Out]->K != Expr::Const)
        if (std::optional<double> V = Was.firstOf(*I, Out);
            V && isSame(std::floor(*V), Recorded))
          return Out;
  return std::nullopt;
}

/// Values that people gave for the whole program, by symbol.
static std::map<uint64_t, double> valuesGiven(const Facts &F,
                                              const std::vector<Given> &For) {
  std::map<uint64_t, double> Out;
  for (const Given &G : For) {
    Expected<const SymbolFact *> S = F.symbolByName(G.Name);
    for (const SymbolFact &X : F.Symbols)
      if (S ? X.Name == (*S)->Name : shortName(X.Name) == G.Name)
        Out[X.Id] = G.Task ? std::nan("") : G.Value;
  }
  return Out;
}

/// The value of each symbol in the base run; none: it had several.
static std::map<uint64_t, std::optional<double>>
recordedValues(const Profile &Base) {
  std::map<uint64_t, std::optional<double>> Out;
  for (const ek_raw_symbol &S : Base.Symbols) {
    const auto V = double(S.first);
    auto [It, New] = Out.try_emplace(S.symbol, V);
    if (It->second && (S.min != S.max || *It->second != V))
      It->second = std::nullopt;
  }
  return Out;
}

/// Gives \p T, which agrees with the base run, its value on the target.
static void valueOnTarget(const Facts &F, InputValues &Is, size_t LeftOut,
                          InputTie &T) {
  const Expr &E = *T.Symbol->Input;
  const std::optional<double> V =
      LeftOut ? Is.firstOf(*rowOf(F, E.Sym), LeftOut) : Is.of(E);
  if (!V)
    T.Why = "input-not-readable";
  else if (*V < 0 && *T.Base >= 0)
    T.Why = "input-not-a-count";
  else
    T.Target = std::floor(*V);
}

std::vector<InputTie> evenkeel::tiesToInput(const Facts &F, const Profile &Base,
                                            const CommandLine &Target,
                                            const std::vector<Given> &For) {
  std::map<uint64_t, const InputFact *> Rows;
  for (const InputFact &I : F.Inputs)
    Rows[I.Id] = &I;
  const auto Recorded = recordedValues(Base);
  InputValues Was(Rows, Base.Ran), Is(Rows, Target);
  const std::map<uint64_t, double> ByHand = valuesGiven(F, For);
  std::vector<InputTie> Out;
  std::vector<size_t> LeftOut; // by tie
  for (const SymbolFact &S : F.Symbols) {
    auto Own = Recorded.find(S.Id);
    if (!S.Input || Own == Recorded.end())
      continue;
    InputTie T;
    T.Symbol = &S;
    T.From = comesFrom(F, *S.Input);
    T.Base = Own->second;
    std::optional<size_t> Choices = 0;
    if (!Base.Ran.known())
      T.Why = "base-arguments-unknown";
    else if (!T.Base)
      T.Why = "several-base-values";
    else if (!(Choices = choicesLeftOut(F, *S.Input, Was, *T.Base)))
      T.Why = Was.of(*S.Input) ? "argument-disagrees" : "input-not-readable";
    // A value given by hand holds for the input that the symbol is.
    auto Hand = ByHand.find(S.Id);
    if (T.Why.empty() && Hand != ByHand.end() && S.Input->K == Expr::Symbol &&
        !std::isnan(Hand->second))
      Is.state(S.Input->Sym, Hand->second);
    Out.push_back(std::move(T));
    LeftOut.push_back(Choices.value_or(0));
  }
  for (size_t K = 0; K < Out.size(); ++K) {
    InputTie &T = Out[K];
    auto Hand = ByHand.find(T.Symbol->Id);
    if (Hand != ByHand.end()) {
      T.Why.clear();
      if (!std::isnan(Hand->second))
        T.Target = Hand->second;
    } else if (T.Why.empty()) {
      valueOnTarget(F, Is, LeftOut[K], T);
    }
  }
  return Out;
}

std::vector<Given> evenkeel::givenByInput(const Facts &F,
                                          const std::vector<InputTie> &Ties,
                                          const std::vector<Given> &For) {
  const std::map<uint64_t, double> ByHand = valuesGiven(F, For);
  std::vector<Given> Out;
  for (const InputTie &T : Ties)
    if (T.Target && !ByHand.count(T.Symbol->Id))
      Out.push_back({T.Symbol->Name, std::nullopt, *T.Target});
  return Out;
}

std::vector<std::string> evenkeel::variablesOf(const Facts &F) {
  std::set<std::string> Names;
  for (const InputFact &I : F.Inputs)
    if (I.Kind == "environment")
      Names.insert(I.Name);
  return {Names.begin(), Names.end()};
}
