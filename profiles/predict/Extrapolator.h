//===- Extrapolator.h - parts of the extrapolation --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the parts of the extrapolation share; the class whose members are
// spread over the files of this folder, one concept each.
// Leaves out: what others see of it (Extrapolate.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_EXTRAPOLATE_EXTRAPOLATOR_H
#define EVENKEEL_PROFILES_PLANNER_EXTRAPOLATE_EXTRAPOLATOR_H

#include "base/WriteBacks.h"
#include "predict/measured/Owners.h"
#include "predict/symbols/Definitions.h"
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace evenkeel {
namespace extrapolation {

/// What most accesses of numerical code take.
constexpr double WordBytes = 8;

/// What is known of one symbol on the base input.
struct BaseValues {
  const SymbolFact *Fact = nullptr;
  std::unordered_map<uint32_t, double> PerTask; // by row of Profile.Tasks
  std::set<uint32_t> Indices; // of tasks with a value, in any phase
  bool Told = false;          // the program could tell it
  std::optional<double> Program;
  std::map<uint32_t, double> PerRank; // of the program, where ranks differ
  bool OneValue = true;               // every recorded value is the same
  bool Differs = false;               // see differsInTeam
  std::optional<double> First;
};

struct TargetValues {
  std::unordered_map<uint32_t, double> PerIndex; // by task index (--for X@T)
  std::optional<double> Program;
  bool Inherited = false;
  bool Sized = false;
  bool Scaled = false; // as another that it goes with
  bool Partly = false; // follows from given values and from kept ones

  bool operator==(const TargetValues &O) const {
    return PerIndex == O.PerIndex && Program == O.Program &&
           Inherited == O.Inherited && Sized == O.Sized && Scaled == O.Scaled &&
           Partly == O.Partly;
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
  bool Idle = false;    // a loop did not run on the base input
  bool Below = false;   // a symbol is below what formulas hold for

  void add(const Trace &T) {
    Scaled |= T.Scaled;
    Kept |= T.Kept;
    Measured |= T.Measured;
    Inherited |= T.Inherited;
    Sized |= T.Sized;
    Changed |= T.Changed;
    Derived |= T.Derived;
    Idle |= T.Idle;
    Below |= T.Below;
  }
};

constexpr char KnownMethod[] = "known at the hook";
constexpr char FormulaMethod[] = "size formula";
constexpr char BaseMethod[] = "base size kept";
constexpr char UntoldMethod[] = "base size: its formula names nothing given";
constexpr char FilledMethod[] = "as much as is written into it";

/// Share of accesses taken to miss at least, on an input never run: 1 in 4096
/// costs a stream nothing (it misses 1 in 8 or 16) and no prediction 0.1 %.
constexpr double Unseen = 1.0 / 4096;

/// Smaller counts agree by chance.
constexpr double LeastTelling = 1000;

constexpr uint32_t AnyInstance = ~0u;

/// Which expression of an access.
enum class CountOf { Reads, Writes, Run };
constexpr unsigned CountsOfAccess = 3;

/// Value of a count expression in a task.
struct Count {
  std::optional<double> V;
  Trace How;
  bool Evaluated = false;
};

/// Those of all tasks, by row of Profile.Tasks, each three of an access; a task
/// without any is to be evaluated. They hold for these values of the target.
struct CountTable {
  std::vector<std::vector<Count>> Of;
  std::unordered_map<uint64_t, TargetValues> For;
  std::unordered_map<uint64_t, uint64_t> TotalOf;
  bool KnewTarget = false;
};

/// What is another than it was: symbols in all tasks, and all in some phases.
struct Changes {
  bool All = false;
  std::set<uint64_t> Symbols;
  std::set<uint32_t> Phases;
};

/// How much more a task accesses an object on the target.
struct Ratio {
  double All = 1, Writes = 1;
  bool Usable = false;
  Trace How;
};

/// What a task did to an object on the base input.
struct BaseDemand {
  uint32_t Inst = 0, Pattern = 0;
  double Reads = 0, Writes = 0, Weight = 0, Accesses = 0; // lines; accesses
  double Loads = 0, Stores = 0;                           // of Accesses
  double Dirty = 0;     // share of the lines read that it writes to
  double PushedOut = 0; // of Writes, as DirtyCaches has it
  double OfGone = 0;    // of Writes, lines that freed objects had left there
  bool Walked = false;  // in the order of its addresses
  bool Random = false;  // in an order that data say
  /// Of what it walks through, the part that is its own, as shares of the
  /// object; To = 0: not known.
  double From = 0, To = 0;
  const ek_raw_mrc *Curve = nullptr;
  std::vector<const ek_raw_miss *> Rows;
  // Where the team gathers, and the target is another input than the base:
  double TeamMlp = 0;    // exposed latencies per line
  double TeamScaled = 1; // lines per access, over the task's own
  const ek_raw_mrc *TeamCurve = nullptr;
  /// Rows dealt out to Parts equal parts of the object; Parts = 0: not yet.
  unsigned Parts = 0;
  double Stretch = 1;            // of the rows, along the object
  bool Loose = false;            // rows lie about where they lay
  std::vector<UnitDemand> Shape; // Unit: number of the part
  mutable Ratio Its;             // see Extrapolator::cachedRatio
  mutable unsigned ItsTime = 0;

  /// How much of the K-th of \p Count equal parts of the object is its own.
  double inPart(unsigned K, unsigned Count) const {
    return std::max(0.0, std::min(K + 1.0, To * Count) -
                             std::max(double(K), From * Count));
  }
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
  /// Sizes that P was last made for; null: another base, or nothing yet.
  std::optional<std::vector<PredictedInstance>> Last;
  std::unordered_map<uint64_t, BaseValues> Base;
  using Values = std::unordered_map<uint64_t, TargetValues>;
  Values Target, GivenTarget; // now; before any size is known
  double WorkRatio = 1;       // whole program, over usable closed forms
  bool HaveWork = false;
  /// Measured symbol -> given symbol that its total over a phase's tasks is.
  std::unordered_map<uint64_t, uint64_t> TotalOf;
  std::set<uint64_t> Busy;       // symbols being scaled: cycle guard
  std::vector<double> SizeRatio; // per instance
  Owners Who;                    // has whose objects on the target
  bool OfOwn = false;            // the expression is for such an object

  /// A region that writes each element of a site's one instance once.
  struct Fill {
    const AccessFact *Access;
    std::vector<uint32_t> Tasks;
  };
  std::map<uint64_t, Fill> Fills; // by site
  /// A region that does so by several accesses: one makes them Symbol times,
  /// of whose growth least is known; the others are Rest.
  struct JointFill {
    Fill Of;
    uint64_t Symbol = 0;
    std::vector<const AccessFact *> Rest;
  };
  std::map<uint64_t, JointFill> JointFills; // by site
  std::map<uint64_t, Fill> ReadThrough;     // by symbol: so often
  /// Threads' tasks of the base, by phase and index.
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> ThreadTask;

  using Key = std::pair<uint64_t, uint64_t>; // region, site
  std::map<Key, std::vector<const AccessFact *>> AccessesOf;
  std::map<uint64_t, std::vector<const AccessFact *>> AccessesIn;
  std::unordered_map<const AccessFact *, size_t> PlaceOf;       // in AccessesIn
  std::unordered_map<uint64_t, std::set<uint64_t>> RegionsWith; // by symbol
  std::unordered_map<uint64_t, std::vector<uint32_t>> TasksIn;  // by region
  std::unordered_map<uint32_t, std::vector<uint32_t>> TasksAt;  // by phase
  CountTable BaseCounts;
  CountTable GivenCounts, Counts; // before any size is known; now
  std::map<Key, double> Usual; // accesses of a task of the region, on average

  // What follows from the base and from what is given alone is worked out once;
  // the rest again only when values of the target changed.
  std::vector<std::vector<BaseDemand>> Demands; // by task, rising Inst
  using Weighed = std::pair<double, double>;    // exposed latencies, reads
  std::map<std::pair<uint32_t, uint32_t>, Weighed> Overlap;     // pattern, inst
  std::map<std::pair<uint32_t, uint32_t>, Weighed> TeamOverlap; // phase, inst
  /// Of all lines that miss the first cache, as if they came from memory; and
  /// of those, as many as the smallest last level lets through.
  struct FarLines {
    double Weight = 0, Reads = 0, Accesses = 0, Through = 0;
    Weighed Came; // what the caches did not hold on the base input
  };
  /// By sync point at which phases end, and instance: few lines of each phase
  /// are weighed.
  std::map<std::pair<uint64_t, uint32_t>, FarLines> TeamFar;
  std::map<std::pair<uint32_t, uint32_t>, ek_raw_mrc> TeamCurve;
  std::vector<SharedList<uint32_t>> Gathered;  // by phase
  std::vector<SharedList<uint32_t>> Scattered; // as in PredictedPhase
  /// By instance: the first and the last that is fetched.
  std::vector<std::pair<unsigned, unsigned>> UsedChunks;
  /// Of a folded base, by phase: the one whose tasks stand for its own, itself
  /// or before it; of those for how many phases they stand, else 0, and the
  /// last of these. Others of a base that is not folded stand for themselves.
  std::vector<uint32_t> Like, LastLike;
  std::vector<double> Times;
  std::vector<bool> Explicit;      // by phase: has explicit tasks
  std::vector<uint32_t> PhaseKind; // see PredictedPhase
  std::vector<bool> TakesTurns;  // by phase: others like it are of other kinds
  std::vector<uint32_t> InOrder; // rows of tasks, phase by phase
  /// By row: what it fetches on the target; of a phase that is over, as it was
  /// last predicted.
  std::vector<std::vector<DirtyCaches::Fetch>> Fetched;
  unsigned Repeats = 1;         // in how many phases what is counted comes
  std::vector<double> BaseGone; // by row: see leftByGone
  std::vector<uint32_t> Began;  // by row: where its execution began
  /// By row, of explicit tasks: place among the phase's tasks of the region,
  /// and by (phase, region) their number. A taskloop is dealt out among them.
  std::vector<unsigned> Place;
  std::map<std::pair<uint32_t, uint64_t>, unsigned> Made;
  double AllWeight = 0, AllReads = 0;
  unsigned TeamsLevelled = 0;
  /// Accesses of a site over the whole program, base and target.
  std::map<uint64_t, std::pair<double, double>> SiteAccesses;
  bool HaveSiteAccesses = false;
  unsigned RatioTime = 1;           // rises when any value changes
  std::vector<unsigned> RatiosFrom; // by task: older ones are of other values
  Values FromUser;                  // values of the target that people gave
  std::map<std::pair<uint64_t, uint32_t>, double> Learned; // seen at hooks
  /// Of those that single phases had; growth: over the base's, if the same in
  /// all of them.
  struct PhaseValues {
    std::map<uint32_t, double> Seen;
    std::map<uint32_t, uint32_t> OfKind; // the last phase seen of each kind
    std::optional<double> Growth;
  };
  std::unordered_map<uint64_t, PhaseValues> ByPhase;
  /// How accesses of unknown growth go with those of some instances (Terms):
  /// a constant and a power for each. Alike: what all tasks accessed as often.
  struct PowerLaw {
    std::vector<uint32_t> Terms, Alike;
    std::vector<double> Powers, Inverse; // of the normal equations
    double Variance = 0;
  };
  std::map<uint64_t, PowerLaw> PowerLaws; // by region
  /// Region, sync point at which the phase ends, site.
  using SizeGrowthKey = std::tuple<uint64_t, uint64_t, uint64_t>;
  /// Accesses go with (S^(1/Dimensions) + Edge)^Dimensions, S in bytes; without
  /// dimensions with S^Power.
  struct SizeGrowth {
    double Power = 1;
    unsigned Dimensions = 0;
    double Edge = 0;

    /// From \p Bytes to \p Ratio times as many.
    double over(double Bytes, double Ratio) const;
  };
  std::map<SizeGrowthKey, SizeGrowth> SizeGrowths;
  /// Of P.Methods, where the method is one of a fixed text.
  std::unordered_map<const char *, unsigned> Counted;

  /// alpha'/alpha, or the lines themselves where alpha was 0.
  struct CacheEffect {
    double Ratio = 1;
    std::optional<double> Lines;
    CacheWay Way = CacheWay::Same;
  };

  /// What a task does to an object on the target.
  struct Grown {
    Ratio C;
    CacheEffect Cache;
    double Reads = 0;  // lines
    double Weight = 0; // in the task's work, of its accesses
    CountWay Count = CountWay::BaseCount;
  };

public:
  explicit Extrapolator(const PlanRequest &R);

  Expected<Problem> run(const std::vector<PredictedInstance> &Known,
                        uint32_t From, const std::vector<KnownSymbol> &Symbols);
  bool learn(const Owners &Now);
  const Owners &owners() const { return Who; }

private:
  MaybeError start();
  /// Whether a phase has tasks of its own in the base's rows.
  bool stands(uint32_t Phase) const { return Like[Phase] == Phase; }
  /// In how many phases the target does what row \p Task says.
  double times(uint32_t Task) const { return Times[B.Tasks[Task].phase]; }
  void readLike();
  /// Whether the phase lies before those that are asked for, and so do those
  /// that it stands for.
  bool isOver(uint32_t Phase) const { return LastLike[Phase] < From; }
  bool knowsTarget() const { return !Target.empty() || KnowsSizes; }
  std::string sharedSizeOf(uint64_t Symbol) const;
  MaybeError readGiven();
  void follow();
  void learn(const std::vector<KnownSymbol> &Symbols);
  std::optional<double> growth(uint64_t Symbol,
                               const std::map<uint32_t, double> &Seen) const;
  void followDefinitions();
  void readBase();
  std::optional<double> baseValue(uint64_t Sym, uint32_t Task) const;
  std::optional<double> targetValue(uint64_t Sym, uint32_t Task, Trace &How);
  /// Of a program of several ranks: the one that \p Task belongs to.
  uint32_t rankOf(uint32_t Task) const;
  bool isRankNumber(const BaseValues &V) const;
  /// Whether threads of one team, or ranks, had different values, and not only
  /// because their numbers differ.
  bool differsInTeam(const BaseValues &V) const;
  EvalContext context(uint32_t Task) const;
  /// \p V, unless formulas say nothing of \p Symbol with that value.
  std::optional<double> inReach(uint64_t Symbol, std::optional<double> V,
                                Trace &How) const;
  std::optional<double> evalBase(const Expr &E, uint32_t Task,
                                 Trace &How) const;
  std::optional<double> evalBase(const Expr &E, uint32_t Task) const {
    Trace How;
    return evalBase(E, Task, How);
  }
  std::optional<double> evalTarget(const Expr &E, uint32_t Task, Trace &How);
  void readDependences();
  void forget(CountTable &Table, const Changes &C);
  void forget(const Changes &C);
  void refresh(CountTable &Table);
  template <typename EvaluatorT>
  const Count &countIn(CountTable &Table, const AccessFact &A, CountOf Which,
                       uint32_t Task, EvaluatorT Evaluate);
  std::optional<double> baseCount(const AccessFact &A, CountOf Which,
                                  uint32_t Task, Trace *How = nullptr);
  std::optional<double> targetCount(CountTable &Table, const AccessFact &A,
                                    CountOf Which, uint32_t Task, Trace &How);
  Ratio ratio(uint32_t Task, const BaseDemand &Q);
  const Ratio &cachedRatio(uint32_t Task, const BaseDemand &Q);
  bool growthKnown(uint32_t Task, const BaseDemand &Q);
  void fitPowerLaws();
  std::optional<double> growthByPowerLaw(uint32_t Task);
  void fitSizeGrowths();
  SizeGrowthKey sizeGrowthKey(uint32_t Task, const BaseDemand &Q) const;
  std::optional<double> sizeGrowth(uint32_t Task, const BaseDemand &Q,
                                   double S) const;
  void programWork();
  std::vector<uint32_t> wholeWalk(const AccessFact &A, const Expr &Count,
                                  double Bytes) const;
  void findFills();
  void findJointFills();
  double spreadOf(uint64_t Symbol) const;
  void siteAccesses();
  const SiteFact::Caller *callerOf(const ek_raw_inst &I) const;
  uint32_t makerOf(const ek_raw_inst &I) const;
  double smallBytes(const ek_raw_inst &I) const;
  void sizes(const std::vector<PredictedInstance> &KnownSizes);
  bool givesSize(const Expr &E, uint32_t Task, double Old) const;
  void sizeByFormula(const SiteFact &S, uint32_t Task, double Old,
                     const SiteFact::Caller *Whose, PredictedInstance &N);
  bool isSized(const PredictedInstance &N) const;
  bool isData(const PredictedInstance &N, double OldBytes) const;
  std::optional<double> dataGrowth(const std::vector<double> &OldBytes) const;
  void sizeSymbols();
  void sizeSymbol(const Fill &Of, uint64_t Symbol, double Bytes);
  uint32_t ownerNow(uint32_t Index) const;
  void inheritMeasured();
  void followAlike();
  void units();
  uint32_t patternOf(uint32_t T, uint32_t Inst) const;
  bool isWalked(uint32_t T, uint32_t Inst) const;
  bool isRandom(uint32_t T, uint32_t Inst) const;
  void findPhaseKinds();
  void readDemands();
  std::vector<double> bordersOf(const std::vector<uint32_t> &Team,
                                uint32_t Inst);
  void findParts();
  void readDirty();
  void
  readLeftByGone(uint32_t T,
                 const std::unordered_map<uint32_t, DirtyCaches::Back> &Back);
  double
  leftByGone(uint32_t T,
             const std::unordered_map<uint32_t, DirtyCaches::Back> &Back) const;
  DirtyCaches emptyCaches() const;
  using FetchesOf =
      std::function<const std::vector<DirtyCaches::Fetch> &(uint32_t)>;
  std::vector<DirtyCaches> cachesBefore(const FetchesOf &Of);
  void eachInOrder(const FetchesOf &Of,
                   const std::function<void(uint32_t, DirtyCaches &)> &Do);
  void levelTeams();
  bool isGathered(uint32_t Phase, uint32_t Inst) const;
  double stretchOf(uint32_t Inst) const;
  void shape(BaseDemand &Q, unsigned Parts, double Stretch, bool Loose) const;
  double mlpOf(uint32_t Phase, const BaseDemand &Q, double Lines) const;
  double farMlp(uint32_t Phase, const BaseDemand &Q, double Lines,
                double Mlp) const;
  std::pair<double, unsigned> sidesOf(const Expr &Count, uint32_t Task);
  double runWeight(uint32_t Task, const BaseDemand &Q, double Growth);
  Grown grow(uint32_t T, const BaseDemand &Q);
  void readUsual();
  double mayAccess(uint32_t T);
  bool isDetermined(uint32_t T, const std::vector<Grown> &All);
  void addFetch(uint32_t T, const BaseDemand &Q, double Lines);
  bool isLeft(uint32_t Phase) const;
  void fetches();
  PredictedTask task(uint32_t T, const std::vector<uint32_t> &FirstUnit,
                     DirtyCaches &Caches);
  void tasks();
  CacheEffect cacheEffect(const ek_raw_mrc *Curve, double S) const;
  void count(const char *Method) { Counted[Method] += Repeats; }
};

} // namespace extrapolation
} // namespace evenkeel

#endif
