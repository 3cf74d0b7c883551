//===- Extrapolate.cpp - from a base profile to the target's demands ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: N'(o,t) = N(o,t) * C'(o,t)/C(o,t) * alpha'/alpha (after Merchandiser,
// PPoPP 2023, with alpha from the base run's own miss-ratio curve):
//   * C: the facts' count expressions of task t's region over object o,
//     evaluated with the base profile's symbols and with the target's;
//   * without a usable expression: the object's size ratio S'/S, and without
//     that the ratio of the whole program's closed-form work;
//   * alpha, the share of accesses that reach memory, follows the miss-ratio
//     curve of the object: a footprint grown s-fold in a cache of Z bytes
//     misses like the base footprint in Z/s. Walks that bring each line once
//     have a flat curve, alpha'/alpha = 1; a class alone does not tell, for
//     streams may be short and start anywhere.
//   * an array that one region fills once from end to end ties its size to the
//     number of iterations that fill it: whichever of the two is known for the
//     target gives the other.
// A symbol of the target has, in this order: the value given for the task; the
// value given for the program; the value given for a symbol of the same name
// and base value in another function, or for a loop total with the same base
// values in every task; for a loop total that adds up to a given quantity, its
// part of that; what `scales_with` says, if that depends on a
// value of the target; its base value if it is one value for the whole
// program; else none, and every expression that needs it is not usable.
// Makes: a Problem; Problem.Methods counts how each estimate was made.
// Leaves out: other numbers of tasks, phases or instances than the base had.
//===----------------------------------------------------------------------===//
#include "Extrapolate.h"
#include "Definitions.h"
#include "Phase.h"
#include "Planner.h"
#include "Quantity.h"
#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

using namespace evenkeel;

Expected<Given> evenkeel::parseGiven(const std::string &Text) {
  Error Bad{"--for '" + Text + "': expected NAME=VALUE or NAME@TASK=VALUE"};
  // Names are source text and may hold '=' (as in "i<=n"): the last one counts.
  size_t Eq = Text.rfind('=');
  if (Eq == std::string::npos || Eq == 0 || Eq + 1 == Text.size())
    return Bad;
  Given G;
  G.Name = Text.substr(0, Eq);
  std::string Value = Text.substr(Eq + 1);
  char *End = nullptr;
  G.Value = std::strtod(Value.c_str(), &End);
  if (*End || !std::isfinite(G.Value))
    return Bad;
  size_t At = G.Name.rfind('@');
  if (At != std::string::npos) {
    std::string Task = G.Name.substr(At + 1);
    if (Task.empty() || Task.size() > 9 ||
        Task.find_first_not_of("0123456789") != std::string::npos || !At)
      return Bad;
    G.Task = static_cast<uint32_t>(std::strtoul(Task.c_str(), nullptr, 10));
    G.Name.resize(At);
  }
  return G;
}

namespace evenkeel {
namespace extrapolation {

/// What most accesses of numerical code take.
constexpr double WordBytes = 8;

/// What is known of one symbol on the base input.
struct BaseValues {
  const SymbolFact *Fact = nullptr;
  std::unordered_map<uint32_t, double> PerTask; // by row of Profile.Tasks
  bool Told = false;                            // the program could tell it
  std::optional<double> Program;
  bool OneValue = true; // every recorded value is the same
  std::optional<double> First;
};

struct TargetValues {
  std::unordered_map<uint32_t, double> PerIndex; // by task index (--for X@T)
  std::optional<double> Program;
  bool Inherited = false;
  bool Sized = false;
  bool Partly = false; // follows from given values and from kept ones

  bool operator==(const TargetValues &O) const {
    return PerIndex == O.PerIndex && Program == O.Program &&
           Inherited == O.Inherited && Sized == O.Sized && Partly == O.Partly;
  }
};

/// Objects from this size on are placed by the runtime.
constexpr double LargeBytes = 65536;

/// Ways in which target symbols got their values while one expression was
/// evaluated; the worst one names the estimate.
struct Trace {
  bool Scaled = false, Kept = false, Measured = false, Inherited = false;
  bool Sized = false;   // from the size of the array the symbol fills
  bool Changed = false; // some symbol has a value of the target's own
  bool Derived = false; // what the program works out kept its base value

  void add(const Trace &T) {
    Scaled |= T.Scaled;
    Kept |= T.Kept;
    Measured |= T.Measured;
    Inherited |= T.Inherited;
    Sized |= T.Sized;
    Changed |= T.Changed;
    Derived |= T.Derived;
  }
};

constexpr char KnownMethod[] = "known at the hook";
constexpr char FormulaMethod[] = "size formula";
constexpr char BaseMethod[] = "base size kept";
constexpr char FilledMethod[] = "as much as is written into it";

/// Share of accesses taken to miss at least, on an input never run: 1 in 4096
/// costs a stream nothing (it misses 1 in 8 or 16) and no prediction 0.1 %.
constexpr double Unseen = 1.0 / 4096;

/// Smaller counts agree by chance.
constexpr double LeastTelling = 1000;

/// What a task did to an object on the base input.
struct BaseDemand {
  uint32_t Inst = 0;
  double Reads = 0, Writes = 0, Weight = 0, Accesses = 0;
  const ek_raw_mrc *Curve = nullptr;
  std::vector<const ek_raw_miss *> Rows;
  // Where the team gathers, and the target is another input than the base:
  double TeamMlp = 0;    // exposed latencies per line
  double TeamScaled = 1; // lines per access, over the task's own
  const ek_raw_mrc *TeamCurve = nullptr;
  /// Rows dealt out to Parts equal parts of the object; Parts = 0: not yet.
  unsigned Parts = 0;
  double Stretch = 1;            // of the rows, along the object
  std::vector<UnitDemand> Shape; // Unit: number of the part
};

class Extrapolator {
  const PlanRequest R;
  const Facts &F;
  const Profile &B;
  Definitions Defined;
  MaybeError Bad;          // what is wrong with the request
  bool KnowsSizes = false; // of instances of the target
  uint32_t From = 0;       // first phase whose demands are asked for
  Problem P;
  std::unordered_map<uint64_t, BaseValues> Base;
  using Values = std::unordered_map<uint64_t, TargetValues>;
  Values Target, GivenTarget; // now; before any size is known
  double WorkRatio = 1;       // whole program, over usable closed forms
  bool HaveWork = false;
  /// Measured symbol -> given symbol that its total over a phase's tasks is.
  std::unordered_map<uint64_t, uint64_t> TotalOf;
  std::set<uint64_t> Busy;       // symbols being scaled: cycle guard
  std::vector<double> SizeRatio; // per instance

