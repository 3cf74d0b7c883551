//===- PhaseUnder.cpp - a phase under a slightly changed placement --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PhaseUnder.h.
//===----------------------------------------------------------------------===//
#include "PhaseUnder.h"
#include "SpanParts.h"
#include "Spans.h"
#include "tuning/Tuning.h"
#include <optional>
#include <tuple>
#include <utility>

using namespace evenkeel;

namespace {
/// A demand of a task, sorted by unit.
struct Use {
  uint32_t Unit, Task, Index;
  bool operator<(const Use &O) const {
    return std::tie(Unit, Task, Index) < std::tie(O.Unit, O.Task, O.Index);
  }
};

/// The sums of one task. Those that not every phase needs are computed on
/// demand.
struct TaskSums {
  size_t Uneven = 0; // number of pairs of units
  std::array<double, 2> Early = {};
  std::vector<double> Gains[3]; // without latency, per ns of each tier
  std::optional<Traffic> Course;
  Traffic::Times Times;
};
} // namespace

struct PhaseUnder::Sums {
  const PredictedPhase &P;
  const std::vector<double> &Fast;
  const TaskGraph Graph;
  const bool HasCourse;
  const Span All;
  std::vector<Use> Uses; // sorted
  std::vector<TaskSums> Tasks;
  size_t Uneven = 0; // number of pairs over all tasks
  std::optional<CourseLoads> Loads;

  Sums(const PredictedPhase &P, const std::vector<double> &Fast,
       const Machine &M, const Model &Mod)
      : P(P), Fast(Fast), Graph(P), HasCourse(hasCourse(P)),
        All(wholeSpan(P, Fast, M, Mod)), Tasks(P.Tasks.size()) {
    std::vector<double> L(M.Tiers.size(), 0);
    for (uint32_t T = 0; T < Tasks.size(); ++T) {
      const TaskDemand &D = P.Tasks[T].Demand;
      TaskSums &S = Tasks[T];
      Mod.gains(D, M, L, S.Gains[0]);
      L.front() = 1;
      Mod.gains(D, M, L, S.Gains[1]);
      L.front() = 0;
      L.back() = 1;
      Mod.gains(D, M, L, S.Gains[2]);
      L.back() = 0;
      for (uint32_t I = 0; I < D.Units.size(); ++I) {
        const UnitDemand &U = D.Units[I];
        Uses.push_back({U.Unit, T, I});
        S.Early[0] += U.OpeningWrites * Fast[U.Unit];
        S.Early[1] += U.OpeningWrites * (1 - Fast[U.Unit]);
        if (I > 0 && isOneWalk(D.Units[I - 1], U) &&
            std::fabs(Fast[U.Unit] - Fast[D.Units[I - 1].Unit]) >
                figures().SameShare)
          ++S.Uneven;
      }
      Uneven += S.Uneven;
    }
    std::sort(Uses.begin(), Uses.end());
  }

  const CourseLoads &courses() {
    if (!Loads) {
      Loads.emplace();
      for (const PredictedTask &T : P.Tasks)
        for (const UnitDemand &U : T.Demand.Units) {
          Loads->add(U, 0, U.ReadLines * Fast[U.Unit], true);
          Loads->add(U, 1, U.ReadLines * (1 - Fast[U.Unit]), true);
        }
    }
    return *Loads;
  }
  const Traffic &traffic(size_t T, bool HasOpening) {
    TaskSums &S = Tasks[T];
    if (!S.Course) {
      S.Course.emplace(P.Tasks[T].Demand, Fast, HasOpening);
      S.Times = Traffic::timesOf(P.Tasks[T].Demand);
    }
    return *S.Course;
  }
};

