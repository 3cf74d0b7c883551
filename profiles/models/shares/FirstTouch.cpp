//===- FirstTouch.cpp - the placement by first touch ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FirstTouch.h. A task touches a unit when the tasks of the base input
// first fetched it. If that is not known, tasks that walk through data touch it
// in address order. All tasks of a phase proceed at the same pace until fast
// memory is full.
//===----------------------------------------------------------------------===//
#include "FirstTouch.h"
#include "format/Course.h"
#include "problem/Problem.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace evenkeel;

namespace {

/// When a unit is first touched: evenly between From and To of its phase (0 to
/// 1).
struct Touch {
  double From = std::numeric_limits<double>::infinity(), To = 0;

  double doneAt(double When) const {
    if (When <= From)
      return 0;
    return When >= To ? 1 : (When - From) / (To - From);
  }
};

/// The touches of a phase, by unit. Units without a known time (used all the
/// time, or in no task) get the whole phase.
class Touches {
  const std::vector<Unit> &Units;
  std::vector<Touch> Of;

public:
  explicit Touches(const std::vector<Unit> &Units)
      : Units(Units), Of(Units.size()) {}

  Touch &operator[](uint32_t U) { return Of[U]; }

  void walk(const PredictedPhase &H) {
    // Explicit tasks run in order, as many at a time as there are workers.
    const size_t N = H.Tasks.size(), Workers = std::max(1u, H.Workers);
    const bool InTurn = N > Workers;
    const size_t LastTurn = N ? (N - 1) / Workers : 0;
    const double Turns = InTurn ? double(LastTurn + 1) : 1;
    for (size_t T = 0; T < N; ++T) {
      const size_t Turn = T / Workers;
      const double Begin = InTurn ? double(Turn) / Turns : 0;
      task(H.Tasks[T].Demand.Units, Begin, 1 / Turns);
    }
  }

private:
  void task(const std::vector<UnitDemand> &Its, double Begin, double Length) {
    for (size_t I = 0; I < Its.size();) {
      size_t End = I;
      double Lines = 0, Done = 0;
      for (; End < Its.size() && Its[End].Object == Its[I].Object; ++End)
        Lines += Its[End].ReadLines;
      for (; I < End; ++I) {
        const UnitDemand &U = Its[I];
        const bool InOrder = U.Walked && Lines > 0;
        Touch T{InOrder ? Done / Lines : 0, 1};
        Done += U.ReadLines;
        if (InOrder)
          T.To = Done / Lines;
        if (U.Course)
          T = opening(U);
        if (Begin + Length * T.From < Of[U.Unit].From)
          Of[U.Unit] = {Begin + Length * T.From, Begin + Length * T.To};
      }
    }
  }

  /// From the first fetch of \p U until as many lines were fetched as it has.
  Touch opening(const UnitDemand &U) const {
    const double All = Course::sum(U.Course),
                 Has = Units[U.Unit].Bytes / LineBytes,
                 Needed = U.ReadLines > Has ? All * Has / U.ReadLines : All;
    Touch T;
    double Came = 0;
    for (unsigned K = 0; K < Course::Parts && Came < Needed; ++K) {
      const double Its = Course::part(U.Course, K);
      if (Its == 0)
        continue;
      if (Came == 0)
        T.From = double(K) / Course::Parts;
      T.To = (K + std::min(1.0, (Needed - Came) / Its)) / Course::Parts;
      Came += Its;
    }
    return T;
  }
};

} // namespace

std::vector<double>
evenkeel::firstTouchShares(const Problem &P, const std::vector<double> &Placed,
                           std::optional<double> AllRoom) {
  const size_t N = P.Instances.size();
  std::vector<uint32_t> First(N, EK_NO_TASK);
  // The phase after the last use of each instance.
  std::vector<uint32_t> Done(N, 0);
  // Untouched pages of used data do not take up space.
  std::vector<bool> Touched(P.Units.size()), IsUsed(N);
  for (const PredictedPhase &H : P.Phases)
    for (const PredictedTask &T : H.Tasks)
      for (const UnitDemand &U : T.Demand.Units) {
        uint32_t I = P.Units[U.Unit].Instance;
        First[I] = std::min(First[I], H.Phase);
        Done[I] = std::max(Done[I], H.Phase + 1);
        Touched[U.Unit] = IsUsed[I] = true;
      }
  for (size_t I = 0; I < N; ++I)
    if (First[I] == EK_NO_TASK)
      First[I] = P.Instances[I].AllocPhase;
  std::vector<std::vector<uint32_t>> UnitsOf(N);
  for (uint32_t U = 0; U < P.Units.size(); ++U)
    UnitsOf[P.Units[U].Instance].push_back(U);
  std::vector<uint32_t> Order(N);
  for (uint32_t I = 0; I < N; ++I)
    Order[I] = I;
  std::sort(Order.begin(), Order.end(), [&](uint32_t A, uint32_t B) {
    return First[A] != First[B] ? First[A] < First[B] : A < B;
  });
  std::vector<double> Share(P.Units.size(), 0), FastBytes(N, 0);
  auto IsPlaced = [&](uint32_t U) {
    return U < Placed.size() && !std::isnan(Placed[U]);
  };
  for (uint32_t U = 0; U < P.Units.size(); ++U)
    if (!takesRoom(P, U)) {
      Share[U] = 1;
    } else if (IsPlaced(U)) {
      Share[U] = Placed[U];
      FastBytes[P.Units[U].Instance] += Share[U] * P.Units[U].Bytes;
    }
  Touches Of(P.Units);
  for (size_t From = 0; From < N;) {
    size_t To = From;
    const uint32_t Phase = First[Order[From]];
    double Wanted = 0, Used = 0;
    std::vector<uint32_t> Units;
    for (; To < N && First[Order[To]] == Phase; ++To)
      for (uint32_t U : UnitsOf[Order[To]])
        if (!IsPlaced(U) && takesRoom(P, U) &&
            (Touched[U] || !IsUsed[P.Units[U].Instance])) {
          Units.push_back(U);
          Wanted += P.Units[U].Bytes;
        }
    for (size_t I = 0; I < N; ++I)
      // Data that a phase frees unused is gone before new data is touched.
      if (isLive(P.Instances[I], Phase) &&
          !(P.Instances[I].FreePhase == Phase && Done[I] <= Phase))
        Used += FastBytes[I];
    const double Room = std::max(0.0, AllRoom.value_or(P.FastBytes) - Used);
    double Full = 1; // when memory is full, as a fraction of the phase
    if (Wanted > Room) {
      if (Phase < P.Phases.size())
        Of.walk(P.Phases[Phase]);
      for (uint32_t U : Units)
        if (Of[U].To <= Of[U].From)
          Of[U] = {0, 1};
      double Low = 0, High = 1;
      for (int Step = 0; Step < 50; ++Step) {
        Full = (Low + High) / 2;
        double Bytes = 0;
        for (uint32_t U : Units)
          Bytes += P.Units[U].Bytes * Of[U].doneAt(Full);
        (Bytes > Room ? High : Low) = Full;
      }
      Full = Low;
    }
    for (uint32_t U : Units) {
      Share[U] = Wanted > Room ? Of[U].doneAt(Full) : 1;
      FastBytes[P.Units[U].Instance] += Share[U] * P.Units[U].Bytes;
    }
    From = To;
  }
  return Share;
}