  /// A region that writes each element of a site's one instance once.
  struct Fill {
    const AccessFact *Access;
    std::vector<uint32_t> Tasks;
  };
  std::map<uint64_t, Fill> Fills; // by site

  using Key = std::pair<uint64_t, uint64_t>; // region, site
  std::map<Key, std::vector<const AccessFact *>> AccessesOf;
  std::map<uint64_t, std::vector<const AccessFact *>> AccessesIn;

  /// Ratios of one (task, site).
  struct Ratio {
    double All = 1, Writes = 1;
    bool Usable = false;
    Trace How;
  };

  // What follows from the base and from what is given alone is worked out once;
  // the rest again only when values of the target changed.
  std::vector<std::vector<BaseDemand>> Demands; // by task, rising Inst
  using Weighed = std::pair<double, double>;    // exposed latencies, reads
  std::vector<Weighed> Overlap;                 // by instance
  std::map<std::pair<uint32_t, uint32_t>, Weighed> TeamOverlap; // phase, inst
  std::map<std::pair<uint32_t, uint32_t>, ek_raw_mrc> TeamCurve;
  std::vector<std::vector<uint32_t>> Gathered; // by phase
  std::vector<unsigned> UsedChunks; // by instance: 1 + the last that is fetched
  std::vector<bool> Explicit;       // by phase: has explicit tasks
  double AllWeight = 0, AllReads = 0;
  unsigned TeamsLevelled = 0;
  /// Accesses of a site over the whole program, base and target.
  std::map<uint64_t, std::pair<double, double>> SiteAccesses;
  bool HaveSiteAccesses = false;
  std::map<std::pair<uint32_t, uint64_t>, Ratio> Ratios; // task, site
  Values FromUser; // values of the target that people gave
  std::map<std::pair<uint64_t, uint32_t>, double> Learned; // seen at hooks
  /// Of those that single phases had; growth: over the base's, if the same in
  /// all of them.
  struct PhaseValues {
    std::map<uint32_t, double> Seen;
    std::optional<double> Growth;
  };
  std::unordered_map<uint64_t, PhaseValues> ByPhase;
  Values RatiosFor;
  /// Of P.Methods, where the method is one of a fixed text.
  std::unordered_map<const char *, unsigned> Counted;

  /// alpha'/alpha, or the lines themselves where alpha was 0.
  struct CacheEffect {
    double Ratio = 1;
    std::optional<double> Lines;
    const char *Method = "";
  };

public:
  explicit Extrapolator(const PlanRequest &R);

  Expected<Problem> run(const std::vector<PredictedInstance> &Known,
                        uint32_t From, const std::vector<KnownSymbol> &Symbols);

private:
  MaybeError start();
  bool knowsTarget() const { return !Target.empty() || KnowsSizes; }
  MaybeError readGiven();
  void follow();
  void learn(const std::vector<KnownSymbol> &Symbols);
  std::optional<double> growth(uint64_t Symbol,
                               const std::map<uint32_t, double> &Seen) const;
  void followDefinitions();
  void readBase();
  std::optional<double> baseValue(uint64_t Sym, uint32_t Task) const;
  std::optional<double> targetValue(uint64_t Sym, uint32_t Task, Trace &How);
  EvalContext context(uint32_t Task) const;
  std::optional<double> evalBase(const Expr &E, uint32_t Task) const;
  std::optional<double> evalTarget(const Expr &E, uint32_t Task, Trace &How);
  Ratio ratio(uint32_t Task, uint64_t Site);
  const Ratio &cachedRatio(uint32_t Task, uint64_t Site);
  void programWork();
  void findFills();
  void siteAccesses();
  void sizes(const std::vector<PredictedInstance> &KnownSizes);
  void sizeByFormula(const SiteFact &S, uint32_t Task, double Old,
                     PredictedInstance &N);
  void sizeSymbols();
  void inheritMeasured();
  void units();
  void readDemands();
  void levelTeams();
  double stretchOf(uint32_t Inst) const;
  void shape(BaseDemand &Q, unsigned Parts, double Stretch) const;
  PredictedTask task(uint32_t T, const std::vector<uint32_t> &FirstUnit);
  void tasks();
  CacheEffect cacheEffect(const ek_raw_mrc *Curve, double S) const;
  void count(const char *Method) { ++Counted[Method]; }
};

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
    else
      V.PerTask[S.task] = Value;
    if (!V.First)
      V.First = Value;
    else if (*V.First != Value)
      V.OneValue = false;
    if (!Sum && S.min != S.max)
      V.OneValue = false;
  }
  for (const AccessFact &A : F.Accesses) {
    AccessesIn[A.Region].push_back(&A);
    for (uint64_t S : A.Sites)
      AccessesOf[{A.Region, S}].push_back(&A);
  }
}

MaybeError Extrapolator::readGiven() {
  uint32_t Widest = 0;
  for (const ek_raw_task &T : B.Tasks)
    Widest = std::max(Widest, T.index + 1);
  for (const Given &G : R.For) {
    if (G.Task && *G.Task >= Widest)
      return Error{"--for " + G.Name + "@" + std::to_string(*G.Task) +
                   ": the base profile has tasks 0 to " +
                   std::to_string(Widest - 1) +
                   "; record the base input with as many threads as the "
                   "target will have"};
    std::vector<const SymbolFact *> Named;
    Expected<const SymbolFact *> S = F.symbolByName(G.Name);
    if (S) {
      // Two places can spell the same thing: all of them get the value.
      for (const SymbolFact &X : F.Symbols)
        if (X.Name == (*S)->Name)
          Named.push_back(&X);
    } else {
      // A short name that several functions use is fine as long as it meant
      // the same value in all of them.
      std::set<double> Values;
      for (const SymbolFact &X : F.Symbols)
        if (shortName(X.Name) == G.Name) {
          const BaseValues &V = Base[X.Id];
          if (!V.First)
            continue;
          Named.push_back(&X);
          Values.insert(V.OneValue ? *V.First : std::nan(""));
        }
      if (Named.empty() || Values.size() != 1 || std::isnan(*Values.begin()))
        return Error{"--for " + G.Name + ": " + S.message()};
    }
    for (const SymbolFact *X : Named) {
      std::string Short = shortName(X->Name);
      const BaseValues &V = Base[X->Id];
      if ((Short.find("omp_get_num_threads") == 0 ||
           Short.find("omp_get_max_threads") == 0) &&
          V.First && *V.First != G.Value)
        return Error{"--for " + G.Name +
                     ": the base profile was recorded "
                     "with another number of threads; record it with as many "
                     "as the target will have"};
      if (G.Task)
        Target[X->Id].PerIndex[*G.Task] = G.Value;
      else
        Target[X->Id].Program = G.Value;
    }
  }
  FromUser = Target;
  return std::nullopt;
}

