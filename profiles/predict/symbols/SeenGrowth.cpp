//===- SeenGrowth.cpp - growth in the phases seen -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: values in single phases of the target.
// Makes: their ratio to the base values, if it is the same in all of these
// phases; later phases are assumed to have that growth.
//===----------------------------------------------------------------------===//
#include "SymbolValues.h"
#include <cmath>

using namespace evenkeel;
using namespace evenkeel::prediction;

std::optional<double>
evenkeel::prediction::seenGrowth(const BaseTables &Base, uint64_t Symbol,
                                 const std::map<uint32_t, double> &Seen) {
  auto It = Base.Symbols.find(Symbol);
  if (It == Base.Symbols.end())
    return std::nullopt;
  std::optional<double> Out;
  for (auto [T, Old] : It->second.PerTask) {
    auto New = Seen.find(Base.B.Tasks[T].phase);
    if (New == Seen.end())
      continue;
    if (Old == 0 && New->second == 0)
      continue; // says nothing
    if (Old == 0 || (Out && std::fabs(New->second / Old - *Out) > 1e-9 * *Out))
      return std::nullopt;
    Out = New->second / Old;
  }
  return Out;
}
