//===- Formulas.cpp - formulas for another number of threads --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Formulas.h.
//===----------------------------------------------------------------------===//
#include "Formulas.h"
#include "predict/base/Quantity.h"
#include <algorithm>
#include <cmath>
#include <set>

using namespace evenkeel;
using namespace evenkeel::threads;

Formulas::Formulas(const Profile &B, const Facts &F, const Shares &By)
    : By(By) {
  for (const AccessFact &A : F.Accesses)
    for (uint64_t S : A.Sites)
      AccessesOf[{A.Region, S}].push_back(&A);
  std::set<uint64_t> Several;
  for (const ek_raw_symbol &S : B.Symbols) {
    const SymbolFact *Fact = F.symbol(S.symbol);
    if (!S.times || !Fact || Fact->Kind == SymbolFact::Measured)
      continue;
    auto [It, First] = Before.try_emplace(S.symbol, double(S.first));
    if (S.min != S.max || It->second != double(S.first) ||
        (Fact->Least && S.min < *Fact->Least))
      Several.insert(S.symbol);
  }
  for (uint64_t S : Several)
    Before.erase(S);
  Now = Before;
  for (const SymbolFact &S : F.Symbols)
    if (isThreadCount(S.Name))
      if (auto It = Now.find(S.Id); It != Now.end())
        It->second = By.New;
}

std::optional<double> Formulas::valueFor(const Expr &E, unsigned Task,
                                         bool OfNew) const {
  EvalContext C;
  C.Task = Task;
  C.Tasks = OfNew ? By.New : By.Old;
  C.Lookup = [&](uint64_t S) -> std::optional<double> {
    const std::map<uint64_t, double> &Of = OfNew ? Now : Before;
    auto It = Of.find(S);
    return It == Of.end() ? std::nullopt : std::optional(It->second);
  };
  std::optional<double> V = valueOf(E, C);
  return V && std::isfinite(*V) ? V : std::nullopt;
}

double Formulas::departure(const std::vector<const Expr *> &Es,
                           uint32_t U) const {
  double ByFormulas = 0, ByParts = 0;
  for (const Expr *E : Es) {
    std::optional<double> V = valueFor(*E, U, true);
    if (!V)
      return 1;
    ByFormulas += *V;
    for (uint32_t T = By.firstOf(U); T < By.endOf(U); ++T) {
      std::optional<double> W = valueFor(*E, T, false);
      if (!W)
        return 1;
      ByParts += *W * By.pieceOf(U, T).share();
    }
  }
  return ByFormulas > 0 && ByParts > 0 ? ByFormulas / ByParts : 1;
}

double Formulas::factorOf(uint64_t Region, uint64_t Site, uint32_t U) const {
  auto [It, First] = Factors.try_emplace({Region, Site, U}, 1.0);
  if (!First)
    return It->second;
  std::vector<const Expr *> Es;
  if (auto Its = AccessesOf.find({Region, Site}); Its != AccessesOf.end())
    for (const AccessFact *A : Its->second)
      for (const ExprRef &E : {A->Reads, A->Writes})
        if (E)
          Es.push_back(E.get());
  return It->second = departure(Es, U);
}

bool Formulas::walks(uint64_t Region, uint64_t Site) const {
  auto Its = AccessesOf.find({Region, Site});
  return Its != AccessesOf.end() &&
         std::all_of(Its->second.begin(), Its->second.end(),
                     [](const AccessFact *A) { return isInOrder(*A); });
}
