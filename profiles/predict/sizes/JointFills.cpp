//===- JointFills.cpp - arrays filled by several accesses -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: several accesses of a region may together write an array once: inner
// rows in one loop, borders in others. The count of a condition that holds for
// all rows except the border's differs little between tasks.
// Makes: for each such fill, the loop total of which least is known: it equals
// the array's size minus the other accesses.
//===----------------------------------------------------------------------===//
#include "Fills.h"
#include "tuning/Tuning.h"
#include <algorithm>

using namespace evenkeel;
using namespace evenkeel::prediction;

/// The spread of a measured symbol's values, over their mean.
static double spreadOf(const BaseTables &Base, uint64_t Symbol) {
  double Sum = 0, Seen = 0;
  int64_t Least = 0, Most = 0;
  for (const ek_raw_symbol &S : Base.B.Symbols) {
    if (S.symbol != Symbol || !S.times)
      continue;
    Least = Seen > 0 ? std::min(Least, S.min) : S.min;
    Most = Seen > 0 ? std::max(Most, S.max) : S.max;
    const double Again = S.task == EK_NO_TASK ? 1 : Base.times(S.task);
    Sum += S.sum * Again;
    Seen += double(S.times) * Again;
  }
  return Sum > 0 ? double(Most - Least) * Seen / Sum : 0;
}

/// The access among \p All whose count is the measured symbol that differs most
/// from task to task; null: none differs by far the most.
static const AccessFact *
leastKnown(const BaseTables &Base, const std::vector<const AccessFact *> &All) {
  std::vector<std::pair<double, const AccessFact *>> Measured;
  for (const AccessFact *A : All) {
    if (A->Writes->K != Expr::Symbol)
      continue;
    const SymbolFact *S = Base.F.symbol(A->Writes->Sym);
    if (S && S->Kind == SymbolFact::Measured)
      Measured.emplace_back(spreadOf(Base, S->Id), A);
  }
  std::sort(Measured.rbegin(), Measured.rend());
  if (Measured.empty() ||
      (Measured.size() > 1 &&
       Measured[0].first < figures().JointFillApart * Measured[1].first))
    return nullptr;
  return Measured[0].second;
}

/// The joint fill by \p All, which write an array of \p Bytes.
static std::optional<JointFill>
jointFill(const BaseTables &Base, const std::vector<const AccessFact *> &All,
          double Bytes) {
  JointFill X;
  X.Of.Access = leastKnown(Base, All);
  if (!X.Of.Access)
    return std::nullopt;
  std::vector<ExprRef> Counts;
  for (const AccessFact *A : All) {
    Counts.push_back(A->Writes);
    if (A != X.Of.Access)
      X.Rest.push_back(A);
  }
  X.Symbol = X.Of.Access->Writes->Sym;
  X.Of.Tasks = wholeWalk(Base, *All[0], *makeOp("+", Counts), Bytes);
  if (!inOnePhase(Base.B, X.Of.Tasks))
    return std::nullopt;
  return X;
}

std::map<uint64_t, JointFill>
evenkeel::prediction::findJointFills(const BaseTables &Base,
                                     const FillsBySite &Fills) {
  std::map<uint64_t, JointFill> Out;
  const std::map<uint64_t, double> Bytes = bytesOfSingles(Base.B);
  std::map<AccessTable::Key, std::vector<const AccessFact *>> Writing;
  for (const AccessFact &A : Base.F.Accesses)
    if (A.Sites.size() == 1 && A.ElementBytes && A.Writes &&
        !(A.Writes->K == Expr::Const && A.Writes->Value == 0))
      Writing[{A.Region, A.Sites[0]}].push_back(&A);
  for (const auto &Entry : Writing) {
    const uint64_t Site = Entry.first.second;
    const std::vector<const AccessFact *> &All = Entry.second;
    auto It = Bytes.find(Site);
    if (All.size() < 2 || Fills.count(Site) || Out.count(Site) ||
        It == Bytes.end() ||
        std::any_of(All.begin(), All.end(), [&](const AccessFact *A) {
          return A->ElementBytes != All[0]->ElementBytes;
        }))
      continue;
    if (std::optional<JointFill> X = jointFill(Base, All, It->second))
      Out[Site] = std::move(*X);
  }
  return Out;
}
