//===- Expr.cpp - parse, evaluate and print count expressions -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the JSON form and the arithmetic of Expr.h.
// Makes: values in double precision; errors name the part they come from.
// Leaves out: simplification (the analysis hands over what it wants kept).
//===----------------------------------------------------------------------===//
#include "Expr.h"
#include "Identity.h"
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
};

constexpr unsigned Unbounded = ~0u;
const OpInfo Ops[] = {
    {"+", 1, Unbounded, Expr::Add},        {"*", 1, Unbounded, Expr::Multiply},
    {"-", 1, 2, Expr::Subtract},           {"max", 1, Unbounded, Expr::Max},
    {"min", 1, Unbounded, Expr::Min},      {"ceildiv", 2, 2, Expr::CeilDivide},
    {"floordiv", 2, 2, Expr::FloorDivide}, {"share", 1, 1, Expr::Share},
};

/// A tree deeper than this is not something the analysis writes; refusing it
/// keeps recursion bounded on hostile input.
constexpr unsigned MaxDepth = 256;

const OpInfo *findOp(const std::string &Name) {
  for (const OpInfo &O : Ops)
    if (Name == O.Name)
      return &O;
  return nullptr;
}

Expected<ExprRef> parse(const json &J, unsigned Depth) {
  if (Depth > MaxDepth)
    return Error{"expression nested deeper than " + std::to_string(MaxDepth)};
  if (!J.is_object())
    return Error{"expression must be an object with 'const', 'sym' or 'op'"};
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
  auto It = J.find("op");
  if (It == J.end() || !It->is_string())
    return Error{"expression must have 'const', 'sym' or 'op'"};
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
    Expected<ExprRef> Arg = parse(E, Depth + 1);
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

/// Binding strength: sums 1, products 2, everything else 3.
int precedence(const Expr &E) {
  if (E.K != Expr::Op)
    return E.K == Expr::Const && E.Value < 0 ? 1 : 3;
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

ExprRef evenkeel::makeOp(std::string Name, std::vector<ExprRef> Args) {
  auto E = std::make_shared<Expr>();
  E->K = Expr::Op;
  if (const OpInfo *O = findOp(Name))
    E->Code = O->Code;
  E->Name = std::move(Name);
  E->Args = std::move(Args);
  return E;
}

Expected<ExprRef> evenkeel::exprFromJson(const json &J) { return parse(J, 0); }

json evenkeel::exprToJson(const Expr &E) {
  switch (E.K) {
  case Expr::Const:
    // Whole numbers stay whole in the file: easier to read, same value.
    if (E.Value == std::floor(E.Value) && std::fabs(E.Value) < 9.2e18)
      return {{"const", static_cast<int64_t>(E.Value)}};
    return {{"const", E.Value}};
  case Expr::Symbol:
    return {{"sym", idToString(E.Sym)}};
  case Expr::Op:
    break;
  }
  json Args = json::array();
  for (const ExprRef &A : E.Args)
    Args.push_back(exprToJson(*A));
  return {{"op", E.Name}, {"args", std::move(Args)}};
}

std::optional<double> evenkeel::valueOf(const Expr &E, const EvalContext &C,
                                        const Expr **Culprit) {
  auto Fails = [&](const Expr &At) -> std::optional<double> {
    if (Culprit)
      *Culprit = &At;
    return std::nullopt;
  };
  if (E.K == Expr::Const)
    return E.Value;
  if (E.K == Expr::Symbol) {
    std::optional<double> V = C.Lookup ? C.Lookup(E.Sym) : std::nullopt;
    return V ? V : Fails(E);
  }
  if (E.Code == Expr::Unknown || E.Args.empty())
    return Fails(E);
  std::optional<double> First = valueOf(*E.Args[0], C, Culprit);
  if (!First)
    return std::nullopt;
  double R = *First;
  if (E.Code == Expr::Share) {
    if (!C.Tasks)
      return Fails(E);
    // The static schedule of libomp without a chunk size: contiguous blocks,
    // the first N mod T threads get one iteration more.
    double N = std::max(0.0, std::floor(R)), T = C.Tasks;
    double Base = std::floor(N / T);
    return Base + (C.Task < N - Base * T ? 1 : 0);
  }
  if (E.Code == Expr::Subtract && E.Args.size() == 1)
    return -R;
  for (size_t I = 1; I < E.Args.size(); ++I) {
    std::optional<double> V = valueOf(*E.Args[I], C, Culprit);
    if (!V)
      return std::nullopt;
    switch (E.Code) {
    case Expr::Add:
      R += *V;
      break;
    case Expr::Multiply:
      R *= *V;
      break;
    case Expr::Subtract:
      R -= *V;
      break;
    case Expr::Max:
      R = std::max(R, *V);
      break;
    case Expr::Min:
      R = std::min(R, *V);
      break;
    case Expr::CeilDivide:
    case Expr::FloorDivide:
      if (*V == 0)
        return Fails(E);
      R = E.Code == Expr::CeilDivide ? std::ceil(R / *V) : std::floor(R / *V);
      break;
    case Expr::Share:
    case Expr::Unknown:
      return Fails(E);
    }
  }
  return R;
}

Expected<double> evenkeel::evaluate(const Expr &E, const EvalContext &C) {
  const Expr *Culprit = nullptr;
  if (std::optional<double> V = valueOf(E, C, &Culprit))
    return *V;
  if (Culprit->K == Expr::Symbol)
    return Error{"symbol " + idToString(Culprit->Sym) + " has no value"};
  if (Culprit->Code == Expr::Share)
    return Error{"share of a team without tasks"};
  if (Culprit->Code == Expr::CeilDivide || Culprit->Code == Expr::FloorDivide)
    return Error{"division by zero in '" + Culprit->Name + "'"};
  return Error{"expression: unknown operator '" + Culprit->Name + "'"};
}

std::vector<uint64_t> evenkeel::symbolsOf(const Expr &E) {
  std::vector<uint64_t> Out;
  collect(E, Out);
  std::sort(Out.begin(), Out.end());
  Out.erase(std::unique(Out.begin(), Out.end()), Out.end());
  return Out;
}

std::string
evenkeel::exprToText(const Expr &E,
                     const std::function<std::string(uint64_t)> &NameOf) {
  if (E.K == Expr::Const)
    return numberText(E.Value);
  if (E.K == Expr::Symbol) {
    std::string Name = NameOf ? NameOf(E.Sym) : std::string();
    return Name.empty() ? idToString(E.Sym) : Name;
  }
  auto Text = [&](size_t I, int Least) {
    std::string T = exprToText(*E.Args[I], NameOf);
    return precedence(*E.Args[I]) < Least ? "(" + T + ")" : T;
  };
  std::string R;
  if (E.Name == "+" || E.Name == "*") {
    int P = precedence(E);
    for (size_t I = 0; I < E.Args.size(); ++I) {
      if (I)
        R += E.Name == "+" ? " + " : "*";
      // A negative constant in a sum reads as a subtraction only if bracketed.
      R +=
          Text(I, I ? (P == 1 ? (E.Args[I]->K == Expr::Const ? 2 : 1) : 2) : P);
    }
    return R;
  }
  if (E.Name == "-" && E.Args.size() == 1)
    return "-" + Text(0, 2);
  if (E.Name == "-")
    return Text(0, 1) + " - " + Text(1, 2);
  R = E.Name + "(";
  for (size_t I = 0; I < E.Args.size(); ++I)
    R += (I ? ", " : "") + Text(I, 0);
  return R + ")";
}
