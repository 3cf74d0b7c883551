//===- Given.cpp - what people say of the target --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: NAME=VALUE and NAME@TASK=VALUE; names may be short where that is
// unique, or where all that share one had the same value on the base input.
// Makes: values of the target (Values.cpp says what follows from them).
//===----------------------------------------------------------------------===//
#include "Extrapolator.h"
#include "planner/Quantity.h"
#include <cmath>
#include <cstdlib>
#include <set>

using namespace evenkeel;

Expected<Given> evenkeel::parseGiven(const std::string &Text) {
  Error Bad{"--for '" + Text + "': expected NAME=VALUE or NAME@TASK=VALUE"};
  // Names are source text and may hold '=' (as in "i<=n"): the last one counts.
  size_t Eq = Text.rfind('=');
  if (Eq == std::string::npos || Eq == 0 || Eq + 1 == Text.size())
    return Bad;
  Given G;
  G.Name = Text.substr(0, Eq);
  std::string Value = Text.substr(Eq + 1);
  char *End = nullptr;
  G.Value = std::strtod(Value.c_str(), &End);
  if (*End || !std::isfinite(G.Value))
    return Bad;
  size_t At = G.Name.rfind('@');
  if (At != std::string::npos) {
    std::string Task = G.Name.substr(At + 1);
    if (Task.empty() || Task.size() > 9 ||
        Task.find_first_not_of("0123456789") != std::string::npos || !At)
      return Bad;
    G.Task = static_cast<uint32_t>(std::strtoul(Task.c_str(), nullptr, 10));
    G.Name.resize(At);
  }
  return G;
}

namespace evenkeel {
namespace extrapolation {

MaybeError Extrapolator::readGiven() {
  uint32_t Widest = 0;
  for (const ek_raw_task &T : B.Tasks)
    Widest = std::max(Widest, T.index + 1);
  for (const Given &G : R.For) {
    if (G.Task && *G.Task >= Widest)
      return Error{"--for " + G.Name + "@" + std::to_string(*G.Task) +
                   ": the base profile has tasks 0 to " +
                   std::to_string(Widest - 1) +
                   "; for more threads say --threads"};
    std::vector<const SymbolFact *> Named;
    Expected<const SymbolFact *> S = F.symbolByName(G.Name);
    if (S) {
      // Two places can spell the same thing: all of them get the value.
      for (const SymbolFact &X : F.Symbols)
        if (X.Name == (*S)->Name)
          Named.push_back(&X);
    } else {
      // A short name that several functions use is fine as long as it meant
      // the same value in all of them.
      std::set<double> Values;
      for (const SymbolFact &X : F.Symbols)
        if (shortName(X.Name) == G.Name) {
          const BaseValues &V = Base[X.Id];
          if (!V.First)
            continue;
          Named.push_back(&X);
          Values.insert(V.OneValue ? *V.First : std::nan(""));
        }
      if (Named.empty() || Values.size() != 1 || std::isnan(*Values.begin()))
        return Error{"--for " + G.Name + ": " + S.message()};
    }
    for (const SymbolFact *X : Named) {
      std::string Short = shortName(X->Name);
      const BaseValues &V = Base[X->Id];
      if (isThreadCount(X->Name) && V.First && *V.First != G.Value)
        return Error{"--for " + G.Name +
                     ": the base profile was recorded "
                     "with another number of threads; say --threads"};
      if (G.Task)
        Target[X->Id].PerIndex[*G.Task] = G.Value;
      else
        Target[X->Id].Program = G.Value;
    }
  }
  FromUser = Target;
  return std::nullopt;
}

} // namespace extrapolation
} // namespace evenkeel