namespace {

/// The sums with the units of some uses in slow memory.
template <class Known> class Changed {
  Known &Of;
  std::vector<Use> Uses; // by task and index
  std::optional<Traffic> Last;

  const UnitDemand &demand(const Use &X) const {
    return Of.P.Tasks[X.Task].Demand.Units[X.Index];
  }
  bool isGone(uint32_t Task, size_t Index) const {
    const Use Key{0, Task, uint32_t(Index)};
    auto It = std::lower_bound(Uses.begin(), Uses.end(), Key, before);
    return It != Uses.end() && !before(Key, *It);
  }
  static bool before(const Use &A, const Use &B) {
    return std::tie(A.Task, A.Index) < std::tie(B.Task, B.Index);
  }
  bool uses(size_t Task) const {
    auto It = std::lower_bound(Uses.begin(), Uses.end(),
                               Use{0, uint32_t(Task), 0}, before);
    return It != Uses.end() && It->Task == Task;
  }
  template <class Do> void each(size_t Task, Do What) const {
    auto It = std::lower_bound(Uses.begin(), Uses.end(),
                               Use{0, uint32_t(Task), 0}, before);
    for (; It != Uses.end() && It->Task == Task; ++It)
      What(*It, demand(*It));
  }
  /// Whether units \p I - 1 and \p I of a task belong to one walk and lie in
  /// different tiers, now or (\p After) after the change.
  bool differ(uint32_t Task, size_t I, bool After) const {
    const auto &U = Of.P.Tasks[Task].Demand.Units;
    if (I == 0 || I >= U.size() || !isOneWalk(U[I - 1], U[I]))
      return false;
    auto Share = [&](size_t K) {
      return After && isGone(Task, K) ? 0 : Of.Fast[U[K].Unit];
    };
    return std::fabs(Share(I) - Share(I - 1)) > figures().SameShare;
  }

public:
  Changed(Known &Of, std::vector<Use> Which) : Of(Of), Uses(std::move(Which)) {
    std::sort(Uses.begin(), Uses.end(), before);
  }

  Span whole() const {
    Span All = Of.All;
    for (const Use &X : Uses) {
      const UnitDemand &U = demand(X);
      const auto &Gains = Of.Tasks[X.Task].Gains;
      const double Was = Of.Fast[U.Unit], Base = Gains[0][X.Index];
      SpanTask &T = All.Tasks[X.Task];
      T.Base += Base * Was;
      T.PerFast += (Gains[1][X.Index] - Base) * Was;
      T.PerSlow += (Gains[2][X.Index] - Base) * Was;
      T.Lines[ReadFast] -= U.ReadLines * Was;
      T.Lines[ReadSlow] += U.ReadLines * Was;
      T.Lines[WriteFast] -= U.WriteLines * Was;
      T.Lines[WriteSlow] += U.WriteLines * Was;
    }
    // Remove negative rounding errors of sums that became zero.
    for (SpanTask &T : All.Tasks) {
      T.PerFast = std::max(0.0, T.PerFast);
      for (double &Lines : T.Lines)
        Lines = std::max(0.0, Lines);
    }
    return All;
  }
  bool isUneven() const {
    size_t Pairs = Of.Uneven;
    for (const Use &X : Uses)
      for (size_t I : {size_t(X.Index), size_t(X.Index) + 1}) {
        if (I > X.Index && isGone(X.Task, I))
          continue; // the next use counts the pair
        Pairs += differ(X.Task, I, true);
        Pairs -= differ(X.Task, I, false);
      }
    return Pairs != 0;
  }
  CourseLoads courses() {
    CourseLoads Out = Of.courses();
    for (const Use &X : Uses) {
      const UnitDemand &U = demand(X);
      const double Its = U.ReadLines * Of.Fast[U.Unit];
      Out.add(U, 0, -Its, true);
      Out.add(U, 1, Its, true);
    }
    return Out;
  }
  const Traffic &traffic(size_t T, bool HasOpening) {
    const Traffic &Was = Of.traffic(T, HasOpening);
    if (!uses(T))
      return Was;
    Last.emplace(Was);
    each(T, [&](const Use &X, const UnitDemand &U) {
      Last->shift(U, Of.Tasks[T].Times[X.Index], -Of.Fast[U.Unit]);
    });
    return *Last;
  }
  std::array<double, 2> early(size_t T) const {
    std::array<double, 2> Out = Of.Tasks[T].Early;
    each(T, [&](const Use &, const UnitDemand &U) {
      Out[0] -= U.OpeningWrites * Of.Fast[U.Unit];
      Out[1] += U.OpeningWrites * Of.Fast[U.Unit];
    });
    return Out;
  }
};

size_t demandsIn(const PredictedPhase &P) {
  size_t N = 0;
  for (const PredictedTask &T : P.Tasks)
    N += T.Demand.Units.size();
  return N;
}

} // namespace

PhaseUnder::PhaseUnder(const PredictedPhase &P, std::vector<double> &Fast,
                       const Machine &M, const Model &Mod)
    : P(P), Fast(Fast), M(M), Mod(Mod), Demands(demandsIn(P)),
      Now(phaseState(P, Fast, M, Mod)) {}
PhaseUnder::PhaseUnder(PhaseUnder &&) noexcept = default;
PhaseUnder::~PhaseUnder() = default;

PhaseState PhaseUnder::anew(const std::vector<uint32_t> &Units) const {
  std::vector<double> Was;
  for (uint32_t U : Units)
    Was.push_back(std::exchange(Fast[U], 0));
  Visited += Demands;
  PhaseState Out = phaseState(P, Fast, M, Mod);
  for (size_t I = 0; I < Units.size(); ++I)
    Fast[Units[I]] = Was[I];
  return Out;
}

PhaseState PhaseUnder::without(const std::vector<uint32_t> &Units) const {
  // A unit has one demand in each task that uses it.
  if (!Mod.isAffineInShares() ||
      Units.size() * P.Tasks.size() * size_t(figures().SmallPart) > Demands)
    return anew(Units);
  if (!Known) {
    Known = std::make_unique<Sums>(P, Fast, M, Mod);
    Visited += Demands;
  }
  std::vector<Use> Uses;
  for (uint32_t U : Units)
    for (auto It = std::lower_bound(Known->Uses.begin(), Known->Uses.end(),
                                    Use{U, 0, 0});
         It != Known->Uses.end() && It->Unit == U; ++It)
      Uses.push_back(*It);
  Visited += Uses.size();
  Changed<Sums> Parts(*Known, std::move(Uses));
  return settleSpans(P, spansFrom(P, Parts.whole(), Known->HasCourse, M, Parts),
                     Known->Graph, M);
}
