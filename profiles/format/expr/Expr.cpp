//===- Expr.cpp - parse and print count expressions -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the JSON form of Expr.h.
// Makes: trees and text; errors name the part they come from.
// Not here: values (ExprValue.cpp) and simplification, which the analysis does.
//===----------------------------------------------------------------------===//
#include "Expr.h"
#include "format/Identity.h"
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using nlohmann::json;

namespace {

struct OpInfo {
  const char *Name;
  unsigned MinArgs, MaxArgs;
  Expr::Operator Code;
  const char *Meaning; // docs/reference/formulas.md shows it
};

constexpr unsigned Unbounded = ~0u;
const OpInfo Ops[] = {
    {"+", 1, Unbounded, Expr::Add, "sum of the arguments"},
    {"*", 1, Unbounded, Expr::Multiply, "product of the arguments"},
    {"-", 1, 2, Expr::Subtract, "difference; negation of a single argument"},
    {"max", 1, Unbounded, Expr::Max, "largest argument"},
    {"min", 1, Unbounded, Expr::Min, "smallest argument"},
    {"ceildiv", 2, 2, Expr::CeilDivide, "quotient, rounded up"},
    {"floordiv", 2, 2, Expr::FloorDivide, "quotient, rounded down"},
    {"share", 1, 2, Expr::Share,
     "share(n): number of n iterations that a task gets; share(n, c): if they "
     "are dealt out in chunks of c"},
    {"pow", 2, 2, Expr::Power, "pow(x, y): x to the power y"},
    {"ceillog", 2, 2, Expr::CeilLog,
     "ceillog(x, b): logarithm of x to the base b, rounded up"},
    {"evenly", 1, 1, Expr::Evenly, "the argument over the number of tasks"},
    {"sum", 2, 2, Expr::Sum, "sum(i < n: f): f added up for i from 0 to n - 1"},
    {"sharesum", 2, 3, Expr::ShareSum,
     "shown as share(i < n: f): f added up for those i that a task gets"},
    {"first", 1, 1, Expr::First,
     "first(n): number of the first of n iterations that a task gets"},
};

/// The analysis writes no deeper trees; the limit bounds recursion for bad
/// input.
constexpr unsigned MaxDepth = 256;

bool isSum(Expr::Operator Code) {
  return Code == Expr::Sum || Code == Expr::ShareSum;
}

const OpInfo *findOp(const std::string &Name) {
  for (const OpInfo &O : Ops)
    if (Name == O.Name)
      return &O;
  return nullptr;
}

/// \p Sums: number of sums whose body contains \p J.
Expected<ExprRef> parse(const json &J, unsigned Depth, unsigned Sums) {
  if (Depth > MaxDepth)
    return Error{"expression nested deeper than " + std::to_string(MaxDepth)};
  if (!J.is_object())
    return Error{"expression must be an object with 'const', 'sym', 'index' "
                 "or 'op'"};
  if (auto It = J.find("const"); It != J.end()) {
    if (!It->is_number())
      return Error{"expression: 'const' must be a number"};
    return makeConst(It->get<double>());
  }
  if (auto It = J.find("sym"); It != J.end()) {
    uint64_t Id = It->is_string() ? idFromString(It->get<std::string>()) : 0;
    if (!Id)
      return Error{"expression: 'sym' must be an id of 16 hex digits"};
    return makeSymbol(Id);
  }
  if (auto It = J.find("index"); It != J.end()) {
    if (!It->is_number_unsigned() || It->get<uint64_t>() >= Sums)
      return Error{"expression: 'index' must be that of a sum around it"};
    return makeIndex(It->get<unsigned>());
  }
  auto It = J.find("op");
  if (It == J.end() || !It->is_string())
    return Error{"expression must have 'const', 'sym', 'index' or 'op'"};
  std::string Name = It->get<std::string>();
  const OpInfo *O = findOp(Name);
  if (!O)
    return Error{"expression: unknown operator '" + Name + "'"};
  auto A = J.find("args");
  if (A == J.end() || !A->is_array() || A->size() < O->MinArgs ||
      A->size() > O->MaxArgs)
    return Error{"expression: wrong number of 'args' for operator '" + Name +
                 "'"};
  std::vector<ExprRef> Args;
  for (const json &E : *A) {
    bool Body = Args.size() == 1 && isSum(O->Code);
    Expected<ExprRef> Arg = parse(E, Depth + 1, Sums + Body);
    if (!Arg)
      return Arg.takeError();
    Args.push_back(*Arg);
  }
  return makeOp(std::move(Name), std::move(Args));
}

void collect(const Expr &E, std::vector<uint64_t> &Out) {
  if (E.K == Expr::Symbol)
    Out.push_back(E.Sym);
  for (const ExprRef &A : E.Args)
    collect(*A, Out);
}

std::string numberText(double V) {
  char Buffer[32];
  if (V == std::floor(V) && std::fabs(V) < 1e15)
    std::snprintf(Buffer, sizeof Buffer, "%.0f", V);
  else
    std::snprintf(Buffer, sizeof Buffer, "%.6g", V);
  return Buffer;
}

/// Whether it is written with a leading minus: -2, or -2*n.
bool isNegative(const Expr &E) {
  if (E.K == Expr::Const)
    return E.Value < 0;
  return E.K == Expr::Op && E.Name == "*" && E.Args.size() > 1 &&
         E.Args[0]->K == Expr::Const && E.Args[0]->Value < 0;
}

/// The part after the minus.
ExprRef behindMinus(const Expr &E) {
  if (E.K == Expr::Const)
    return makeConst(-E.Value);
  std::vector<ExprRef> Factors(E.Args.begin() + 1, E.Args.end());
  if (E.Args[0]->Value == -1)
    return Factors.size() == 1 ? Factors[0] : makeOp("*", std::move(Factors));
  Factors.insert(Factors.begin(), makeConst(-E.Args[0]->Value));
  return makeOp("*", std::move(Factors));
}

/// Binding strength: sums 1, products 2, everything else 3.
int precedence(const Expr &E) {
  if (isNegative(E))
    return 1;
  if (E.K != Expr::Op)
    return 3;
  if (E.Name == "+" || E.Name == "-")
    return 1;
  return E.Name == "*" ? 2 : 3;
}

} // namespace

