//===- look_bench.cpp - cost of planning again at a hook ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A benchmark, not a test: a synthetic solver (Iterations.h: 4 tasks, 9 objects
// of 4 MiB) with more and more phases. READ: the run reads the data that its
// plan carries; PREPARE: computes what follows from it without any size or
// time; then looks at the hook in the middle of the run: FIRST with sizes and
// times known, AGAIN with other times, SIZE with another size of one object.
// CPU time, median of five, and evaluations of a task's time by the model. The
// budget is 1 ms per look at 2,000 phases. With callgrind, instructions are
// counted by function: bench_read, bench_prepare, bench_look.
//
//   look-bench [PHASES[xTIMES]..]   default: 250 500 1000 2000 2000x1024
//
// With xTIMES, objects, counts and times are as many times those of 4 MiB.
//===----------------------------------------------------------------------===//
#include "CountingModel.h"
#include "Iterations.h"
#include "format/Replan.h"
#include "planner/HookPlanner.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

using namespace evenkeel;

namespace {

double cpu() {
  timespec T;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &T);
  return double(T.tv_sec) + 1e-9 * double(T.tv_nsec);
}

struct Costs {
  double Read, Prepare, First, Again, Size;
  unsigned long Tasks; // of Again
  size_t Bytes;
  double Gain; // predicted seconds after the last look
};

} // namespace

#define KEEP __attribute__((noinline))

KEEP Expected<ReplanData> bench_read(const std::string &Text) {
  return readReplan(Text, "plan.json");
}

KEEP std::unique_ptr<TargetPredictor>
bench_prepare(const PlanRequest &R, const Model &Mod, PhaseLog &Said) {
  auto Out = std::make_unique<TargetPredictor>(R);
  auto P = predictRefined(*Out, R, Mod);
  if (!P)
    std::abort();
  const std::vector<double> Fast(P->Units.size(), 0);
  predictWhileMoving(
      *P, 0, Fast, {Fast, {}, 0}, *R.M, Mod,
      [&](const PredictedPhase &H, const std::vector<double> &Seconds,
          const std::vector<double> &) { Said.predicted(H, Seconds); });
  return Out;
}

KEEP HookDecision bench_look(TargetPredictor &Its, const PlanRequest &R,
                             const Model &Mod, const PhaseLog &Said,
                             uint32_t Hook, double Seconds, double Off) {
  PhaseLog Log = Said;
  PlanRequest Again = R;
  for (uint32_t H = Hook - 5; H <= Hook; H += 3) {
    MeasuredPhase M;
    M.Phase = H;
    for (uint32_t T = 0; T < Iterations::Tasks; ++T)
      M.TaskSeconds[T] = Seconds * (T == 1 ? Off : 1);
    Log.ended(std::move(M));
  }
  Again.Measured = Log.measured();
  auto Made = decideAtHook(Its, Again, Mod, Hook, firstUnitsFast);
  if (!Made)
    std::abort();
  return std::move(*Made);
}

namespace {

Costs once(const std::string &Text, const Model &Mod, uint32_t Phases,
           uint32_t Times) {
  Costs C{};
  C.Bytes = Text.size();
  double Start = cpu();
  auto Lap = [&] {
    const double Now = cpu(), Took = Now - Start;
    Start = Now;
    return Took;
  };
  auto D = bench_read(Text);
  C.Read = Lap();
  if (!D)
    std::abort();
  PlanRequest R;
  R.F = &D->F;
  R.Base = &D->Base;
  R.M = &D->M;
  R.Fast = std::to_string((uint64_t(9) << 20) * Times) + "B";
  PhaseLog Said;
  Start = cpu();
  auto Its = bench_prepare(R, Mod, Said);
  C.Prepare = Lap();
  for (uint32_t O = 0; O < Iterations::Objects; ++O) {
    PredictedInstance I;
    I.Site = 0x100 + O;
    I.Bytes = double(Iterations::Bytes * Times);
    I.AllocPhase = EK_NO_TASK;
    R.KnownSizes.push_back(I);
  }
  const uint32_t Hook = Phases / 4 * 3 + 1;
  const double Seconds = 5e-3 * Times; // of a task
  Start = cpu();
  bench_look(*Its, R, Mod, Said, Hook, Seconds, 1.2);
  C.First = Lap();
  const CountingModel Counts(Mod);
  bench_look(*Its, R, Counts, Said, Hook + 3, Seconds, 1.3);
  C.Again = Lap();
  C.Tasks = Counts.Tasks;
  R.KnownSizes[2].Bytes *= 1.5;
  const HookDecision Last =
      bench_look(*Its, R, Mod, Said, Hook + 6, Seconds, 1.3);
  C.Size = Lap();
  C.Gain = double(Last.Chosen.Steps.size());
  return C;
}

double median(std::vector<double> V) {
  std::sort(V.begin(), V.end());
  return V[V.size() / 2];
}

} // namespace

int main(int Argc, char **Argv) {
  struct Case {
    uint32_t Phases, Times;
  };
  std::vector<Case> Cases;
  for (int I = 1; I < Argc; ++I) {
    Case C{0, 1};
    std::sscanf(Argv[I], "%ux%u", &C.Phases, &C.Times);
    if (C.Phases < 16 || C.Phases > 1000000 || C.Times < 1 || C.Times > 65536) {
      std::fprintf(stderr,
                   "look-bench: '%s' is no number of phases, 16 to 1000000, "
                   "with x and a factor, 1 to 65536, or without\n",
                   Argv[I]);
      return 2;
    }
    Cases.push_back(C);
  }
  if (Cases.empty())
    Cases = {{250, 1}, {500, 1}, {1000, 1}, {2000, 1}, {2000, 1024}};
  auto Mod = makeModel("overlap");
  std::printf("%7s %10s %9s %10s %10s %10s %10s %10s %7s %6s\n", "PHASES",
              "OBJECT MiB", "PLAN KB", "READ ms", "PREPARE ms", "FIRST ms",
              "AGAIN ms", "SIZE ms", "TASKS", "STEPS");
  for (auto [Phases, Times] : Cases) {
    Phases += Phases % 2;
    std::string Text;
    {
      const Iterations S(Phases, Times);
      Plan Made;
      Made.ReplanJson = "{}";
      Text = replanOf(S.R, Made);
    }
    std::vector<Costs> All;
    for (int I = 0; I < 5; ++I)
      All.push_back(once(Text, **Mod, Phases, Times));
    auto Of = [&](double Costs::*What) {
      std::vector<double> V;
      for (const Costs &C : All)
        V.push_back(C.*What * 1e3);
      return median(V);
    };
    std::printf(
        "%7u %10u %9.1f %10.3f %10.3f %10.3f %10.3f %10.3f %7lu %6.0f\n",
        Phases, unsigned(Times * Iterations::Bytes >> 20),
        double(All[0].Bytes) / 1e3, Of(&Costs::Read), Of(&Costs::Prepare),
        Of(&Costs::First), Of(&Costs::Again), Of(&Costs::Size), All[0].Tasks,
        All[0].Gain);
    std::fflush(stdout);
  }
  return 0;
}
