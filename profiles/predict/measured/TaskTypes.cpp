//===- TaskTypes.cpp - correct task times by task type --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TaskTypes.h. The factor of a type is measured over predicted seconds,
// each summed over its tasks so far, so that long tasks count most. Core time
// and exposed latencies are scaled alike, because a time does not show which
// was wrong. Each thread of a team is a type of its own, because its part of
// the data is; explicit tasks are distinguished by work alone.
//===----------------------------------------------------------------------===//
#include "TaskTypes.h"
#include "problem/AlikePhases.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

using namespace evenkeel;

namespace {

struct Type {
  double Core = 0, Lines = 0; // of the first task seen
  double Took = 0, Said = 0;  // seconds, summed
};

/// The owner of a type: all tasks, or one thread.
using Owner = uint32_t;
Owner ownerOf(bool Explicit, uint32_t Index) { return Explicit ? 0 : Index; }

uint64_t syncOf(const PlanRequest &R, uint32_t Phase) {
  return R.Base && Phase < R.Base->Phases.size() ? R.Base->Phases[Phase].sync
                                                 : 0;
}

/// Measured times of tasks of a region.
class RegionTypes {
  std::map<Owner, std::vector<Type>> Types;

public:
  /// The type with this work; null: the owner has none.
  Type *find(Owner Of, double Core, double Lines) {
    for (Type &T : Types[Of])
      if (isSameWork(T.Core, Core) && isSameWork(T.Lines, Lines))
        return &T;
    return nullptr;
  }
  void add(const SeenType &X) {
    Type *T = find(X.Owner, X.CoreSeconds, X.Lines);
    if (!T) {
      Types[X.Owner].push_back({X.CoreSeconds, X.Lines, 0, 0});
      T = &Types[X.Owner].back();
    }
    T->Took += X.Took;
    T->Said += X.Said;
  }
  /// Measured over predicted time of types with similar work, plus a type at a
  /// distance of figures().WorkReach that was predicted correctly.
  double factorNear(double Core, double Lines) const {
    double Took = 0, Said = 0, All = 0;
    size_t Count = 0;
    for (const auto &[Of, Own] : Types)
      for (const Type &T : Own) {
        const double D2 = square(farness(T.Core, Core)) +
                          square(farness(T.Lines, Lines)) +
                          square(figures().SameWork);
        Took += T.Took / D2;
        Said += T.Said / D2;
        All += T.Said;
        ++Count;
      }
    if (!Count)
      return 1;
    const double Prior = All / double(Count) / square(figures().WorkReach);
    return (Took + Prior) / (Said + Prior);
  }

private:
  static double square(double X) { return X * X; }
  /// The distance of two amounts of work: 0 if they are equal, always below 1.
  static double farness(double A, double B) {
    const double Most = std::max(A, B);
    return Most > 0 ? std::fabs(A - B) / Most : 0;
  }
};

/// Whether \p T waits for data that \p H gathers, or that is scattered.
bool gathers(const PredictedTask &T, const PredictedPhase &H) {
  double All = 0, Its = 0;
  for (const UnitDemand &U : T.Demand.Units) {
    All += U.Exposed;
    for (const SharedList<uint32_t> *List : {&H.Gathered, &H.Scattered})
      if (std::binary_search(List->begin(), List->end(), U.Object))
        Its += U.Exposed;
  }
  return Its > figures().GatheringShare * All;
}

/// Region, explicit, sync point that ends the phase (between other sync points
/// the region does different work), and the kind of phase; AnyKind: all kinds.
using Key = std::tuple<uint64_t, bool, uint64_t, uint32_t>;

/// Calls \p Do with each measured task that is long enough.
template <typename What>
void eachMeasured(const Problem &P, const PlanRequest &R, What Do) {
  for (const MeasuredPhase &Seen : R.Measured)
    for (const auto &[Task, Said] : Seen.Expected) {
      auto [Explicit, Index] = Task;
      const auto &Times = Explicit ? Seen.ExplicitSeconds : Seen.TaskSeconds;
      auto Took = Times.find(Index);
      if (Took == Times.end() || !(Took->second >= figures().ShortestTask) ||
          !(Said.Seconds >= figures().ShortestTask))
        continue;
      SeenType X;
      X.Region = Said.Region;
      X.Sync = syncOf(R, Seen.Phase);
      X.Explicit = Explicit;
      X.Kind =
          Seen.Phase < P.Phases.size() ? P.Phases[Seen.Phase].Kind : AnyKind;
      X.Owner = ownerOf(Explicit, Index);
      X.CoreSeconds = Said.CoreSeconds;
      X.Lines = Said.Lines;
      X.Took = Took->second;
      X.Said = Said.Seconds;
      Do(X);
    }
}

} // namespace