/// Values that are given, and those that are known by now, tell others.
void Extrapolator::follow() {
  followDefinitions();
  // The same name with the same base value in another function is taken to be
  // the same quantity handed on.
  std::vector<std::pair<uint64_t, double>> Inherit;
  for (const SymbolFact &X : F.Symbols) {
    const BaseValues &V = Base[X.Id];
    if (Target.count(X.Id) || X.Kind == "measured" || !V.First || !V.OneValue)
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
  }
}

std::optional<double> Extrapolator::baseValue(uint64_t Sym,
                                              uint32_t Task) const {
  auto It = Base.find(Sym);
  if (It == Base.end())
    return std::nullopt;
  const BaseValues &V = It->second;
  if (Task != EK_NO_TASK) {
    auto T = V.PerTask.find(Task);
    if (T != V.PerTask.end())
      return T->second;
  }
  if (V.Program)
    return V.Program;
  // Recorded in other tasks only: usable if it was the same everywhere.
  const bool Measured = V.Fact && V.Fact->Kind == "measured";
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
  const ek_raw_task &T = B.Tasks[Task];
  const ek_raw_phase &H = B.Phases[T.phase];
  if (!(T.flags & 1) && H.kind == 1) {
    C.Task = T.index;
    C.Tasks = std::max(1u, H.width);
  }
  return C;
}

std::optional<double> Extrapolator::evalBase(const Expr &E,
                                             uint32_t Task) const {
  EvalContext C = context(Task);
  C.Lookup = [&](uint64_t S) { return baseValue(S, Task); };
  std::optional<double> V = valueOf(E, C);
  return V && std::isfinite(*V) ? V : std::nullopt;
}

std::optional<double> Extrapolator::evalTarget(const Expr &E, uint32_t Task,
                                               Trace &How) {
  EvalContext C = context(Task);
  Trace Own;
  C.Lookup = [&](uint64_t S) { return targetValue(S, Task, Own); };
  std::optional<double> V = valueOf(E, C);
  How.add(Own);
  if (Own.Derived && !Own.Changed)
    return std::nullopt;
  return V && std::isfinite(*V) ? V : std::nullopt;
}

