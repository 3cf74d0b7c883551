//===- seen_target.cpp - what runs leave in a workspace -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a run that was accepted is written and read with equal text, and what
// it says of a target, as its own run or as that of another input, holds.
//===----------------------------------------------------------------------===//
#include "Target.h"
#include "predict/symbols/SeenRuns.h"
#include <cmath>

using namespace evenkeel;
using namespace ekfuzz;

/// Each value that \p R hands over is a symbol of its own.
static Facts factsFor(const SeenRun &R) {
  Facts F;
  std::set<std::pair<uint64_t, uint64_t>> Done;
  for (const SeenRun::Value &V : R.Values) {
    if (!V.Region || !V.Variable || !Done.insert({V.Region, V.Variable}).second)
      continue;
    SymbolFact S;
    S.Id = Done.size();
    S.Name = "f:x" + std::to_string(S.Id);
    S.HandedAs = V.Variable;
    F.Symbols.push_back(S);
    F.Regions.push_back({V.Region, "parallel", "", "f"});
    AccessFact A;
    A.Region = V.Region;
    A.Reads = makeSymbol(S.Id);
    F.Accesses.push_back(A);
  }
  return F;
}

bool ekfuzz::runSeen(const std::string &Input) {
  Expected<SeenRun> R = readSeenRun(scratchFile("in", Input));
  if (!R) {
    checkError(R.message());
    return false;
  }
  const std::string Text = seenRunToJson(*R);
  Expected<SeenRun> Again = readSeenRun(scratchFile("out", Text));
  EK_HOLDS(bool(Again), "a written run is refused: " + Again.message());
  EK_HOLDS(seenRunToJson(*Again) == Text, "a run differs after a round trip");
  const Facts F = factsFor(*R);
  Profile Base;
  Base.Ran.Arguments = R->Command;
  const SeenTarget Own = seenOfTarget(F, Base, {*R, *R});
  for (const SeenSymbol &S : Own.Symbols)
    EK_HOLDS(S.Symbol && std::isfinite(S.Value) && S.Value >= 0,
             "a value that no count has");
  for (const PredictedInstance &I : Own.Sizes)
    EK_HOLDS(I.Bytes >= 0, "a size below zero");
  std::vector<Given> For;
  std::vector<KnownSymbol> Exact;
  EK_HOLDS(giveSeen(F, Own.Symbols, For, Exact).size() == Own.Symbols.size(),
           "a value is lost");
  std::vector<std::string> Target = R->Command;
  Target.back() += "0";
  for (const SeenSymbol &S :
       seenOfOthers(F, Base, Target, {{R->Command, true, {*R}}}, {}).Symbols)
    EK_HOLDS(std::isfinite(S.Value), "an endless value");
  return true;
}