bool evenkeel::isSameWork(double A, double B) {
  return std::fabs(A - B) <= figures().SameWork * std::max(A, B);
}

SeenTypes evenkeel::seenTypes(const Problem &P, const PlanRequest &R) {
  SeenTypes Out;
  Out.Base = R.Base ? R.Base->Input : "";
  eachMeasured(P, R,
               [&](const SeenType &X) { addSeenTypes(Out, {Out.Base, {X}}); });
  return Out;
}

void evenkeel::addSeenTypes(SeenTypes &To, const SeenTypes &More) {
  if (To.Rows.empty())
    To.Base = More.Base;
  for (SeenType X : More.Rows) {
    if (To.Base != More.Base)
      X.Kind = AnyKind;
    auto Same = std::find_if(To.Rows.begin(), To.Rows.end(), [&](auto &Y) {
      return std::tie(X.Region, X.Sync, X.Explicit, X.Kind, X.Owner) ==
                 std::tie(Y.Region, Y.Sync, Y.Explicit, Y.Kind, Y.Owner) &&
             isSameWork(X.CoreSeconds, Y.CoreSeconds) &&
             isSameWork(X.Lines, Y.Lines);
    });
    if (Same != To.Rows.end()) {
      Same->Took += X.Took;
      Same->Said += X.Said;
    } else if (To.Rows.size() < MostSeenTypes) {
      To.Rows.push_back(X);
    }
  }
}

TaskExpectation evenkeel::expectationOf(const PredictedTask &T,
                                        double Seconds) {
  TaskExpectation E;
  E.Region = T.Region;
  E.CoreSeconds = T.Demand.CoreSeconds / T.TypeFactor;
  for (const UnitDemand &U : T.Demand.Units)
    E.Lines += U.ReadLines + U.WriteLines;
  E.Seconds = Seconds / T.TypeFactor;
  return E;
}

void evenkeel::refineByTaskTypes(Problem &P, const PlanRequest &R,
                                 uint32_t From) {
  std::map<Key, RegionTypes> Regions;
  auto Add = [&](const SeenType &X) {
    for (uint32_t Kind : std::set{AnyKind, X.Kind})
      Regions[{X.Region, X.Explicit, X.Sync, Kind}].add(X);
  };
  for (SeenType X : R.Seen.Rows) {
    // Another base numbers its phases differently.
    if (!R.Base || R.Seen.Base != R.Base->Input)
      X.Kind = AnyKind;
    Add(X);
  }
  eachMeasured(P, R, Add);
  if (Regions.empty())
    return;
  auto Serial = [&](uint64_t Region) {
    const RegionFact *Of = R.F ? R.F->region(Region) : nullptr;
    return Of && Of->isSerial();
  };
  const AlikePhases Alike(
      P, From, [&](const PredictedPhase &H) { return syncOf(R, H.Phase); });
  editAlike(P, Alike, [&](PredictedPhase &H, uint32_t Count) {
    for (PredictedTask &T : H.Tasks.edit()) {
      if (T.ByOwnTimes)
        continue;
      const uint64_t Sync = syncOf(R, H.Phase);
      auto Seen = Regions.find({T.Region, T.Explicit, Sync, AnyKind});
      if (Seen == Regions.end())
        continue;
      const TaskExpectation E = expectationOf(T, 0);
      const Type *Same = nullptr;
      for (uint32_t Kind : {H.Kind, AnyKind})
        if (auto Own = Regions.find({T.Region, T.Explicit, Sync, Kind});
            !Same && Own != Regions.end())
          Same = Own->second.find(ownerOf(T.Explicit, T.Index), E.CoreSeconds,
                                  E.Lines);
      // Threads that gather were already corrected by times or samples
      // (Locality.h, Samples.h); pieces of serial code are of different types.
      if (!Same && ((!T.Explicit && gathers(T, H)) || Serial(T.Region)))
        continue;
      T.TypeFactor =
          std::clamp(Same ? Same->Took / Same->Said
                          : Seen->second.factorNear(E.CoreSeconds, E.Lines),
                     1 / figures().MostTypeFactor, figures().MostTypeFactor);
      P.Methods[Same ? "time: as tasks of the type took before"
                     : "time: as the region's other tasks took before"] +=
          Count;
      T.Demand.CoreSeconds *= T.TypeFactor;
      for (UnitDemand &U : T.Demand.Units)
        U.Exposed *= T.TypeFactor;
    }
  });
}