ExprRef evenkeel::makeConst(double V) {
  auto E = std::make_shared<Expr>();
  E->K = Expr::Const;
  E->Value = V;
  return E;
}

ExprRef evenkeel::makeSymbol(uint64_t Id) {
  auto E = std::make_shared<Expr>();
  E->K = Expr::Symbol;
  E->Sym = Id;
  return E;
}

ExprRef evenkeel::makeIndex(unsigned Depth) {
  auto E = std::make_shared<Expr>();
  E->K = Expr::Index;
  E->Value = Depth;
  return E;
}

ExprRef evenkeel::makeOp(std::string Name, std::vector<ExprRef> Args) {
  auto E = std::make_shared<Expr>();
  E->K = Expr::Op;
  if (const OpInfo *O = findOp(Name))
    E->Code = O->Code;
  E->Name = std::move(Name);
  E->Args = std::move(Args);
  return E;
}

Expected<ExprRef> evenkeel::exprFromJson(const json &J) {
  return parse(J, 0, 0);
}

json evenkeel::exprToJson(const Expr &E) {
  switch (E.K) {
  case Expr::Const:
    // Whole numbers stay whole in the file: they are easier to read.
    if (E.Value == std::floor(E.Value) && std::fabs(E.Value) < 9.2e18)
      return {{"const", static_cast<int64_t>(E.Value)}};
    return {{"const", E.Value}};
  case Expr::Symbol:
    return {{"sym", idToString(E.Sym)}};
  case Expr::Index:
    return {{"index", static_cast<unsigned>(E.Value)}};
  case Expr::Op:
    break;
  }
  json Args = json::array();
  for (const ExprRef &A : E.Args)
    Args.push_back(exprToJson(*A));
  return {{"op", E.Name}, {"args", std::move(Args)}};
}

std::vector<uint64_t> evenkeel::symbolsOf(const Expr &E) {
  std::vector<uint64_t> Out;
  collect(E, Out);
  std::sort(Out.begin(), Out.end());
  Out.erase(std::unique(Out.begin(), Out.end()), Out.end());
  return Out;
}

/// \p Sums: number of sums whose body contains \p E.
static std::string textOf(const Expr &E,
                          const std::function<std::string(uint64_t)> &NameOf,
                          unsigned Sums) {
  // Names from the outermost sum inwards: i, j, k, then i3, i4, ...
  auto IndexName = [](unsigned Level) {
    return Level < 3 ? std::string(1, static_cast<char>('i' + Level))
                     : "i" + std::to_string(Level);
  };
  if (E.K == Expr::Const)
    return numberText(E.Value);
  if (E.K == Expr::Symbol) {
    std::string Name = NameOf ? NameOf(E.Sym) : std::string();
    return Name.empty() ? idToString(E.Sym) : Name;
  }
  if (E.K == Expr::Index)
    return IndexName(Sums - 1 - static_cast<unsigned>(E.Value));
  auto Bound = [&](const Expr &X, int Least) {
    std::string T = textOf(X, NameOf, Sums);
    return precedence(X) < Least ? "(" + T + ")" : T;
  };
  auto Text = [&](size_t I, int Least) { return Bound(*E.Args[I], Least); };
  std::string R;
  if (isNegative(E))
    return "-" + Bound(*behindMinus(E), 2);
  if (E.Name == "+") {
    std::vector<ExprRef> Terms = E.Args;
    // A term without a minus comes first, if there is one.
    auto First = std::find_if(Terms.begin(), Terms.end(),
                              [](auto &X) { return !isNegative(*X); });
    if (First != Terms.end())
      std::rotate(Terms.begin(), First, First + 1);
    for (const ExprRef &X : Terms)
      if (R.empty())
        R = Bound(*X, 1);
      else if (isNegative(*X))
        R += " - " + Bound(*behindMinus(*X), 2);
      else
        R += " + " + Bound(*X, 1);
    return R;
  }
  if (E.Name == "*") {
    for (size_t I = 0; I < E.Args.size(); ++I)
      R += (I ? "*" : "") + Text(I, 2);
    return R;
  }
  if (E.Name == "-" && E.Args.size() == 1)
    return "-" + Text(0, 2);
  if (E.Name == "-")
    return Text(0, 1) + " - " + Text(1, 2);
  if (isSum(E.Code))
    return (E.Code == Expr::Sum ? "sum(" : "share(") + IndexName(Sums) + " < " +
           Text(0, 0) + (E.Args.size() > 2 ? ", " + Text(2, 0) : "") + ": " +
           textOf(*E.Args[1], NameOf, Sums + 1) + ")";
  R = E.Name + "(";
  for (size_t I = 0; I < E.Args.size(); ++I)
    R += (I ? ", " : "") + Text(I, 0);
  return R + ")";
}

std::string
evenkeel::exprToText(const Expr &E,
                     const std::function<std::string(uint64_t)> &NameOf) {
  return textOf(E, NameOf, 0);
}
