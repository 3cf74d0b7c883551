//===- BaseCounts.cpp - count expressions on the base input ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See BaseCounts.h.
//===----------------------------------------------------------------------===//
#include "BaseCounts.h"
#include "Evaluate.h"

using namespace evenkeel;
using namespace evenkeel::prediction;

BaseCounts evenkeel::prediction::makeBaseCounts(const BaseTables &Base) {
  BaseCounts Out;
  Out.Of.resize(Base.B.Tasks.size());
  for (uint32_t T = 0; T < Base.B.Tasks.size(); ++T) {
    auto In = Base.Accesses.In.find(Base.B.Tasks[T].region);
    if (In == Base.Accesses.In.end())
      continue;
    Out.Of[T].reserve(In->second.size() * CountsOfAccess);
    for (const AccessFact *A : In->second)
      for (CountOf Which : {CountOf::Reads, CountOf::Writes, CountOf::Run}) {
        Count &C = Out.Of[T].emplace_back();
        if (const ExprRef &E = exprOf(*A, Which))
          C.V = evalBase(Base, *E, T, &C.How);
      }
  }
  return Out;
}
