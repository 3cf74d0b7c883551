//===- Counts.cpp - values of count expressions ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the value of a count expression in a task depends on: values of
// symbols for the whole target, of the task's phase, and who has which objects.
// Makes: these values, evaluated again only in tasks for which some of that
// changed since; a hook learns a few values, of a few phases.
// Leaves out: what they are used for (Work.cpp, Runs.cpp, Determined.cpp).
//===----------------------------------------------------------------------===//
#include "predict/Extrapolator.h"

using namespace evenkeel;

namespace evenkeel {
namespace extrapolation {

static const ExprRef &exprOf(const AccessFact &A, CountOf Which) {
  return Which == CountOf::Reads    ? A.Reads
         : Which == CountOf::Writes ? A.Writes
                                    : A.Run;
}

/// Symbols that a region's counts depend on, if only by what those scale with.
void Extrapolator::readDependences() {
  for (auto &[Region, Accesses] : AccessesIn) {
    std::vector<uint64_t> Next;
    auto Add = [&](const ExprRef &E) {
      if (E)
        for (uint64_t S : symbolsOf(*E))
          Next.push_back(S);
    };
    for (size_t I = 0; I < Accesses.size(); ++I) {
      PlaceOf[Accesses[I]] = I;
      for (CountOf Which : {CountOf::Reads, CountOf::Writes, CountOf::Run})
        Add(exprOf(*Accesses[I], Which));
    }
    std::set<uint64_t> Its;
    while (!Next.empty()) {
      const uint64_t S = Next.back();
      Next.pop_back();
      if (!Its.insert(S).second)
        continue;
      RegionsWith[S].insert(Region);
      if (const SymbolFact *Fact = F.symbol(S))
        Add(Fact->ScalesWith);
    }
  }
  for (uint32_t T = 0; T < B.Tasks.size(); ++T) {
    TasksIn[B.Tasks[T].region].push_back(T);
    TasksAt[B.Tasks[T].phase].push_back(T);
  }
  for (CountTable *Table : {&BaseCounts, &GivenCounts, &Counts})
    Table->Of.resize(B.Tasks.size());
  RatiosFrom.assign(B.Tasks.size(), 0);
}

/// Of tasks to which \p C matters.
void Extrapolator::forget(CountTable &Table, const Changes &C) {
  auto Forget = [&](uint32_t T) {
    Table.Of[T].clear();
    if (&Table == &Counts)
      RatiosFrom[T] = RatioTime;
  };
  ++RatioTime;
  if (C.All) {
    for (uint32_t T = 0; T < B.Tasks.size(); ++T)
      Forget(T);
    return;
  }
  std::set<uint64_t> Regions;
  for (uint64_t S : C.Symbols)
    if (auto In = RegionsWith.find(S); In != RegionsWith.end())
      Regions.insert(In->second.begin(), In->second.end());
  for (uint64_t Region : Regions)
    if (auto In = TasksIn.find(Region); In != TasksIn.end())
      for (uint32_t T : In->second)
        Forget(T);
  for (uint32_t H : C.Phases)
    if (auto At = TasksAt.find(H); At != TasksAt.end())
      for (uint32_t T : At->second)
        Forget(T);
}

void Extrapolator::forget(const Changes &C) {
  forget(GivenCounts, C);
  forget(Counts, C);
}

/// Values of the whole target that \p Table was evaluated with are others now.
void Extrapolator::refresh(CountTable &Table) {
  Changes C;
  C.All = Table.KnewTarget != knowsTarget();
  auto Compare = [&](const auto &Old, const auto &New) {
    for (const auto &[S, V] : New)
      if (auto It = Old.find(S); It == Old.end() || !(It->second == V))
        C.Symbols.insert(S);
    for (const auto &[S, V] : Old)
      if (!New.count(S))
        C.Symbols.insert(S);
  };
  Compare(Table.For, Target);
  Compare(Table.TotalOf, TotalOf);
  for (auto [S, Whole] : TotalOf)
    if (C.Symbols.count(Whole))
      C.Symbols.insert(S);
  if (!C.All && C.Symbols.empty())
    return;
  forget(Table, C);
  Table.KnewTarget = knowsTarget();
  Table.For = Target;
  Table.TotalOf = TotalOf;
}

template <typename EvaluatorT>
const Count &Extrapolator::countIn(CountTable &Table, const AccessFact &A,
                                   CountOf Which, uint32_t Task,
                                   EvaluatorT Evaluate) {
  std::vector<Count> &Its = Table.Of[Task];
  if (Its.empty())
    Its.resize(AccessesIn.at(B.Tasks[Task].region).size() * CountsOfAccess);
  Count &C = Its[PlaceOf.at(&A) * CountsOfAccess + unsigned(Which)];
  if (!C.Evaluated) {
    C.Evaluated = true;
    if (const ExprRef &E = exprOf(A, Which))
      C.V = Evaluate(*E, C.How);
  }
  return C;
}

std::optional<double> Extrapolator::baseCount(const AccessFact &A,
                                              CountOf Which, uint32_t Task,
                                              Trace *How) {
  const Count &C =
      countIn(BaseCounts, A, Which, Task, [&](const Expr &E, Trace &Its) {
        return evalBase(E, Task, Its);
      });
  if (How)
    How->add(C.How);
  return C.V;
}

std::optional<double> Extrapolator::targetCount(CountTable &Table,
                                                const AccessFact &A,
                                                CountOf Which, uint32_t Task,
                                                Trace &How) {
  auto Evaluate = [&](const Expr &E, Trace &Its) {
    return evalTarget(E, Task, Its);
  };
  // Whose objects they are is known of few.
  if (OfOwn) {
    const ExprRef &E = exprOf(A, Which);
    return E ? Evaluate(*E, How) : std::nullopt;
  }
  const Count &C = countIn(Table, A, Which, Task, Evaluate);
  How.add(C.How);
  return C.V;
}

} // namespace extrapolation
} // namespace evenkeel
