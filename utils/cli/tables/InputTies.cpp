//===- InputTies.cpp - what the command line says, as a table -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See InputTies.h.
//===----------------------------------------------------------------------===//
#include "InputTies.h"
#include "cli/common/Cli.h"
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using namespace evenkeel::cli;

static std::string valueText(const std::optional<double> &V) {
  if (!V)
    return "several";
  char Text[32];
  std::snprintf(Text, sizeof Text, "%.15g", *V);
  return Text;
}

static std::string tableOf(const std::vector<InputTie> &Ties) {
  Table T({"SYMBOL", "COMES FROM", ">BASE", ">TARGET", "WHY NOT"});
  for (const InputTie &X : Ties)
    T.row({X.Symbol->Name, X.From, valueText(X.Base),
           X.Target ? valueText(X.Target) : "-", X.Why});
  return "\nsizes that the input, or an earlier run, tells\n" + T.str();
}

std::string evenkeel::cli::inputsText(const std::vector<InputTie> &Ties,
                                      bool Verbose) {
  if (Ties.empty())
    return "";
  if (Verbose)
    return tableOf(Ties);
  // One example of each quantity.
  std::vector<const InputTie *> Known;
  for (const InputTie &X : Ties)
    if (X.Target && std::none_of(Known.begin(), Known.end(), [&](auto *Y) {
          return Y->From == X.From && Y->Target == X.Target;
        }))
      Known.push_back(&X);
  if (Known.empty())
    return "";
  constexpr size_t Most = 6;
  std::string Out = "\ntarget: ";
  for (size_t I = 0; I < Known.size() && I < Most; ++I)
    Out += (I ? "; " : "") + Known[I]->Symbol->Name + " = " +
           valueText(Known[I]->Target) + " (" + Known[I]->From + ")";
  if (Known.size() > Most)
    Out += "; " + std::to_string(Known.size() - Most) + " more (-v)";
  return Out + "\n";
}

nlohmann::json evenkeel::cli::inputsJson(const std::vector<InputTie> &Ties) {
  nlohmann::json Out = nlohmann::json::array();
  auto OrNull = [](const std::optional<double> &V) {
    return V ? nlohmann::json(*V) : nlohmann::json(nullptr);
  };
  for (const InputTie &X : Ties)
    Out.push_back({{"symbol", X.Symbol->Name},
                   {"from", X.From},
                   {"base", OrNull(X.Base)},
                   {"target", OrNull(X.Target)},
                   {"why", X.Why.empty() ? nlohmann::json(nullptr)
                                         : nlohmann::json(X.Why)}});
  return Out;
}