std::optional<double> Extrapolator::targetValue(uint64_t Sym, uint32_t Task,
                                                Trace &How) {
  auto B0 = Base.find(Sym);
  const SymbolFact *Fact = B0 == Base.end() ? nullptr : B0->second.Fact;
  bool Measured = Fact && Fact->Kind == "measured";
  auto Live = ByPhase.find(Sym);
  if (Live != ByPhase.end() && Task != EK_NO_TASK) {
    auto Now = Live->second.Seen.find(B.Tasks[Task].phase);
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
      auto T = V.PerIndex.find(B.Tasks[Task].index);
      if (T != V.PerIndex.end()) {
        How.Measured |= Measured;
        How.Changed = true;
        How.Inherited |= V.Inherited;
        How.Sized |= V.Sized;
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
  if (Measured && *Old == 0)
    return Old; // what never ran has nothing to scale
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
  if (Fact && Fact->Kind == "derived") {
    How.Kept = How.Derived = true;
    return Old;
  }
  return std::nullopt;
}

Extrapolator::Ratio Extrapolator::ratio(uint32_t Task, uint64_t Site) {
  Ratio C;
  auto It = AccessesOf.find({B.Tasks[Task].region, Site});
  if (It == AccessesOf.end())
    return C;
  double All0 = 0, All1 = 0, Writes0 = 0, Writes1 = 0;
  bool Good = true;
  for (const AccessFact *A : It->second) {
    auto Add = [&](const ExprRef &E, double &Old, double &New) {
      if (!E)
        return;
      std::optional<double> V0 = evalBase(*E, Task);
      std::optional<double> V1 =
          V0 ? evalTarget(*E, Task, C.How) : std::nullopt;
      if (!V0 || !V1) {
        Good = false;
        return;
      }
      // Counts are not negative; an expression may be for an empty range.
      Old += std::max(0.0, *V0);
      New += std::max(0.0, *V1);
    };
    double Reads0 = 0, Reads1 = 0, W0 = 0, W1 = 0;
    Add(A->Reads, Reads0, Reads1);
    Add(A->Writes, W0, W1);
    All0 += Reads0 + W0;
    All1 += Reads1 + W1;
    Writes0 += W0;
    Writes1 += W1;
  }
  C.Usable = Good && All0 > 0;
  if (C.Usable) {
    C.All = All1 / All0;
    // A region that only reads an object writes back what others left dirty in
    // the caches: that many lines at most, whatever the input.
    C.Writes = Writes0 > 0 ? Writes1 / Writes0 : 1;
  }
  return C;
}

const Extrapolator::Ratio &Extrapolator::cachedRatio(uint32_t Task,
                                                     uint64_t Site) {
  auto [It, New] = Ratios.try_emplace({Task, Site});
  if (New)
    It->second = ratio(Task, Site);
  return It->second;
}

void Extrapolator::programWork() {
  double Old = 0, New = 0;
  for (uint32_t T = 0; T < B.Tasks.size(); ++T) {
    auto It = AccessesIn.find(B.Tasks[T].region);
    if (It == AccessesIn.end())
      continue;
    for (const AccessFact *A : It->second)
      for (const ExprRef &E : {A->Reads, A->Writes}) {
        if (!E)
          continue;
        Trace How;
        std::optional<double> V0 = evalBase(*E, T);
        std::optional<double> V1 = V0 ? evalTarget(*E, T, How) : std::nullopt;
        if (V1 && *V0 > 0 && *V1 > 0) {
          Old += *V0;
          New += *V1;
        }
      }
  }
  HaveWork = Old > 0 && New > 0;
  WorkRatio = HaveWork ? New / Old : 1;
}

/// Measured symbols with the same value in every task as a given one are the
/// same quantity, counted again in another loop (rows walked twice).
void Extrapolator::inheritMeasured() {
  auto ByIndex = [&](const BaseValues &V) {
    std::map<std::pair<uint32_t, uint32_t>, double> Out; // (rank, index)
    std::map<uint32_t, uint32_t> Phases;
    for (auto [Row, Value] : V.PerTask)
      Phases[B.Tasks[Row].phase] = 0;
    uint32_t Rank = 0;
    for (auto &Entry : Phases)
      Entry.second = Rank++;
    for (auto [Row, Value] : V.PerTask)
      Out[{Phases[B.Tasks[Row].phase], B.Tasks[Row].index}] = Value;
    return Out;
  };
  std::vector<std::pair<uint64_t, uint64_t>> Same;
  for (const SymbolFact &X : F.Symbols) {
    const BaseValues &V = Base[X.Id];
    // Two tasks or more with different counts: a coincidence is unlikely.
    if (X.Kind != "measured" || Target.count(X.Id) || V.PerTask.size() < 2 ||
        V.OneValue)
      continue;
    for (const SymbolFact &Y : F.Symbols) {
      auto It = Target.find(Y.Id);
      if (It == Target.end() || It->second.Inherited || Y.Kind != "measured" ||
          Base[Y.Id].PerTask.size() != V.PerTask.size() ||
          ByIndex(Base[Y.Id]) != ByIndex(V))
        continue;
      Same.emplace_back(X.Id, Y.Id);
      break;
    }
  }
  for (auto [To, From] : Same) {
    Target[To] = Target[From];
    Target[To].Inherited = true;
  }
}

void Extrapolator::findFills() {
  std::map<uint64_t, std::vector<const ek_raw_inst *>> Instances;
  for (const ek_raw_inst &I : B.Instances)
    Instances[I.site].push_back(&I);
  for (const AccessFact &A : F.Accesses) {
    if (A.Class != "stream" || A.Sites.size() != 1 || !A.Writes ||
        !A.ElementBytes || Fills.count(A.Sites[0]))
      continue;
    auto It = Instances.find(A.Sites[0]);
    if (It == Instances.end() || It->second.size() != 1)
      continue;
    const double Bytes = static_cast<double>(It->second[0]->bytes);
    std::map<uint32_t, double> PerPhase;
    std::vector<uint32_t> Tasks;
    for (uint32_t T = 0; T < B.Tasks.size(); ++T)
      if (B.Tasks[T].region == A.Region)
        if (std::optional<double> V = evalBase(*A.Writes, T); V && *V > 0) {
          PerPhase[B.Tasks[T].phase] += *V;
          Tasks.push_back(T);
        }
    // Recorders may round the size up to a line.
    if (PerPhase.size() == 1 && PerPhase.begin()->second >= LeastTelling &&
        std::fabs(PerPhase.begin()->second * double(A.ElementBytes) - Bytes) <=
            LineBytes + 1e-6 * Bytes)
      Fills[A.Sites[0]] = {&A, std::move(Tasks)};
  }
}

/// A size that is known for the target tells how often its array was written.
void Extrapolator::sizeSymbols() {
  const bool AnyGiven = !Target.empty();
  for (size_t I = 0; I < P.Instances.size(); ++I) {
    const PredictedInstance &N = P.Instances[I];
    auto It = Fills.find(N.Site);
    if (It == Fills.end() ||
        (N.Method != KnownMethod &&
         !(AnyGiven && N.Method.rfind(FormulaMethod, 0) == 0)))
      continue;
    const Expr &E = *It->second.Access->Writes;
    if (E.K != Expr::Symbol || Target.count(E.Sym))
      continue;
    // Shared out as the target's own values are or, where one of them is not
    // known, as those of the base.
    double Total = N.Bytes / double(It->second.Access->ElementBytes), Sum = 0;
    std::map<uint32_t, double> Part;
    bool All = true;
    for (uint32_t T : It->second.Tasks) {
      Trace How;
      All &= evalTarget(E, T, How).has_value();
    }
    for (uint32_t T : It->second.Tasks) {
      Trace How;
      std::optional<double> V = All ? evalTarget(E, T, How) : evalBase(E, T);
      Sum += Part[B.Tasks[T].index] = std::max(0.0, V.value_or(0));
    }
    if (Sum <= 0)
      continue;
    TargetValues V;
    V.Sized = true;
    for (auto [Index, X] : Part)
      V.PerIndex[Index] = Total * X / Sum;
    Target[E.Sym] = V;
  }
}

/// Only a formula that gives the base size \p Old can be trusted with another;
/// recorders may round up to a line. Where callers of a wrapper ask for several
/// sizes, those that fit must agree on the target.
void Extrapolator::sizeByFormula(const SiteFact &S, uint32_t Task, double Old,
                                 PredictedInstance &N) {
  std::vector<ExprRef> Formulas = S.Sizes;
  if (S.Size)
    Formulas.push_back(S.Size);
  bool Scaled = false;
  double Bytes = -1;
  for (const ExprRef &E : Formulas) {
    std::optional<double> V0 = evalBase(*E, Task);
    if (!V0 || std::fabs(*V0 - Old) > 64 + 1e-6 * Old)
      continue;
    Trace How;
    std::optional<double> V1 = evalTarget(*E, Task, How);
    // A formula of kept symbols says nothing about the target.
    bool Says = How.Changed || !How.Kept || Target.empty();
    if (!V1 || *V1 < 0 || !Says)
      continue;
    if (Bytes >= 0 && std::fabs(*V1 - Bytes) > 64 + 1e-6 * Bytes) {
      count("size: formulas of several callers fit and differ");
      return;
    }
    Bytes = *V1;
    Scaled = How.Scaled;
  }
  if (Bytes < 0)
    return;
  N.Bytes = Bytes;
  N.Method = FormulaMethod;
  if (Scaled)
    N.Method += ", a symbol scaled";
}

void Extrapolator::siteAccesses() {
  SiteAccesses.clear();
  for (uint32_t T = 0; T < B.Tasks.size(); ++T)
    for (auto It = AccessesOf.lower_bound({B.Tasks[T].region, 0});
         It != AccessesOf.end() && It->first.first == B.Tasks[T].region; ++It)
      for (const AccessFact *A : It->second)
        for (const ExprRef &E : {A->Reads, A->Writes}) {
          if (!E)
            continue;
          Trace How;
          std::optional<double> V0 = evalBase(*E, T);
          std::optional<double> V1 = V0 ? evalTarget(*E, T, How) : std::nullopt;
          if (V1 && *V0 > 0 && *V1 > 0 && (How.Changed || !How.Kept)) {
            SiteAccesses[It->first.second].first += *V0;
            SiteAccesses[It->first.second].second += *V1;
          }
        }
}

void Extrapolator::sizes(const std::vector<PredictedInstance> &KnownSizes) {
  // Instances may be known from a hook; otherwise formula, accesses, base.
  std::map<std::tuple<uint64_t, uint32_t, uint32_t>, double> Known;
  for (const PredictedInstance &I : KnownSizes)
    Known[{I.Site, I.Creator, I.Ordinal}] = I.Bytes;
  // Task rows by (phase, index), to find who allocated.
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> Row;
  for (uint32_t T = 0; T < B.Tasks.size(); ++T)
    if (!(B.Tasks[T].flags & 1))
      Row[{B.Tasks[T].phase, B.Tasks[T].index}] = T;

  for (const ek_raw_inst &I : B.Instances) {
    PredictedInstance N;
    N.Site = I.site;
    N.Creator = I.creator;
    N.Ordinal = I.ordinal;
    N.AllocPhase = I.alloc_phase;
    N.FreePhase = I.free_phase;
    double Old = static_cast<double>(I.bytes);
    N.Bytes = -1;
    if (auto K = Known.find({I.site, I.creator, I.ordinal}); K != Known.end()) {
      N.Bytes = K->second;
      N.Method = KnownMethod;
    }
    const SiteFact *S = F.site(I.site);
    if (N.Bytes < 0 && S) {
      auto It = Row.find({I.alloc_phase, I.creator});
      sizeByFormula(*S, It == Row.end() ? EK_NO_TASK : It->second, Old, N);
    }
    if (auto L = Fills.find(I.site); N.Bytes < 0 && L != Fills.end()) {
      double Sum = 0;
      bool All = true;
      for (uint32_t T : L->second.Tasks) {
        Trace How;
        std::optional<double> V = evalTarget(*L->second.Access->Writes, T, How);
        All &= V && (How.Changed || !How.Kept || Target.empty());
        Sum += std::max(0.0, V.value_or(0));
      }
      // What only some of the tasks write says nothing about the whole, nor do
      // kept symbols about the target.
      if (All && Sum > 0) {
        N.Bytes = Sum * double(L->second.Access->ElementBytes);
        N.Method = FilledMethod;
      }
    }
    if (N.Bytes < 0) {
      auto It = SiteAccesses.find(I.site);
      if (It != SiteAccesses.end() && It->second.first > 0) {
        N.Bytes = Old * It->second.second / It->second.first;
        N.Method = "scaled like its accesses";
      } else if (S && (S->Size || !S->Sizes.empty()) && Old >= LargeBytes &&
                 HaveWork) {
        // Static arrays and small tables stay; large blocks whose size is
        // computed are data and grow with the work.
        N.Bytes = Old * WorkRatio;
        N.Method = "scaled like the program's work";
      } else {
        N.Bytes = Old;
        N.Method = BaseMethod;
      }
    }
    ++P.Methods["size: " + N.Method];
    SizeRatio.push_back(Old > 0 ? N.Bytes / Old : 1);
    P.Instances.push_back(std::move(N));
  }
}

/// Fetched lines at \p Size bytes of last level, from 8 measured sizes: linear
/// in the logarithm of the size between them, constant above, linear in the
/// size below (exact for uniform random access).
double curveAt(const std::vector<std::pair<double, double>> &Points,
               double Size) {
  if (Size >= Points.back().first)
    return Points.back().second;
  if (Size < Points.front().first) {
    if (Points.size() < 2)
      return Points.front().second;
    auto [Z0, N0] = Points[0];
    auto [Z1, N1] = Points[1];
    return N0 + std::max(0.0, N0 - N1) * (Z0 - Size) / (Z1 - Z0);
  }
  for (size_t I = 1;; ++I)
    if (Size <= Points[I].first) {
      auto [Z0, N0] = Points[I - 1];
      auto [Z1, N1] = Points[I];
      return N0 + (N1 - N0) * std::log(Size / Z0) / std::log(Z1 / Z0);
    }
}

Extrapolator::CacheEffect Extrapolator::cacheEffect(const ek_raw_mrc *Curve,
                                                    double S) const {
  double Z = B.Config.llc_share_bytes;
  if (S <= 0 || std::fabs(S - 1) < 1e-9)
    return {1, {}, "cache: footprint unchanged"};
  std::vector<std::pair<double, double>> Points;
  for (int K = 0; Curve && K < EK_RAW_LLC_SIZES; ++K)
    if (B.Config.llc_sizes[K])
      Points.emplace_back(B.Config.llc_sizes[K],
                          static_cast<double>(Curve->reads[K]));
  std::sort(Points.begin(), Points.end());
  if (Points.empty() || Z <= 0)
    return {1, {}, "cache: no miss-ratio curve, share kept"};
  double Here = curveAt(Points, Z), There = curveAt(Points, Z / S);
  if (Here <= 0 && There <= 0)
    return {1, {}, "cache: fits on both inputs"};
  if (Here <= 0)
    return {1, There, "cache: fitted on the base input, miss-ratio curve"};
  return {There / Here,
          {},
          Z / S < Points.front().first
              ? "cache: miss-ratio curve, beyond its end"
              : "cache: miss-ratio curve"};
}

void Extrapolator::units() {
  for (uint32_t I = 0; I < P.Instances.size(); ++I) {
    double Bytes = P.Instances[I].Bytes;
    // Finer than 64 KiB is not worth a decision of its own.
    unsigned Parts = 1;
    while (Parts < EK_CHUNKS && Bytes / (2 * Parts) >= 65536)
      Parts *= 2;
    for (unsigned K = 0; K < Parts; ++K) {
      Unit U;
      U.Instance = I;
      U.From = K * (EK_CHUNKS / Parts);
      U.To = (K + 1) * (EK_CHUNKS / Parts);
      U.Bytes = Bytes / Parts;
      P.Units.push_back(U);
    }
  }
}

void Extrapolator::readDemands() {
  const size_t N = B.Tasks.size();
  std::vector<std::map<uint32_t, BaseDemand>> D(N);
  Overlap.resize(B.Instances.size());
  UsedChunks.resize(B.Instances.size());
  std::map<std::pair<uint32_t, uint32_t>, double> Fetched; // phase, instance
  for (const ek_raw_miss &M : B.Misses) {
    BaseDemand &X = D[M.task][M.inst];
    const double Reads = static_cast<double>(M.reads);
    X.Reads += Reads;
    X.Writes += static_cast<double>(M.writes);
    X.Weight += M.weight;
    X.Rows.push_back(&M);
    UsedChunks[M.inst] = std::max(UsedChunks[M.inst], unsigned(M.chunk) + 1);
    Overlap[M.inst].first += M.weight;
    Overlap[M.inst].second += Reads;
    Weighed &Team = TeamOverlap[{B.Tasks[M.task].phase, M.inst}];
    Team.first += M.weight;
    Team.second += Reads;
    Fetched[{B.Tasks[M.task].phase, M.inst}] += Reads;
    AllWeight += M.weight;
    AllReads += Reads;
  }
  for (const ek_raw_access &A : B.Accesses)
    D[A.task][A.inst].Accesses += static_cast<double>(A.reads + A.writes);
  for (const ek_raw_mrc &C : B.Curves)
    D[C.task][C.inst].Curve = &C;
  Demands.resize(N);
  for (size_t T = 0; T < N; ++T)
    for (auto &[Inst, Q] : D[T]) {
      Q.Inst = Inst;
      Demands[T].push_back(std::move(Q));
    }
  // Lines of a phase over the lines its objects have: above 1, some came again.
  constexpr double Again = 1.25;
  Gathered.resize(B.Phases.size());
  for (const auto &[Where, Reads] : Fetched)
    if (Reads * LineBytes >
        Again * static_cast<double>(B.Instances[Where.second].bytes))
      Gathered[Where.first].push_back(Where.second);
  Explicit.resize(B.Phases.size());
  for (const ek_raw_task &T : B.Tasks)
    if (T.flags & 1)
      Explicit[T.phase] = true;
}

/// Why one thread's gathers hit more often than another's on the base input is
/// a matter of the base input's data, of which another input has none: there,
/// all tasks of a team get the team's lines per access, curve and overlap.
void Extrapolator::levelTeams() {
  std::vector<std::vector<uint32_t>> Threads(B.Phases.size());
  for (uint32_t T = 0; T < B.Tasks.size(); ++T)
    if (!(B.Tasks[T].flags & 1))
      Threads[B.Tasks[T].phase].push_back(T);
  for (uint32_t H = 0; H < B.Phases.size(); ++H)
    for (uint32_t Inst : Gathered[H]) {
      std::vector<BaseDemand *> Team;
      double Reads = 0, Weight = 0, Accesses = 0;
      ek_raw_mrc Curve = {};
      for (uint32_t T : Threads[H])
        for (BaseDemand &Q : Demands[T]) {
          if (Q.Inst != Inst || Q.Reads <= 0 || Q.Accesses <= 0)
            continue;
          Team.push_back(&Q);
          Reads += Q.Reads;
          Weight += Q.Weight;
          Accesses += Q.Accesses;
          for (int K = 0; Q.Curve && K < EK_RAW_LLC_SIZES; ++K)
            Curve.reads[K] += Q.Curve->reads[K];
        }
      if (Team.size() < 2)
        continue;
      const ek_raw_mrc *Shared = &(TeamCurve[{H, Inst}] = Curve);
      for (BaseDemand *Q : Team) {
        Q->TeamScaled = Reads / Accesses * Q->Accesses / Q->Reads;
        Q->TeamMlp = Weight / Reads;
        if (Q->Curve)
          Q->TeamCurve = Shared;
      }
      ++TeamsLevelled;
    }
}

/// An array whose size is fixed when the program is built is as large as the
/// largest input needs, and smaller ones use its front: where more accesses are
/// predicted for it, they reach further, as long as there is room for that.
double Extrapolator::stretchOf(uint32_t Inst) const {
  const ek_raw_inst &I = B.Instances[Inst];
  const SiteFact *S = F.site(I.site);
  auto It = SiteAccesses.find(I.site);
  if (!S || (S->Kind != "global" && S->Kind != "static") ||
      It == SiteAccesses.end() || I.bytes < EK_CHUNKS * EK_PAGE)
    return 1;
  for (const AccessFact &A : F.Accesses)
    if (A.Class != "stream" && A.Class != "stencil" && A.Class != "invariant" &&
        A.Class.rfind("strided", 0) != 0 &&
        std::find(A.Sites.begin(), A.Sites.end(), I.site) != A.Sites.end())
      return 1;
  const double Ratio = It->second.second / It->second.first;
  // The last chunk may be used in part.
  return Ratio * (UsedChunks[Inst] - 1.0) < EK_CHUNKS ? Ratio : 1;
}

/// A base instance of few pages has lines in every so many chunks only: a
/// page's lines lie in all chunks up to the next page's.
void Extrapolator::shape(BaseDemand &Q, unsigned Parts, double Stretch) const {
  Q.Parts = Parts;
  Q.Stretch = Stretch;
  Q.Shape.clear();
  const double PerPage = double(EK_PAGE) * EK_CHUNKS /
                         std::max(1.0, double(B.Instances[Q.Inst].bytes));
  std::vector<UnitDemand> Sum(Parts);
  for (const ek_raw_miss *M : Q.Rows) {
    const unsigned Chunk = M->chunk;
    unsigned End = Chunk + 1;
    if (const double Page = std::ceil(Chunk / PerPage - 1e-9);
        PerPage > 1 && unsigned(Page * PerPage + 1e-9) == Chunk)
      End = std::clamp(unsigned((Page + 1) * PerPage + 1e-9), Chunk + 1,
                       unsigned(EK_CHUNKS));
    unsigned Begin = Chunk;
    if (Stretch != 1) {
      Begin = std::min(unsigned(Chunk * Stretch), unsigned(EK_CHUNKS) - 1);
      End = std::clamp(unsigned(std::ceil(End * Stretch)), Begin + 1,
                       unsigned(EK_CHUNKS));
    }
    const double Part = 1.0 / (End - Begin);
    for (unsigned C = Begin; C < End; ++C) {
      UnitDemand &Z = Sum[C * Parts / EK_CHUNKS];
      Z.ReadLines += static_cast<double>(M->reads) * Part;
      Z.WriteLines += static_cast<double>(M->writes) * Part;
      Z.Exposed += M->weight * Part;
    }
  }
  for (unsigned K = 0; K < Parts; ++K) {
    UnitDemand &Z = Sum[K];
    Z.Unit = K;
    if (Z.ReadLines > 0 || Z.WriteLines > 0 || Z.Exposed > 0)
      Q.Shape.push_back(Z);
  }
}

PredictedTask Extrapolator::task(uint32_t T,
                                 const std::vector<uint32_t> &FirstUnit) {
  const ek_raw_task &Row = B.Tasks[T];
  PredictedTask X;
  X.Region = Row.region;
  X.Index = Row.index;
  X.Explicit = Row.flags & 1;

  double Accesses0 = 0, Accesses1 = 0;
  for (BaseDemand &Q : Demands[T]) {
    const uint32_t Inst = Q.Inst;
    Ratio C = cachedRatio(T, P.Instances[Inst].Site);
    double S = SizeRatio[Inst];
    double Weight = Q.Accesses; // in the task's work
    // A formula none of whose symbols has a value of the target says nothing
    // about a target whose objects have other sizes.
    if (C.How.Kept && !C.How.Changed && std::fabs(S - 1) > 1e-9)
      C.Usable = false;
    if (C.Usable && C.How.Kept && !Target.empty())
      count("count: a symbol of a closed form kept its base value");
    if (C.Usable) {
      count(C.How.Scaled  ? "count: closed form, measured symbol scaled"
            : C.How.Sized ? "count: closed form, from the size it fills"
            : C.How.Inherited
                ? (C.How.Measured
                       ? "count: closed form, measured symbol taken from its "
                         "like"
                       : "count: closed form, symbol taken from its namesake")
            : C.How.Measured ? "count: closed form, measured symbol given"
                             : "count: closed form");
    } else if (P.Instances[Inst].Method != BaseMethod || !knowsTarget()) {
      C.All = C.Writes = S;
      // The size of a block that is gone over again and again says how large it
      // is, not how often that happens: only as many accesses as it has words
      // speak for the task's work.
      Weight = std::min(Weight, double(B.Instances[Inst].bytes) / WordBytes);
      // A call's own array says nothing of how many calls there will be.
      if (const SiteFact *Of = F.site(P.Instances[Inst].Site);
          Of && (Of->Kind == "stack" || Of->Kind == "alloca"))
        Weight = 0;
      count("count: size ratio");
    } else if (HaveWork) {
      C.All = C.Writes = WorkRatio;
      count("count: ratio of the program's work");
    } else {
      count("count: base count kept");
    }
    Accesses0 += Weight;
    Accesses1 += Weight * C.All;

    const bool AsTeam = knowsTarget();
    const double TeamMlp = AsTeam ? Q.TeamMlp : 0;
    CacheEffect Cache =
        cacheEffect(AsTeam && Q.TeamCurve ? Q.TeamCurve : Q.Curve, S);
    count(Cache.Method);
    double Reads = Cache.Lines
                       ? *Cache.Lines
                       : Q.Reads * (AsTeam ? Q.TeamScaled : 1) * Cache.Ratio;
    Reads *= C.All;
    // What never left the caches on the base input may do so on another: a
    // small object with very many accesses is worth its few bytes.
    if (AsTeam)
      Reads = std::max(Reads, Unseen * Q.Accesses * C.All);
    // A line cannot come more often than it is accessed.
    if (Q.Accesses > 0)
      Reads = std::min(Reads, std::max(Q.Accesses * C.All, Q.Reads * C.All));

    const unsigned Parts = FirstUnit[Inst + 1] - FirstUnit[Inst];
    const double Stretch = knowsTarget() ? stretchOf(Inst) : 1;
    if (Q.Parts != Parts || Q.Stretch != Stretch)
      shape(Q, Parts, Stretch);
    if (Q.Reads > 0) {
      const double Scale = Reads / Q.Reads;
      for (const UnitDemand &Z : Q.Shape)
        X.Demand.Units.push_back(
            {FirstUnit[Inst] + Z.Unit, Z.ReadLines * Scale,
             Z.WriteLines * C.Writes,
             (TeamMlp > 0 ? Z.ReadLines * TeamMlp : Z.Exposed) * Scale});
      continue;
    }
    // Lines without a base histogram are spread over the whole instance. A task
    // whose part stayed in its caches overlaps as its team does.
    double Mlp = AllReads > 0 ? AllWeight / AllReads : 1;
    if (Overlap[Inst].second > 0)
      Mlp = Overlap[Inst].first / Overlap[Inst].second;
    if (auto Team = TeamOverlap.find({Row.phase, Inst});
        Team != TeamOverlap.end() && Team->second.second > 0)
      Mlp = Team->second.first / Team->second.second;
    if (TeamMlp > 0)
      Mlp = TeamMlp;
    auto Z = Q.Shape.begin();
    for (unsigned K = 0; K < Parts; ++K) {
      UnitDemand Y;
      Y.Unit = FirstUnit[Inst] + K;
      Y.ReadLines = Reads / Parts;
      Y.Exposed = Reads * Mlp / Parts;
      if (Z != Q.Shape.end() && Z->Unit == K)
        Y.WriteLines = (Z++)->WriteLines * C.Writes;
      if (Y.ReadLines > 0 || Y.WriteLines > 0)
        X.Demand.Units.push_back(Y);
    }
  }

  double Core = 1;
  if (Accesses0 > 0) {
    Core = Accesses1 / Accesses0;
    count("core time: ratio of the task's accesses");
  } else {
    // No object was recorded: the region's own formulas, if any.
    double Old = 0, New = 0;
    Trace How;
    for (const AccessFact *A : AccessesIn[Row.region])
      for (const ExprRef &E : {A->Reads, A->Writes}) {
        std::optional<double> V0 = E ? evalBase(*E, T) : std::nullopt;
        std::optional<double> V1 = V0 ? evalTarget(*E, T, How) : std::nullopt;
        if (V1 && *V0 > 0) {
          Old += *V0;
          New += std::max(0.0, *V1);
        }
      }
    if (Old > 0) {
      Core = New / Old;
      count("core time: ratio of the region's formulas");
    } else if (HaveWork) {
      Core = WorkRatio;
      count("core time: ratio of the program's work");
    } else {
      count("core time: base time kept");
    }
  }
  X.Demand.CoreSeconds =
      static_cast<double>(Row.core_cycles) * Core / (R.M->GHz * 1e9);
  return X;
}

/// Phases and tasks are those of the base.
void Extrapolator::tasks() {
  std::vector<uint32_t> FirstUnit(P.Instances.size() + 1, 0);
  for (const Unit &U : P.Units)
    ++FirstUnit[U.Instance + 1];
  for (size_t I = 0; I < P.Instances.size(); ++I)
    FirstUnit[I + 1] += FirstUnit[I];
  P.Phases.resize(B.Phases.size());
  for (uint32_t H = 0; H < B.Phases.size(); ++H) {
    const ek_raw_phase &Row = B.Phases[H];
    P.Phases[H].Phase = H;
    P.Phases[H].Gathered = Gathered[H];
    uint32_t Team = Row.kind == 1 ? Row.width : 0;
    P.Phases[H].Workers = std::max(1u, Team ? Team : B.Config.workers);
  }
  // Of phases that are over, only teams that gather are compared with what was
  // measured.
  auto Left = [&](uint32_t H) {
    return H < From && (Explicit[H] || Gathered[H].empty());
  };
  std::vector<uint32_t> Local(B.Tasks.size(), 0);
  for (uint32_t T = 0; T < B.Tasks.size(); ++T) {
    if (Left(B.Tasks[T].phase))
      continue;
    PredictedPhase &H = P.Phases[B.Tasks[T].phase];
    Local[T] = static_cast<uint32_t>(H.Tasks.size());
    H.Tasks.push_back(task(T, FirstUnit));
  }
  for (const ek_raw_dep &E : B.Deps)
    if (B.Tasks[E.task].phase == B.Tasks[E.pred].phase &&
        !Left(B.Tasks[E.task].phase))
      P.Phases[B.Tasks[E.task].phase].Tasks[Local[E.task]].Preds.push_back(
          Local[E.pred]);
  // A phase goes by the region most of its tasks run.
  for (PredictedPhase &H : P.Phases) {
    std::map<uint64_t, unsigned> Votes;
    unsigned Most = 0;
    for (const PredictedTask &T : H.Tasks)
      if (++Votes[T.Region] > Most) {
        Most = Votes[T.Region];
        H.Region = T.Region;
      }
  }
}

MaybeError Extrapolator::start() {
  if (B.Tasks.empty())
    return Error{"empty profile: no task was recorded; record it with "
                 "`evenkeel record`"};
  if (B.Role == "target")
    return Error{"the profile has the role 'target': a plan must not be made "
                 "from the run it is for; record a base input with "
                 "`evenkeel record`"};
  readBase();
  if (MaybeError E = readGiven())
    return E;
  follow();
  inheritMeasured();
  findFills();
  readDemands();
  levelTeams();
  GivenTarget = Target;
  return std::nullopt;
}

Extrapolator::Extrapolator(const PlanRequest &R)
    : R(R), F(*R.F), B(*R.Base), Defined(F, B) {
  Bad = start();
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
  Learned = std::move(Now);
  Target = FromUser;
  ByPhase.clear();
  for (const auto &[Key, Value] : Learned)
    if (Key.second == EK_NO_TASK)
      Target[Key.first].Program = Value;
    else
      ByPhase[Key.first].Seen[Key.second] = Value;
  for (auto &[Id, V] : ByPhase)
    V.Growth = growth(Id, V.Seen);
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
    if (Old == 0 || (Out && std::fabs(New->second / Old - *Out) > 1e-9 * *Out))
      return std::nullopt;
    Out = New->second / Old;
  }
  return Out;
}

Expected<Problem> Extrapolator::run(const std::vector<PredictedInstance> &Known,
                                    uint32_t First,
                                    const std::vector<KnownSymbol> &Symbols) {
  if (Bad)
    return *Bad;
  learn(Symbols);
  const bool KnewSizes = KnowsSizes;
  KnowsSizes = !Known.empty();
  From = First;
  P = Problem();
  SizeRatio.clear();
  Counted.clear();
  Target = GivenTarget;
  // Whether any size is known changes what symbols without a value stand for.
  if (!HaveSiteAccesses || KnewSizes != KnowsSizes) {
    programWork();
    siteAccesses();
    Ratios.clear();
    HaveSiteAccesses = true;
  }
  sizes(Known);
  sizeSymbols();
  inheritMeasured();
  if (!(Target == RatiosFor)) {
    Ratios.clear();
    RatiosFor = Target;
  }
  units();
  tasks();
  for (auto [Method, N] : Counted)
    P.Methods[Method] += N;
  if (knowsTarget() && TeamsLevelled)
    P.Methods["gathers: the team's rate for all its tasks"] += TeamsLevelled;
  for (uint32_t H = 0; H < P.Phases.size(); ++H) {
    double Live = 0;
    for (const PredictedInstance &I : P.Instances)
      if (isLive(I, H))
        Live += I.Bytes;
    P.PeakBytes = std::max(P.PeakBytes, Live);
  }
  Expected<uint64_t> Fast =
      parseFastSize(R.Fast, static_cast<uint64_t>(P.PeakBytes));
  if (!Fast)
    return Fast.takeError();
  P.FastBytes = static_cast<double>(*Fast);
  return std::move(P);
}

} // namespace extrapolation

TargetPredictor::TargetPredictor(const PlanRequest &R)
    : Own(std::make_unique<extrapolation::Extrapolator>(R)) {}
TargetPredictor::~TargetPredictor() = default;

Expected<Problem>
TargetPredictor::predict(const std::vector<PredictedInstance> &KnownSizes,
                         uint32_t From,
                         const std::vector<KnownSymbol> &KnownSymbols) {
  return Own->run(KnownSizes, From, KnownSymbols);
}

} // namespace evenkeel

Expected<Problem> evenkeel::predictTarget(const PlanRequest &R) {
  return TargetPredictor(R).predict(R.KnownSizes, 0, R.KnownSymbols);
}
