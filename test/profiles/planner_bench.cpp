//===- planner_bench.cpp - planning time by problem size ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A benchmark, not a test: makes problems of tasks x objects in memory and
// times (a) `balanced` before the run, (b) the search for trades at the hook
// after the first phase, with data placed as planned and with moves that pay.
// Budgets: 1 s for 1,000 tasks x 100,000 objects of at most 100 a task; 100 us
// for a hook of 64 tasks x 100 objects. CPU time, median of five (a single run
// if it takes more than a second).
//
//   planner-bench [--budgets]    only the sizes that have a budget
//===----------------------------------------------------------------------===//
#include "models/Phase.h"
#include "models/shares/FirstTouch.h"
#include "planner/Balanced.h"
#include "planner/HookPlanner.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <random>

using namespace evenkeel;

static double cpu() {
  timespec T;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &T);
  return double(T.tv_sec) + 1e-9 * double(T.tv_nsec);
}

static Machine machine() {
  Machine M;
  M.Name = "bench";
  M.Cores = 64;
  M.GHz = 2;
  M.Tiers = {{"fast", 1ull << 40, 100, 100, 200, 150},
             {"slow", 1ull << 42, 300, 300, 60, 30}};
  M.LoadedLatency = {{0, 1}, {0.65, 1.05}, {0.8, 1.3}, {0.95, 2.2}, {1, 3}};
  M.MigrationPageUs = 5;
  M.MigrationBandwidthGBps = 8;
  return M;
}

/// Objects of 64 KiB to 4 MiB, each task with some of its own and some that
/// all share; work uneven by up to a half.
static Problem problem(unsigned Tasks, unsigned Objects, unsigned PerTask,
                       unsigned Phases) {
  std::mt19937_64 Rng(1);
  auto Uniform = [&](double Low, double High) {
    return Low + (High - Low) * double(Rng() >> 11) * 0x1p-53;
  };
  Problem P;
  for (unsigned O = 0; O < Objects; ++O) {
    PredictedInstance I;
    I.Site = O + 1;
    I.Bytes = 65536 * Uniform(1, 64);
    P.Instances.push_back(I);
    P.Units.push_back({O, 0, 256, I.Bytes});
    P.PeakBytes += I.Bytes;
  }
  P.FastBytes = P.PeakBytes / 8;
  for (unsigned H = 0; H < Phases; ++H) {
    PredictedPhase X;
    X.Phase = H;
    X.Workers = Tasks;
    for (unsigned T = 0; T < Tasks; ++T) {
      PredictedTask K;
      K.Index = T;
      double Work = Uniform(1, 1.5);
      K.Demand.CoreSeconds = 1e-3 * Work;
      std::vector<uint32_t> Own;
      for (unsigned N = 0; N < PerTask; ++N)
        Own.push_back(uint32_t(Rng() % Objects));
      std::sort(Own.begin(), Own.end());
      Own.erase(std::unique(Own.begin(), Own.end()), Own.end());
      for (uint32_t U : Own) {
        double Lines = P.Units[U].Bytes / 64 * Uniform(0.1, 2) / Tasks * 8;
        K.Demand.Units.push_back(
            {U, Lines, Lines * Uniform(0, 0.5), Lines / Uniform(1, 10)});
      }
      X.Tasks.push_back(std::move(K));
    }
    P.Phases.push_back(std::move(X));
  }
  return P;
}

template <typename F> static double median(F &&Run) {
  std::vector<double> V;
  for (int I = 0; I < 5; ++I) {
    double Start = cpu();
    Run();
    V.push_back(cpu() - Start);
    if (V.back() > 1)
      break;
  }
  std::sort(V.begin(), V.end());
  return V[V.size() / 2];
}

int main(int Argc, char **Argv) {
  const bool Budgets = Argc > 1 && std::strcmp(Argv[1], "--budgets") == 0;
  const Machine M = machine();
  auto Mod = makeModel("overlap");
  std::printf("%6s %8s %9s %7s %13s %13s %12s %15s\n", "TASKS", "OBJECTS",
              "PER TASK", "PHASES", "PLAN", "HOOK", "VS TOUCH",
              "HOOK FROM TOUCH");
  struct Size {
    unsigned Tasks, Objects, PerTask, Phases;
    bool HasBudget = false;
  };
  for (Size S :
       {Size{8, 10, 10, 4}, Size{64, 100, 100, 2, true}, Size{64, 100, 100, 4},
        Size{64, 1000, 100, 4}, Size{256, 10000, 100, 4},
        Size{1000, 10000, 100, 1}, Size{1000, 100000, 100, 1, true},
        Size{1000, 100000, 100, 4}}) {
    if (Budgets && !S.HasBudget)
      continue;
    Problem P = problem(S.Tasks, S.Objects, S.PerTask, S.Phases);
    Placement Placed;
    double Plan =
        median([&] { Placed = BalancedPlanner().place(P, M, **Mod); });
    const std::vector<double> Touch = firstTouchShares(P);
    double Gain = 1 - makespan(P, Placed.FastShare, M, **Mod) /
                          makespan(P, Touch, M, **Mod);
    // Starting from the plan, as at a hook in the middle of a run; and from
    // first touch, with many moves to make.
    auto AtHook = [&](const std::vector<double> &Now) {
      return median([&] {
        Trades Chosen = tradeAtHook(P, Now, 0, M, **Mod);
        keepWhatPays(P, Now, Chosen, 0, M, **Mod);
      });
    };
    double Hook = AtHook(Placed.FastShare), Moving = AtHook(Touch);
    std::printf("%6u %8u %9u %7u %10.3f ms %10.3f ms %10.1f %% %12.3f ms\n",
                S.Tasks, S.Objects, S.PerTask, S.Phases, Plan * 1e3, Hook * 1e3,
                100 * Gain, Moving * 1e3);
    std::fflush(stdout);
  }
  return 0;
}
