//===- Values.cpp - values of symbols, base and target --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a symbol of the target has, in this order: the value given for the
// task; the value given for the program; what follows from those (Definitions);
// the value given for a symbol of the same name and base value in another
// function, or for a loop total with the same base values in every task; for a
// loop total that adds up to a given quantity, its part of that; what
// `scales_with` says, if that depends on a value of the target; for a loop
// total of which that says nothing, the growth of another that it goes with;
// its base value if it is one value for the whole program; else none, and every
// expression that needs it is not usable.
// Leaves out: values that sizes tell (Sizes.cpp), totals that are equal to
// others or go with them (AlikeTotals.cpp).
//===----------------------------------------------------------------------===//
#include "predict/Extrapolator.h"
#include "predict/base/Quantity.h"
#include <algorithm>
#include <cmath>
#include <set>

using namespace evenkeel;

namespace evenkeel {
namespace extrapolation {

void Extrapolator::readBase() {
  for (const SymbolFact &S : F.Symbols)
    Base[S.Id].Fact = &S;
  for (const ek_raw_symbol &S : B.Symbols) {
    BaseValues &V = Base[S.symbol];
    V.Told = true;
    if (!S.times)
      continue; // no task came by
    // A measured symbol is a loop's total in the task (design, symbols).
    bool Sum = V.Fact && V.Fact->Kind == "measured";
    double Value = Sum ? S.sum : static_cast<double>(S.first);
    if (S.task == EK_NO_TASK)
      V.Program = Value;
    else if (!B.Ranks.empty() && V.Fact && V.Fact->Scope == "program")
      V.PerRank[rankOf(S.task)] = Value;
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
  for (auto &[Id, V] : Base)
    V.Differs = differsInTeam(V);
  for (uint32_t T = 0; T < B.Tasks.size(); ++T)
    Began.push_back(T);
  for (const ek_raw_part &X : B.Parts)
    Began[X.task] = X.first;
  for (uint32_t T = 0; T < B.Tasks.size(); ++T) {
    const ek_raw_task &X = B.Tasks[T];
    if (!(X.flags & 1))
      ThreadTask[{X.phase, X.index}] = T;
    Place.push_back(Began[T] == T && X.flags & 1 ? Made[{X.phase, X.region}]++
                                                 : 0);
  }
  for (const AccessFact &A : F.Accesses) {
    AccessesIn[A.Region].push_back(&A);
    for (uint64_t S : A.Sites)
      AccessesOf[{A.Region, S}].push_back(&A);
  }
}

/// Values that are given, and those that are known by now, tell others.
void Extrapolator::follow() {
  followDefinitions();
  // The same name with the same base value in another function is taken to be
  // the same quantity handed on.
  std::vector<std::pair<uint64_t, double>> Inherit;
  for (const SymbolFact &X : F.Symbols) {
    const BaseValues &V = Base[X.Id];
    if (Target.count(X.Id) || X.Kind == "measured" || isConverted(X) ||
        !V.First || !V.OneValue)
      continue;
    std::set<double> Values;
    for (const SymbolFact &Y : F.Symbols) {
      auto It = Target.find(Y.Id);
      if (It == Target.end() || !It->second.Program ||
          quantity(Y.Name) != quantity(X.Name))
        continue;
      const BaseValues &W = Base[Y.Id];
      if (W.First && W.OneValue && *W.First == *V.First)
        Values.insert(*It->second.Program);
    }
    if (Values.size() == 1)
      Inherit.emplace_back(X.Id, *Values.begin());
  }
  for (auto [Id, Value] : Inherit) {
    Target[Id].Program = Value;
    Target[Id].Inherited = true;
  }
  followDefinitions();
  // A loop whose iterations over all tasks of a phase add up to exactly the
  // base value of a given quantity deals that quantity out. Large values only:
  // small ones agree by chance.
  TotalOf.clear();
  std::map<double, uint64_t> Quantities;
  for (const SymbolFact &X : F.Symbols) {
    auto It = Target.find(X.Id);
    const BaseValues &V = Base[X.Id];
    if (It != Target.end() && It->second.Program && X.Kind != "measured" &&
        V.First && V.OneValue && *V.First >= LeastTelling)
      Quantities.emplace(*V.First, X.Id);
  }
  for (const SymbolFact &X : F.Symbols) {
    if (X.Kind != "measured" || Target.count(X.Id))
      continue;
    std::map<uint32_t, double> Totals; // per phase
    for (auto [T, Value] : Base[X.Id].PerTask)
      Totals[B.Tasks[T].phase] += Value;
    if (Totals.size() != 1)
      continue;
    auto It = Quantities.find(Totals.begin()->second);
    if (It != Quantities.end())
      TotalOf[X.Id] = It->second;
  }
}

/// Values that follow from those known by now.
void Extrapolator::followDefinitions() {
  std::map<uint64_t, double> Known;
  for (const auto &[Id, V] : Target)
    if (V.Program)
      Known[Id] = *V.Program;
  for (const auto &[Id, V] : Defined.follow(Known)) {
    TargetValues &To = Target[Id];
    To.Program = V.V;
    To.Partly = V.Partly;
    To.Inherited = V.Agreed;
  }
}

std::optional<double> Extrapolator::baseValue(uint64_t Sym,
                                              uint32_t Task) const {
  auto It = Base.find(Sym);
  if (It == Base.end())
    return std::nullopt;
  const BaseValues &V = It->second;
  const bool Measured = V.Fact && V.Fact->Kind == "measured";
  if (Task != EK_NO_TASK) {
    auto T = V.PerTask.find(Task);
    if (T != V.PerTask.end())
      return T->second;
    T = Measured ? V.PerTask.end() : V.PerTask.find(Began[Task]);
    if (T != V.PerTask.end())
      return T->second;
  }
  if (V.Program)
    return V.Program;
  if (Task != EK_NO_TASK && !V.PerRank.empty()) {
    auto Own = V.PerRank.find(rankOf(Task));
    if (Own != V.PerRank.end())
      return Own->second;
  }
  // Recorded in other tasks only: usable if it was the same everywhere.
  if (V.First && V.OneValue && !Measured)
    return V.First;
  // Code that a task did not come by ran no time in it.
  if (V.Told && Measured && (Task != EK_NO_TASK || !V.First))
    return 0;
  return std::nullopt;
}

EvalContext Extrapolator::context(uint32_t Task) const {
  EvalContext C;
  if (Task == EK_NO_TASK)
    return C;
  // A thread's task that waited counts as an explicit one from then on.
  const ek_raw_task &T = B.Tasks[Began[Task]];
  const ek_raw_phase &H = B.Phases[T.phase];
  if (!(T.flags & 1) && H.kind == 1) {
    C.Task = T.index;
    C.Tasks = std::max(1u, H.width);
  } else if (T.flags & 1) {
    C.Task = Place[Began[Task]];
    C.Tasks = std::max(1u, Made.at({T.phase, T.region}));
  }
  return C;
}

std::optional<double> Extrapolator::inReach(uint64_t Symbol,
                                            std::optional<double> V,
                                            Trace &How) const {
  auto It = Base.find(Symbol);
  const SymbolFact *Fact = It == Base.end() ? nullptr : It->second.Fact;
  if (!V || !Fact || !Fact->Least || *V >= double(*Fact->Least))
    return V;
  How.Below = true;
  return std::nullopt;
}

std::optional<double> Extrapolator::evalBase(const Expr &E, uint32_t Task,
                                             Trace &How) const {
  EvalContext C = context(Task);
  C.Lookup = [&](uint64_t S) { return inReach(S, baseValue(S, Task), How); };
  std::optional<double> V = valueOf(E, C);
  return V && std::isfinite(*V) ? V : std::nullopt;
}

std::optional<double> Extrapolator::evalTarget(const Expr &E, uint32_t Task,
                                               Trace &How) {
  EvalContext C = context(Task);
  Trace Own;
  C.Lookup = [&](uint64_t S) {
    return inReach(S, targetValue(S, Task, Own), Own);
  };
  std::optional<double> V = valueOf(E, C);
  How.add(Own);
  if (Own.Derived && !Own.Changed)
    return std::nullopt;
  return V && std::isfinite(*V) ? V : std::nullopt;
}

uint32_t Extrapolator::rankOf(uint32_t Task) const {
  auto Next =
      std::upper_bound(B.Ranks.begin(), B.Ranks.end(), B.Tasks[Task].worker);
  return uint32_t(Next - B.Ranks.begin()) - 1;
}

bool Extrapolator::isRankNumber(const BaseValues &V) const {
  if (V.PerRank.size() != B.Ranks.size() || B.Ranks.empty())
    return false;
  return std::all_of(V.PerRank.begin(), V.PerRank.end(),
                     [](auto &Of) { return Of.second == Of.first; });
}

bool Extrapolator::differsInTeam(const BaseValues &V) const {
  if (!V.PerRank.empty())
    return !isRankNumber(V);
  std::map<uint32_t, double> Of; // by phase
  for (auto [T, Value] : V.PerTask)
    if (!(B.Tasks[T].flags & 1) &&
        Of.emplace(B.Tasks[T].phase, Value).first->second != Value)
      return true;
  return false;
}

std::optional<double> Extrapolator::targetValue(uint64_t Sym, uint32_t Task,
                                                Trace &How) {
  auto B0 = Base.find(Sym);
  const SymbolFact *Fact = B0 == Base.end() ? nullptr : B0->second.Fact;
  bool Measured = Fact && Fact->Kind == "measured";
  auto Live = ByPhase.find(Sym);
  if (Live != ByPhase.end() && Task != EK_NO_TASK) {
    const uint32_t Phase = B.Tasks[Task].phase;
    auto Now = Live->second.Seen.find(Phase);
    if (Now == Live->second.Seen.end()) { // as one of its kind had
      auto Again = Live->second.OfKind.find(PhaseKind[Phase]);
      if (Again != Live->second.OfKind.end())
        Now = Live->second.Seen.find(Again->second);
    }
    if (Now != Live->second.Seen.end()) {
      // One that is the base's is known all the same, but nothing else may be
      // taken to have stayed because it did.
      How.Changed |= baseValue(Sym, Task) != Now->second;
      return Now->second;
    }
  }
  auto It = Target.find(Sym);
  if (It != Target.end()) {
    const TargetValues &V = It->second;
    if (Task != EK_NO_TASK) {
      const uint32_t Index = B.Tasks[Task].index;
      auto T = V.PerIndex.find(OfOwn && !V.Sized ? ownerNow(Index) : Index);
      if (T != V.PerIndex.end()) {
        // Another phase's: the region comes by that loop there.
        if (Measured && !B0->second.PerTask.count(Task) &&
            B0->second.Indices.count(Index))
          return 0;
        How.Measured |= Measured;
        How.Changed = true;
        How.Inherited |= V.Inherited;
        How.Sized |= V.Sized;
        How.Scaled |= V.Scaled;
        return T->second;
      }
    }
    if (V.Program) {
      How.Measured |= Measured;
      How.Changed = true;
      How.Inherited |= V.Inherited;
      How.Kept |= V.Partly;
      return V.Program;
    }
  }
  std::optional<double> Old = baseValue(Sym, Task);
  if (!Old)
    return std::nullopt;
  // Nothing is known to change: the target is the base.
  if (!knowsTarget()) {
    How.Kept = true;
    return Old;
  }
  if (auto Whole = TotalOf.find(Sym); Whole != TotalOf.end()) {
    How.Scaled = How.Changed = true;
    return *Old * *Target[Whole->second].Program /
           *Base.at(Whole->second).First;
  }
  if (Measured && *Old == 0) { // what never ran has nothing to scale
    How.Idle = true;
    return Old;
  }
  if (Fact && Fact->ScalesWith && Fact->ScalesWith->K == Expr::Const)
    return Old; // the same on every input
  if (Fact && Fact->ScalesWith && Busy.insert(Sym).second) {
    // It says something only if one of its symbols has a value of the target.
    Trace Scale;
    std::optional<double> From = evalBase(*Fact->ScalesWith, Task);
    std::optional<double> To = evalTarget(*Fact->ScalesWith, Task, Scale);
    Busy.erase(Sym);
    if (From && To && *From != 0 && Scale.Changed) {
      How.Scaled = How.Changed = true;
      How.Kept |= Scale.Kept;
      return *Old * *To / *From;
    }
  }
  // What regions before were handed differed by a factor from the base's.
  if (Live != ByPhase.end() && Live->second.Growth) {
    const bool Same = *Live->second.Growth == 1;
    (Same ? How.Kept : How.Changed) = true;
    How.Scaled |= !Same;
    return *Old * *Live->second.Growth;
  }
  // One value for the whole program that nobody changed: a constant (threads,
  // steps).
  if (!Measured && B0 != Base.end() && B0->second.OneValue &&
      (!Fact || Fact->Kind != "derived")) {
    How.Kept = true;
    return Old;
  }
  // What the program works out on its way, block lengths above all, is taken
  // to stay as it is, next to others that are known; alone it says nothing.
  // What is another number in each thread of a team is a part of something that
  // they share: the bounds of its part do not stay when that grows. One that
  // other phases were seen to have another value of on the target than on the
  // base, by no common factor, does not stay either.
  if (Fact && (Fact->Kind == "derived" || isRankNumber(B0->second)) &&
      !B0->second.Differs && (Live == ByPhase.end() || B0->second.OneValue)) {
    How.Kept = How.Derived = true;
    return Old;
  }
  return std::nullopt;
}

bool Extrapolator::learn(const Owners &Now) {
  if (Now == Who)
    return false;
  Who = Now;
  Last.reset();
  Changes C;
  C.All = true;
  forget(C);
  return true;
}

/// The thread of the target that has what was \p Index's own.
uint32_t Extrapolator::ownerNow(uint32_t Index) const {
  auto Other = Who.Now.find(Index);
  return Other == Who.Now.end() ? Index : Other->second;
}

/// Takes values that a hook knows; they are truer than what people gave. One
/// that is the base's as well says nothing: what scales with it alone (a trip
/// count with the number of strips) may differ for another reason.
void Extrapolator::learn(const std::vector<KnownSymbol> &Symbols) {
  std::map<std::pair<uint64_t, uint32_t>, double> Now; // (symbol, phase)
  for (const KnownSymbol &S : Symbols) {
    const BaseValues &V = Base[S.Symbol];
    // One that had several values in the base run cannot be compared.
    if (S.Phase != EK_NO_TASK ||
        (V.First && V.OneValue &&
         (V.First != S.Value || FromUser.count(S.Symbol))))
      Now[{S.Symbol, S.Phase}] = S.Value;
  }
  if (Now == Learned)
    return;
  Changes C;
  auto Note = [&](const std::map<std::pair<uint64_t, uint32_t>, double> &From,
                  const std::map<std::pair<uint64_t, uint32_t>, double> &To) {
    for (const auto &[Key, Value] : From)
      if (auto It = To.find(Key); It == To.end() || It->second != Value)
        C.Phases.insert(Key.second);
  };
  Note(Learned, Now);
  Note(Now, Learned);
  Learned = std::move(Now);
  Target = FromUser;
  const std::unordered_map<uint64_t, PhaseValues> Before = std::move(ByPhase);
  ByPhase.clear();
  for (const auto &[Key, Value] : Learned)
    if (Key.second == EK_NO_TASK)
      Target[Key.first].Program = Value;
    else {
      PhaseValues &Of = ByPhase[Key.first];
      Of.Seen[Key.second] = Value;
      if (Key.second < PhaseKind.size() && PhaseKind[Key.second] != AnyKind)
        Of.OfKind[PhaseKind[Key.second]] = Key.second;
    }
  for (auto &[Id, V] : ByPhase)
    V.Growth = growth(Id, V.Seen);
  for (const auto &[Id, V] : ByPhase)
    if (auto It = Before.find(Id);
        It == Before.end() || It->second.Growth != V.Growth)
      C.Symbols.insert(Id);
  for (const auto &[Id, V] : Before)
    if (!ByPhase.count(Id))
      C.Symbols.insert(Id);
  // What a phase was handed holds for those of its kind.
  std::set<uint32_t> Kinds;
  for (uint32_t H : C.Phases)
    if (H < PhaseKind.size() && PhaseKind[H] != AnyKind)
      Kinds.insert(PhaseKind[H]);
  for (uint32_t H = 0; H < PhaseKind.size() && !Kinds.empty(); ++H)
    if (Kinds.count(PhaseKind[H]))
      C.Phases.insert(H);
  forget(C);
  follow();
  inheritMeasured();
  GivenTarget = Target;
  HaveSiteAccesses = false;
}

/// What the values in phases that have been seen are of those of the base, if
/// it is the same in all of them.
std::optional<double>
Extrapolator::growth(uint64_t Symbol,
                     const std::map<uint32_t, double> &Seen) const {
  auto It = Base.find(Symbol);
  if (It == Base.end())
    return std::nullopt;
  std::optional<double> Out;
  for (auto [T, Old] : It->second.PerTask) {
    auto New = Seen.find(B.Tasks[T].phase);
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

} // namespace extrapolation
} // namespace evenkeel
