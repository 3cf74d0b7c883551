//===- Tables.cpp - the base run, by phase, task, symbol, access ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Tables.h.
//===----------------------------------------------------------------------===//
#include "Tables.h"
#include <algorithm>
#include <numeric>

using namespace evenkeel;
using namespace evenkeel::prediction;

PhaseTable evenkeel::prediction::makePhaseTable(const Profile &B) {
  PhaseTable Out;
  Out.Like = B.Like;
  for (uint32_t H = uint32_t(Out.Like.size()); H < B.Phases.size(); ++H)
    Out.Like.push_back(H);
  Out.Times.assign(Out.Like.size(), 0);
  Out.LastLike.assign(Out.Like.size(), 0);
  for (uint32_t H = 0; H < Out.Like.size(); ++H) {
    ++Out.Times[Out.Like[H]];
    Out.LastLike[Out.Like[H]] = H;
  }
  Out.Explicit.resize(B.Phases.size());
  for (const ek_raw_task &T : B.Tasks)
    if (T.flags & 1)
      Out.Explicit[T.phase] = true;
  return Out;
}

TaskTable evenkeel::prediction::makeTaskTable(const Profile &B) {
  TaskTable Out;
  Out.Began.resize(B.Tasks.size());
  std::iota(Out.Began.begin(), Out.Began.end(), 0u);
  for (const ek_raw_part &X : B.Parts)
    Out.Began[X.task] = X.first;
  for (uint32_t T = 0; T < B.Tasks.size(); ++T) {
    const ek_raw_task &X = B.Tasks[T];
    if (!(X.flags & 1))
      Out.OfThread[{X.phase, X.index}] = T;
    Out.Place.push_back(
        Out.Began[T] == T && X.flags & 1 ? Out.Made[{X.phase, X.region}]++ : 0);
    Out.InRegion[X.region].push_back(T);
    Out.InPhase[X.phase].push_back(T);
  }
  Out.InOrder.resize(B.Tasks.size());
  std::iota(Out.InOrder.begin(), Out.InOrder.end(), 0u);
  std::sort(
      Out.InOrder.begin(), Out.InOrder.end(), [&](uint32_t X, uint32_t Y) {
        return std::pair(B.Tasks[X].phase, X) < std::pair(B.Tasks[Y].phase, Y);
      });
  return Out;
}

uint32_t evenkeel::prediction::rankOf(const Profile &B, uint32_t Task) {
  auto Next =
      std::upper_bound(B.Ranks.begin(), B.Ranks.end(), B.Tasks[Task].worker);
  return uint32_t(Next - B.Ranks.begin()) - 1;
}

bool evenkeel::prediction::isRankNumber(const Profile &B, const BaseValues &V) {
  if (V.PerRank.size() != B.Ranks.size() || B.Ranks.empty())
    return false;
  return std::all_of(V.PerRank.begin(), V.PerRank.end(),
                     [](auto &Of) { return Of.second == Of.first; });
}

/// See BaseValues::Differs.
static bool differsInTeam(const Profile &B, const BaseValues &V) {
  if (!V.PerRank.empty())
    return !isRankNumber(B, V);
  std::map<uint32_t, double> Of; // by phase
  for (auto [T, Value] : V.PerTask)
    if (!(B.Tasks[T].flags & 1) &&
        Of.emplace(B.Tasks[T].phase, Value).first->second != Value)
      return true;
  return false;
}

BaseSymbols evenkeel::prediction::makeBaseSymbols(const Facts &F,
                                                  const Profile &B) {
  BaseSymbols Out;
  for (const SymbolFact &S : F.Symbols)
    Out[S.Id].Fact = &S;
  for (const ek_raw_symbol &S : B.Symbols) {
    BaseValues &V = Out[S.symbol];
    V.Reported = true;
    if (!S.times)
      continue; // no task reached it
    // A measured symbol counts the iterations of a loop: its value in a task is
    // their sum over all executions of the loop there.
    const bool Sum = V.isMeasured();
    const double Value = Sum ? S.sum : static_cast<double>(S.first);
    if (S.task == EK_NO_TASK)
      V.Program = Value;
    else if (!B.Ranks.empty() && V.Fact && V.Fact->Scope == SymbolFact::Program)
      V.PerRank[rankOf(B, S.task)] = Value;
    else {
      V.PerTask[S.task] = Value;
      V.Indices.insert(B.Tasks[S.task].index);
    }
    if (!V.First)
      V.First = Value;
    else if (*V.First != Value)
      V.OneValue = false;
    if (!Sum && S.min != S.max)
      V.OneValue = false;
  }
  for (auto &[Id, V] : Out)
    V.Differs = differsInTeam(B, V);
  return Out;
}

const ExprRef &evenkeel::prediction::exprOf(const AccessFact &A,
                                            CountOf Which) {
  return Which == CountOf::Reads    ? A.Reads
         : Which == CountOf::Writes ? A.Writes
                                    : A.Run;
}

/// The symbols on which the counts of \p Accesses depend, directly or because a
/// symbol in them scales with them.
static std::set<uint64_t>
dependences(const Facts &F, const std::vector<const AccessFact *> &Accesses) {
  std::vector<uint64_t> Next;
  auto Add = [&](const ExprRef &E) {
    if (E)
      for (uint64_t S : symbolsOf(*E))
        Next.push_back(S);
  };
  for (const AccessFact *A : Accesses)
    for (CountOf Which : {CountOf::Reads, CountOf::Writes, CountOf::Run})
      Add(exprOf(*A, Which));
  std::set<uint64_t> Out;
  while (!Next.empty()) {
    const uint64_t S = Next.back();
    Next.pop_back();
    if (!Out.insert(S).second)
      continue;
    if (const SymbolFact *Fact = F.symbol(S))
      Add(Fact->ScalesWith);
  }
  return Out;
}

AccessTable evenkeel::prediction::makeAccessTable(const Facts &F) {
  AccessTable Out;
  for (const AccessFact &A : F.Accesses) {
    Out.PlaceOf[&A] = Out.In[A.Region].size();
    Out.In[A.Region].push_back(&A);
    for (uint64_t S : A.Sites)
      Out.Of[{A.Region, S}].push_back(&A);
  }
  for (const auto &[Region, Accesses] : Out.In)
    for (uint64_t S : dependences(F, Accesses))
      Out.RegionsWith[S].insert(Region);
  return Out;
}

BaseTables evenkeel::prediction::makeBaseTables(const Facts &F,
                                                const Profile &B,
                                                const Rules &Use) {
  PhaseTable Phases = makePhaseTable(B);
  BaseSymbols Symbols = makeBaseSymbols(F, B);
  PhaseKinds Kinds = makePhaseKinds(B, Phases, Symbols, Use);
  return {F,
          B,
          std::move(Phases),
          makeTaskTable(B),
          std::move(Symbols),
          makeAccessTable(F),
          std::move(Kinds)};
}
