//===- Greedy5.cpp - Merchandiser: serve the slowest task, step by step ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Merchandiser (PPoPP 2023; known details from its abstract, the rest
// is a reconstruction that was validated here): a task with the share r of its
// accesses in fast memory takes T_slow (1 - r) + T_fast r. Before tasks start,
// the slowest task gets 5 % more of its accesses in fast memory, its hottest
// pages first, until it is no longer slower than the second slowest, and so on
// until fast memory is full; when the slowest task cannot gain, the next one is
// served. Pages then migrate so that each task gets what was decided.
// Parameters: step (the paper's 5 %), migrate: 0 = one decision for the run.
//===----------------------------------------------------------------------===//
#include "models/Phase.h"
#include "planner/Registry.h"
#include "planner/Rivals.h"
#include <algorithm>
#include <map>
#include <numeric>

using namespace evenkeel;

static const std::vector<Tunable> &tunables() {
  static const std::vector<Tunable> T = {
      {"step", 0.05, {0.05}, "share of a task's accesses per step"},
      {"migrate", 0, {0, 1}, "1 = decided anew for each phase"}};
  return T;
}

namespace {

class Greedy5 : public Planner {
  const double Step;
  const bool Migrate;

  struct Task {
    double Slow = 0, Fast = 0; // seconds
    double Accesses = 0, Served = 0;
    std::vector<std::pair<uint32_t, double>> Units; // hottest first; accesses
    size_t Next = 0;
    double seconds() const {
      double R = Accesses > 0 ? std::min(1.0, Served / Accesses) : 0;
      return Slow * (1 - R) + Fast * R;
    }
  };

  template <typename FitsFn, typename TakeFn>
  void serve(const Problem &P, const PredictedPhase &H, const Machine &M,
             const Model &Mod, std::vector<double> &Wish, FitsFn Fits,
             TakeFn Take) const {
    const std::vector<double> Idle = idleLatency(M);
    std::vector<double> None(P.Units.size(), 0), All(P.Units.size(), 1);
    std::vector<Task> Tasks;
    std::map<uint32_t, std::vector<std::pair<size_t, double>>> Users;
    for (const PredictedTask &X : H.Tasks) {
      Task T;
      T.Slow = Mod.seconds(X.Demand, None, M, Idle);
      T.Fast = Mod.seconds(X.Demand, All, M, Idle);
      for (const UnitDemand &D : X.Demand.Units)
        if (double A = D.ReadLines + D.WriteLines; A > 0) {
          T.Accesses += A;
          T.Units.push_back({D.Unit, A});
          Users[D.Unit].push_back({Tasks.size(), A});
        }
      std::sort(T.Units.begin(), T.Units.end(), [&](auto &A, auto &B) {
        double VA = A.second * P.Units[B.first].Bytes;
        double VB = B.second * P.Units[A.first].Bytes;
        return VA != VB ? VA > VB : A.first < B.first;
      });
      Tasks.push_back(std::move(T));
    }
    // Raises a task by a step; false when it can get no more.
    auto Raise = [&](Task &T) {
      double Need = Step * T.Accesses;
      const double Before = T.Served;
      while (Need > 1e-9 * T.Accesses && T.Next < T.Units.size()) {
        auto [U, A] = T.Units[T.Next];
        double Bytes = P.Units[U].Bytes;
        double Part = std::min({1 - Wish[U], Need / A, Fits(U) / Bytes});
        if (Part > 1e-12) {
          Wish[U] += Part;
          Take(U, Part * Bytes);
          for (auto [Who, Theirs] : Users[U])
            Tasks[Who].Served += Part * Theirs;
          Need -= Part * A;
        }
        if (Need > 1e-9 * T.Accesses)
          ++T.Next; // complete, or there is no room for it
      }
      return T.Served > Before;
    };
    std::vector<size_t> Open(Tasks.size());
    std::iota(Open.begin(), Open.end(), 0);
    while (!Open.empty()) {
      auto Slowest =
          std::max_element(Open.begin(), Open.end(), [&](size_t A, size_t B) {
            double TA = Tasks[A].seconds(), TB = Tasks[B].seconds();
            return TA != TB ? TA < TB : A > B;
          });
      Task &T = Tasks[*Slowest];
      if (T.Slow <= T.Fast || !Raise(T))
        Open.erase(Slowest);
    }
  }

public:
  Greedy5(double Step, bool Migrate) : Step(Step), Migrate(Migrate) {}
  std::string name() const override { return "greedy-5"; }

  Placement place(const Problem &P, const Machine &M,
                  const Model &Mod) const override {
    const size_t N = P.Units.size();
    if (!Migrate) {
      Placement Out;
      Out.FastShare.assign(N, 0);
      Room Time(P);
      serve(
          P, wholeRun(P), M, Mod, Out.FastShare,
          [&](uint32_t U) { return Time.of(U); },
          [&](uint32_t U, double Bytes) { Time.take(U, Bytes); });
      return Out;
    }
    std::vector<std::vector<double>> Wishes(P.Phases.size());
    for (size_t H = 0; H < P.Phases.size(); ++H) {
      const PredictedPhase &X = P.Phases[H];
      if (X.Tasks.empty())
        continue;
      double Left = P.FastBytes;
      Wishes[H].assign(N, 0);
      serve(
          P, X, M, Mod, Wishes[H],
          [&](uint32_t U) {
            return isLive(P.Instances[P.Units[U].Instance], X.Phase) ? Left : 0;
          },
          [&](uint32_t, double Bytes) { Left -= Bytes; });
      if (Left >= P.FastBytes)
        Wishes[H].clear();
    }
    return scheduleOf(P, Wishes);
  }
};

} // namespace

static std::unique_ptr<Planner> make(const Settings &S) {
  return std::make_unique<Greedy5>(
      std::max(0.001, settingOf(S, tunables(), "step")),
      settingOf(S, tunables(), "migrate") > 0);
}

EK_RIVAL(Greedy5, "greedy-5", "merchandiser", make, tunables)
