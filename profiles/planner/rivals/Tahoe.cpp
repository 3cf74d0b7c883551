//===- Tahoe.cpp - Tahoe: fast memory split among co-running tasks --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Wu, Ren, Li, "Tahoe", SC 2018. A task's time under a partial
// placement is T = (T_slow - T_fast) * slow accesses / all accesses + T_fast,
// so an object's benefit for a task is its share of the task's accesses. Tasks
// that run together share fast memory: between types (same region) by predicted
// benefit, evenly within a type. Data in fast memory leaves first in first out,
// in the order of the tasks; data that the next tasks need is moved before they
// start, if that gains more than it costs. T_slow and T_fast come from the
// given model (the paper predicts T_fast with a neural network). Parameters:
// migrate: 0 = one placement for all tasks.
//===----------------------------------------------------------------------===//
#include "models/Phase.h"
#include "planner/Registry.h"
#include "planner/Rivals.h"
#include <algorithm>
#include <map>

using namespace evenkeel;

static const std::vector<Tunable> &tunables() {
  static const std::vector<Tunable> T = {
      {"migrate", 0, {0, 1}, "1 = placed anew for each phase"}};
  return T;
}

namespace {

class Tahoe : public Planner {
  const bool Migrate;

  struct Item {
    uint32_t Unit;
    double Benefit; // seconds
  };

  /// Benefit of each unit for each task.
  static std::vector<std::vector<Item>> benefits(const Problem &P,
                                                 const PredictedPhase &H,
                                                 const Machine &M,
                                                 const Model &Mod) {
    const std::vector<double> Idle = idleLatency(M);
    std::vector<double> None(P.Units.size(), 0), All(P.Units.size(), 1);
    std::vector<std::vector<Item>> Out;
    for (const PredictedTask &T : H.Tasks) {
      double Gain = Mod.seconds(T.Demand, None, M, Idle) -
                    Mod.seconds(T.Demand, All, M, Idle);
      double Total = 0;
      for (const UnitDemand &D : T.Demand.Units)
        Total += D.ReadLines + D.WriteLines;
      Out.emplace_back();
      for (const UnitDemand &D : T.Demand.Units)
        if (Total > 0)
          Out.back().push_back(
              {D.Unit, Gain * (D.ReadLines + D.WriteLines) / Total});
      std::sort(Out.back().begin(), Out.back().end(),
                [&](const Item &A, const Item &B) {
                  double VA = A.Benefit * P.Units[B.Unit].Bytes;
                  double VB = B.Benefit * P.Units[A.Unit].Bytes;
                  return VA != VB ? VA > VB : A.Unit < B.Unit;
                });
    }
    return Out;
  }

  /// Fills \p Wish; \p Fits returns how many bytes of a unit may still be
  /// taken, \p Worth whether it may come in for this benefit at all.
  template <typename FitsFn, typename WorthFn, typename TakeFn>
  static void fill(const Problem &P, const PredictedPhase &H,
                   const std::vector<std::vector<Item>> &Benefit,
                   std::vector<double> &Wish, FitsFn Fits, WorthFn Worth,
                   TakeFn Take) {
    std::map<uint64_t, std::pair<double, unsigned>> Types;
    double All = 0;
    for (size_t T = 0; T < H.Tasks.size(); ++T) {
      auto &[Sum, Count] = Types[H.Tasks[T].Region];
      ++Count;
      for (const Item &I : Benefit[T]) {
        Sum += I.Benefit;
        All += I.Benefit;
      }
    }
    if (All <= 0)
      return;
    // Units serve all tasks: their benefits add up.
    std::map<uint32_t, double> Sum;
    for (const auto &Items : Benefit)
      for (const Item &I : Items)
        Sum[I.Unit] += I.Benefit;
    auto Bring = [&](uint32_t U, double Most) {
      double Bytes =
          std::min({P.Units[U].Bytes * (1 - Wish[U]), Most, Fits(U)});
      if (Bytes <= 0 || !Worth(U, Sum[U]))
        return 0.0;
      Wish[U] += Bytes / P.Units[U].Bytes;
      Take(U, Bytes);
      return Bytes;
    };
    for (size_t T = 0; T < H.Tasks.size(); ++T) {
      auto [OfType, Count] = Types[H.Tasks[T].Region];
      double Left = P.FastBytes * OfType / All / Count;
      for (const Item &I : Benefit[T]) {
        if (Left <= 0)
          break;
        if (I.Benefit > 0)
          Left -= Bring(I.Unit, Left);
      }
    }
    // The remaining room goes to the units with the largest benefit.
    std::vector<Item> Rest;
    for (auto [U, B] : Sum)
      if (B > 0)
        Rest.push_back({U, B});
    std::sort(Rest.begin(), Rest.end(), [&](const Item &A, const Item &B) {
      double VA = A.Benefit * P.Units[B.Unit].Bytes;
      double VB = B.Benefit * P.Units[A.Unit].Bytes;
      return VA != VB ? VA > VB : A.Unit < B.Unit;
    });
    for (const Item &I : Rest)
      Bring(I.Unit, P.FastBytes);
  }

public:
  explicit Tahoe(bool Migrate) : Migrate(Migrate) {}
  std::string name() const override { return "tahoe"; }

  Placement place(const Problem &P, const Machine &M,
                  const Model &Mod) const override {
    const size_t N = P.Units.size();
    if (!Migrate) {
      PredictedPhase Run = wholeRun(P);
      Placement Out;
      Out.FastShare.assign(N, 0);
      Room Time(P);
      fill(
          P, Run, benefits(P, Run, M, Mod), Out.FastShare,
          [&](uint32_t U) { return Time.of(U); },
          [](uint32_t, double) { return true; },
          [&](uint32_t U, double Bytes) { Time.take(U, Bytes); });
      return Out;
    }
    std::vector<std::vector<double>> Wishes(P.Phases.size());
    std::vector<double> Before(N, 0);
    // A unit about which no phase has decided yet is placed when it is
    // allocated, at no cost.
    std::vector<bool> Known(N, false);
    for (size_t H = 0; H < P.Phases.size(); ++H) {
      const PredictedPhase &X = P.Phases[H];
      auto Benefit = benefits(P, X, M, Mod);
      if (std::all_of(Benefit.begin(), Benefit.end(),
                      [](auto &V) { return V.empty(); }))
        continue;
      double Left = P.FastBytes;
      const double Tasks = double(std::max<size_t>(1, X.Tasks.size()));
      Wishes[H].assign(N, 0);
      fill(
          P, X, Benefit, Wishes[H],
          [&](uint32_t U) {
            return isLive(P.Instances[P.Units[U].Instance], X.Phase) ? Left : 0;
          },
          [&](uint32_t U, double Gain) {
            return Before[U] > 0 || !Known[U] ||
                   Gain / Tasks > moveSeconds(M, P.Units[U].Bytes);
          },
          [&](uint32_t, double Bytes) { Left -= Bytes; });
      // Units that leave only when room is needed are still there.
      for (uint32_t U = 0; U < N; ++U)
        Known[U] =
            Known[U] || P.Instances[P.Units[U].Instance].AllocPhase <= X.Phase;
      for (size_t U = 0; U < N; ++U)
        Before[U] = std::max(Wishes[H][U], Left > 0 ? Before[U] : 0.0);
    }
    return scheduleOf(P, Wishes);
  }
};

} // namespace

static std::unique_ptr<Planner> make(const Settings &S) {
  return std::make_unique<Tahoe>(settingOf(S, tunables(), "migrate") > 0);
}

EK_RIVAL(Tahoe, "tahoe", nullptr, make, tunables)
