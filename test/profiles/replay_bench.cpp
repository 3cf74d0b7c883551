//===- replay_bench.cpp - replay time per policy --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A benchmark, not a test: makes a record of 10^8 misses (or as many as the
// first argument says, in millions) in memory and replays it under each policy
// that needs no plan. Budget: 5 s each. Prints seconds, and the peak resident
// memory at the end.
//===----------------------------------------------------------------------===//
#include "simulator/PreparedRecord.h"
#include "simulator/Replay.h"
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>

using namespace evenkeel;

static MissRecord makeRecord(uint64_t Misses) {
  // 8 threads, 20 phases, a quarter of a GiB; half of the misses stream through
  // a thread's own part, half gather from shared data.
  constexpr uint32_t Threads = 8, Phases = 20, Quanta = 100;
  constexpr uint32_t Own = 4096, Shared = 32768; // pages
  MissRecord R;
  R.Config.workers = Threads;
  R.Config.quantum_cycles = 200000;
  R.Config.line_bytes = 64;
  for (uint32_t T = 0; T < Threads; ++T)
    R.Instances.push_back(
        {1, 0, T, T, uint64_t(Own) * EK_PAGE, 0, EK_NO_TASK, 0, 0});
  R.Instances.push_back(
      {2, 0, 0, 0, uint64_t(Shared) * EK_PAGE, 0, EK_NO_TASK, 0, 0});
  uint64_t PerQuantum = Misses / (Threads * Phases * Quanta);
  uint32_t Streamed = uint32_t(PerQuantum / 2 / 64 + 1);
  uint32_t Gathered = uint32_t(PerQuantum / 2 / 8 + 1);
  uint64_t Seed = 1;
  for (uint32_t P = 0; P < Phases; ++P) {
    R.Phases.push_back({1, 1, Threads});
    for (uint32_t T = 0; T < Threads; ++T) {
      uint32_t Task = uint32_t(R.Tasks.size());
      uint64_t Cycles = uint64_t(Quanta) * R.Config.quantum_cycles;
      R.Tasks.push_back({7, P, T, T, 0, Cycles, Cycles, 0});
      for (uint32_t Q = 0; Q < Quanta; ++Q) {
        // Sorted by page: a window of the stream, every so many'th page of the
        // shared part from a place that moves.
        uint32_t From = Q * Streamed % (Own - Streamed);
        for (uint32_t K = 0; K < Streamed; ++K)
          R.Pages.push_back({Task, Q, T, From + K, 64, 32, 4, 0});
        Seed = Seed * 6364136223846793005 + 1442695040888963407;
        uint32_t Step = Shared / Gathered ? Shared / Gathered : 1;
        for (uint32_t K = 0; K < Gathered && K * Step < Shared; ++K)
          R.Pages.push_back({Task, Q, Threads,
                             K * Step + uint32_t(Seed >> 33) % Step, 8, 0, 2,
                             0});
      }
    }
  }
  return R;
}

static double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

int main(int Argc, char **Argv) {
  double Millions = Argc > 1 ? std::atof(Argv[1]) : 100;
  MissRecord R = makeRecord(uint64_t(Millions * 1e6));
  uint64_t Misses = 0;
  for (const ek_raw_page &P : R.Pages)
    Misses += P.reads;
  double Start = now();
  auto Prepared = prepareRecord(R);
  if (!Prepared) {
    std::fprintf(stderr, "%s\n", Prepared.message().c_str());
    return 1;
  }
  std::printf("%.1f million misses in %zu rows; indexed in %.2f s\n",
              double(Misses) / 1e6, R.Pages.size(), now() - Start);
  Machine M;
  M.Name = "bench";
  M.Cores = 8;
  M.GHz = 2.3;
  M.Tiers = {{"dram", 1ul << 37, 101, 101, 105, 80},
             {"optane", 1ul << 40, 305, 610, 39.4, 13.9}};
  M.LoadedLatency = {{0, 1}, {0.65, 1.05}, {0.8, 1.3}, {0.9, 1.7}, {1, 3}};
  M.MigrationPageUs = 12;
  M.MigrationBandwidthGBps = 8;
  for (const std::string &Name : policyNames()) {
    if (needsPlan(Name))
      continue;
    ReplayRequest Q{&R, &M, 32ul << 20};
    Q.Prepared = Prepared->get();
    Start = now();
    auto P = makePolicy(Name, Q);
    double Made = now();
    auto Result = P ? replay(Q, **P) : Expected<PolicyResult>(P.takeError());
    if (!Result) {
      std::fprintf(stderr, "%s: %s\n", Name.c_str(), Result.message().c_str());
      return 1;
    }
    std::printf("%-20s %6.2f s", Name.c_str(), now() - Made);
    if (Made - Start > 0.1)
      std::printf("  (and %.2f s of search)", Made - Start);
    std::printf("   makespan %.4f s\n", Result->MakespanSeconds);
    std::fflush(stdout);
  }
  rusage U;
  getrusage(RUSAGE_SELF, &U);
  std::printf("peak memory %.2f GiB\n", double(U.ru_maxrss) / (1 << 20));
  return 0;
}
