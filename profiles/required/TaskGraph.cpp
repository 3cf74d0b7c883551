//===- TaskGraph.cpp - steps, their data, and who waits for whom ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TaskGraph.h.
//===----------------------------------------------------------------------===//
#include "TaskGraph.h"
#include "text/Units.h"
#include <algorithm>
#include <cmath>

namespace evenkeel::required {

uint32_t TaskGraph::step(std::string Name, double Seconds,
                         const std::vector<uint32_t> &Reads,
                         const std::vector<uint32_t> &Overwrites,
                         std::vector<uint32_t> Waits) {
  required::Step S{std::move(Name), Seconds, {}, std::move(Waits)};
  for (uint32_t D : Reads)
    S.Uses.push_back({D, true, false});
  for (uint32_t D : Overwrites) {
    auto Same = std::find_if(S.Uses.begin(), S.Uses.end(),
                             [&](const Use &U) { return U.Datum == D; });
    if (Same == S.Uses.end())
      S.Uses.push_back({D, false, true});
    else
      Same->Writes = true;
  }
  Steps.push_back(std::move(S));
  return uint32_t(Steps.size() - 1);
}

std::vector<std::vector<uint32_t>> TaskGraph::successors() const {
  std::vector<std::vector<uint32_t>> Out(Steps.size());
  for (uint32_t S = 0; S < Steps.size(); ++S)
    for (uint32_t P : Steps[S].Waits)
      Out[P].push_back(S);
  return Out;
}

uint64_t TaskGraph::bytesOf(uint32_t Step) const {
  uint64_t Sum = 0;
  for (const Use &U : Steps[Step].Uses)
    Sum += Data[U.Datum].Bytes;
  return Sum;
}

MaybeError checkGraph(const TaskGraph &G) {
  for (const Datum &D : G.Data)
    if (!D.Bytes)
      return Error{"datum '" + D.Name + "' has no bytes"};
  std::vector<uint32_t> LastUser(G.Data.size(), 0); // step + 1
  for (uint32_t S = 0; S < G.Steps.size(); ++S) {
    const Step &X = G.Steps[S];
    auto Bad = [&](const std::string &What) {
      return Error{"step '" + X.Name + "' " + What};
    };
    if (!std::isfinite(X.Seconds) || X.Seconds < 0)
      return Bad("has a time that is not a number >= 0");
    for (uint32_t P : X.Waits)
      if (P >= S)
        return Bad("waits for a step that is not before it");
    for (const Use &U : X.Uses) {
      if (U.Datum >= G.Data.size())
        return Bad("uses datum " + std::to_string(U.Datum) + " of " +
                   std::to_string(G.Data.size()));
      if (LastUser[U.Datum] == S + 1)
        return Bad("uses '" + G.Data[U.Datum].Name + "' twice");
      LastUser[U.Datum] = S + 1;
    }
  }
  return {};
}

MaybeError checkFits(const TaskGraph &G, uint64_t Capacity) {
  uint64_t Most = 0;
  uint32_t Which = 0;
  for (uint32_t S = 0; S < G.Steps.size(); ++S)
    if (uint64_t Bytes = G.bytesOf(S); Bytes > Most) {
      Most = Bytes;
      Which = S;
    }
  if (Most <= Capacity)
    return {};
  return Error{"task-too-large: " + G.Steps[Which].Name + " accesses " +
               bytesToText(Most) +
               ", which must be in fast memory while it "
               "runs, and there is " +
               bytesToText(Capacity) + "; give at least " +
               std::to_string(Most) + "B"};
}

} // namespace evenkeel::required
