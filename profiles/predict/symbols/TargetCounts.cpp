//===- TargetCounts.cpp - count expressions on the target -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TargetCounts.h.
//===----------------------------------------------------------------------===//
#include "TargetCounts.h"
#include "Changes.h"
#include "Evaluate.h"

using namespace evenkeel;
using namespace evenkeel::prediction;

std::vector<uint32_t> TargetCounts::update(SymbolValues Now) {
  const Changes C = changesBetween(Base.Kinds, Values, Now);
  Values = std::move(Now);
  if (C.none())
    return {};
  std::vector<uint32_t> Touched = tasksTouched(Base, C);
  for (uint32_t T : Touched)
    Of[T].clear();
  return Touched;
}

std::optional<double> TargetCounts::at(const AccessFact &A, CountOf Which,
                                       uint32_t Task, Trace &How) const {
  const ExprRef &E = exprOf(A, Which);
  if (!E)
    return std::nullopt;
  std::vector<Memo> &Its = Of[Task];
  if (Its.empty())
    Its.resize(Base.Accesses.In.at(Base.B.Tasks[Task].region).size() *
               CountsOfAccess);
  Memo &C =
      Its[Base.Accesses.PlaceOf.at(&A) * CountsOfAccess + unsigned(Which)];
  if (!C.Evaluated) {
    C.Evaluated = true;
    C.V = evalTarget(Base, Values, *E, Task, C.How);
  }
  How.add(C.How);
  return C.V;
}
