//===- Given.cpp - symbol values that the user states ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: NAME=VALUE and NAME@TASK=VALUE. Names may be shortened if they stay
// unique, or if all symbols of that name had the same value on the base input.
// Makes: values of the target (Values.cpp says what follows from them).
//===----------------------------------------------------------------------===//
#include "Given.h"
#include "SymbolValues.h"
#include "predict/base/Quantity.h"
#include <cmath>
#include <cstdio>
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

using namespace evenkeel::prediction;

/// Symbols are counts, sizes and positions of loops. Whether one may be
/// negative is judged by its value \p Old on the base input.
static MaybeError checkValue(const Given &G, const BaseValues &Old) {
  constexpr double Most = 9223372036854775807.0; // of a program's integers
  auto Refused = [&](const char *Why) {
    char Text[32];
    std::snprintf(Text, sizeof Text, "%.15g", G.Value);
    return Error{"--for " + G.Name + "=" + Text + ": " + Why};
  };
  if (G.Value != std::floor(G.Value))
    return Refused("a symbol is a whole number; say how many");
  if (std::fabs(G.Value) >= Most)
    return Refused("no program counts as far");
  if (G.Value < 0 && !(Old.First && *Old.First < 0))
    return Refused("it is not negative on the base input; say how many");
  return std::nullopt;
}

/// The place of an object that is not made by a single task and whose size
/// depends on \p Symbol, directly or by definitions; "": none.
static std::string sharedSizeOf(const Facts &F, const Profile &B,
                                uint64_t Symbol) {
  for (const ek_raw_inst &I : B.Instances) {
    const SiteFact *S = F.site(I.site);
    const ek_raw_phase &H =
        B.Phases[std::min<size_t>(I.alloc_phase, B.Phases.size() - 1)];
    if (!S || (H.kind == 1 && H.width > 1))
      continue;
    std::vector<ExprRef> Left = S->Sizes;
    Left.push_back(S->Size);
    for (const SiteFact::Caller &C : S->Contexts)
      Left.push_back(C.Size);
    for (std::set<uint64_t> Seen; !Left.empty();) {
      const ExprRef E = Left.back();
      Left.pop_back();
      if (!E)
        continue;
      for (uint64_t Id : symbolsOf(*E)) {
        if (Id == Symbol)
          return S->At;
        if (const SymbolFact *X = F.symbol(Id); X && Seen.insert(Id).second)
          Left.push_back(X->Value);
      }
    }
  }
  return "";
}

/// The symbols that \p Name names.
static Expected<std::vector<const SymbolFact *>>
symbolsNamed(const BaseTables &Base, const std::string &Name) {
  std::vector<const SymbolFact *> Named;
  Expected<const SymbolFact *> S = Base.F.symbolByName(Name);
  if (S) {
    // Two places may have the same spelling: all of them get the value.
    for (const SymbolFact &X : Base.F.Symbols)
      if (X.Name == (*S)->Name)
        Named.push_back(&X);
    return Named;
  }
  // A short name in several functions is accepted if it had the same value in
  // all of them.
  std::set<double> Values;
  for (const SymbolFact &X : Base.F.Symbols)
    if (shortName(X.Name) == Name) {
      const BaseValues &V = Base.Symbols.at(X.Id);
      if (!V.First)
        continue;
      Named.push_back(&X);
      Values.insert(V.OneValue ? *V.First : std::nan(""));
    }
  if (Named.empty() || Values.size() != 1 || std::isnan(*Values.begin()))
    return Error{"--for " + Name + ": " + S.message()};
  return Named;
}

/// The error in assigning \p G to \p X, which has the values \p To so far.
static MaybeError checkGiven(const BaseTables &Base, const Given &G,
                             const SymbolFact &X, const TargetValues *To) {
  const BaseValues &V = Base.Symbols.at(X.Id);
  if (isThreadCount(X.Name) && V.First && *V.First != G.Value)
    return Error{"--for " + G.Name +
                 ": the base profile was recorded "
                 "with another number of threads; say --threads"};
  if (MaybeError E = checkValue(G, V))
    return E;
  const std::string Task = G.Task ? "@" + std::to_string(*G.Task) : "";
  const std::string At =
      G.Task && Base.B.Ranks.empty() ? sharedSizeOf(Base.F, Base.B, X.Id) : "";
  if (!At.empty())
    return Error{"--for " + G.Name + Task + ": the object of " + At +
                 " has its size from it, one for all tasks; say --for " +
                 G.Name + "=VALUE"};
  if (To && (G.Task ? To->PerIndex.count(*G.Task) != 0 : bool(To->Program)))
    return Error{"--for " + G.Name + Task +
                 ": its value is given twice; say it once"};
  return std::nullopt;
}

Expected<ValuesBySymbol>
evenkeel::prediction::readGiven(const BaseTables &Base,
                                const std::vector<Given> &For) {
  ValuesBySymbol Out;
  uint32_t Widest = 0;
  for (const ek_raw_task &T : Base.B.Tasks)
    Widest = std::max(Widest, T.index + 1);
  for (const Given &G : For) {
    if (G.Task && *G.Task >= Widest)
      return Error{"--for " + G.Name + "@" + std::to_string(*G.Task) +
                   ": the base profile has tasks 0 to " +
                   std::to_string(Widest - 1) +
                   "; for more threads say --threads"};
    Expected<std::vector<const SymbolFact *>> Named =
        symbolsNamed(Base, G.Name);
    if (!Named)
      return Named.takeError();
    for (const SymbolFact *X : *Named) {
      auto It = Out.find(X->Id);
      if (MaybeError E =
              checkGiven(Base, G, *X, It == Out.end() ? nullptr : &It->second))
        return *E;
      TargetValues &To = Out[X->Id];
      if (G.Task)
        To.PerIndex[*G.Task] = G.Value;
      else
        To.Program = G.Value;
    }
  }
  return Out;
}
