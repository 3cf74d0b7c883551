//===- sim_records.h - small miss records for simulator tests ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: records and machines with round numbers, in memory, so that expected
// times can be computed by hand: 1 cycle = 1 ns, latencies of 100 and 300 ns,
// and by default neither a bandwidth limit nor a load curve.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_TEST_PROFILES_SIM_RECORDS_H
#define EVENKEEL_TEST_PROFILES_SIM_RECORDS_H

#include "simulator/PageMap.h"
#include "simulator/PreparedRecord.h"
#include "simulator/Replay.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <tuple>

namespace evenkeel {

inline Machine plainMachine() {
  const double Unlimited = std::numeric_limits<double>::infinity();
  Machine M;
  M.Name = "plain";
  M.Cores = 8;
  M.GHz = 1;
  M.Tiers = {{"fast", 1 << 20, 100, 100, Unlimited, Unlimited},
             {"slow", 1 << 30, 300, 300, Unlimited, Unlimited}};
  M.LoadedLatency = {{0, 1}, {1, 1}};
  M.MigrationPageUs = 1;
  M.MigrationBandwidthGBps = 4.096;
  return M;
}

/// Adds rows in any order; record() sorts them.
class RecordBuilder {
  MissRecord R;

public:
  explicit RecordBuilder(uint32_t Workers = 8, uint64_t Quantum = 1000) {
    R.Config.workers = Workers;
    R.Config.quantum_cycles = Quantum;
    R.Config.line_bytes = 64;
  }
  uint32_t phase(uint32_t Width = 0) {
    R.Phases.push_back({0, Width ? 1u : 0u, Width});
    return uint32_t(R.Phases.size() - 1);
  }
  uint32_t instance(uint64_t Bytes, uint32_t Alloc = 0,
                    uint32_t Free = EK_NO_TASK, uint64_t Site = 1,
                    uint32_t Creator = 0, uint32_t Ordinal = 0) {
    R.Instances.push_back(
        {Site, 0, Ordinal, Creator, Bytes, Alloc, Free, 0, 0});
    return uint32_t(R.Instances.size() - 1);
  }
  /// A thread task of the last phase, on the worker with the same index.
  uint32_t thread(uint32_t Index, uint64_t Cycles) {
    return task(Index, Index, 0, Cycles);
  }
  uint32_t explicitTask(uint32_t Index, uint64_t Cycles) {
    return task(Index, 0, 1, Cycles);
  }
  uint32_t task(uint32_t Index, uint32_t Worker, uint32_t Flags,
                uint64_t Cycles) {
    R.Tasks.push_back({7, uint32_t(R.Phases.size() - 1), Index, Worker, Flags,
                       Cycles, Cycles, 0});
    return uint32_t(R.Tasks.size() - 1);
  }
  void dep(uint32_t Task, uint32_t Pred) { R.Deps.push_back({Task, Pred}); }
  void row(uint32_t Task, uint32_t Quantum, uint32_t Inst, uint32_t Page,
           uint32_t Reads, uint32_t Writes, float Weight) {
    R.Pages.push_back({Task, Quantum, Inst, Page, Reads, Writes, Weight, 0});
  }
  MissRecord record() {
    std::sort(R.Pages.begin(), R.Pages.end(), [](auto &A, auto &B) {
      return std::tie(A.task, A.quantum, A.inst, A.page) <
             std::tie(B.task, B.quantum, B.inst, B.page);
    });
    return R;
  }
};

/// A random static placement: one page in \p Of is fast.
class Dice : public Policy {
  std::mt19937 Random;
  const unsigned Of;

public:
  explicit Dice(unsigned Seed, unsigned Of = 2) : Random(Seed), Of(Of) {}
  std::string name() const override { return "dice"; }
  unsigned onFirstTouch(PageMap &, uint32_t, uint32_t) override {
    return Random() % Of == 0 ? 0 : 1;
  }
};

inline PolicyResult run(const MissRecord &R, const Machine &M,
                        uint64_t FastBytes, Policy &P) {
  ReplayRequest Request{&R, &M, FastBytes};
  auto Result = replay(Request, P);
  EXPECT_TRUE(bool(Result)) << Result.message();
  return Result ? *Result : PolicyResult();
}

inline PolicyResult run(const MissRecord &R, const Machine &M,
                        uint64_t FastBytes, const std::string &Name,
                        const Plan *P = nullptr) {
  ReplayRequest Request{&R, &M, FastBytes, P};
  auto Made = makePolicy(Name, Request);
  EXPECT_TRUE(bool(Made)) << Made.message();
  return Made ? run(R, M, FastBytes, **Made) : PolicyResult();
}

/// Equal up to the solver's tolerance.
inline void expectNs(double Seconds, double Ns) {
  EXPECT_NEAR(Seconds * 1e9, Ns, Ns * 1e-8);
}

/// Thread phases with random work, sizes and lifetimes; seeded, the same on
/// every machine.
inline MissRecord randomRecord(unsigned Seed) {
  std::mt19937 Random(Seed);
  auto Pick = [&](uint32_t From, uint32_t To) {
    return From + uint32_t(Random() % (To - From + 1));
  };
  RecordBuilder B(4);
  uint32_t Phases = Pick(1, 4);
  struct Life {
    uint32_t Inst, Pages, From, To;
  };
  std::vector<Life> Lives;
  for (uint32_t I = 0, E = Pick(1, 6); I < E; ++I) {
    uint32_t From = Pick(0, Phases - 1), To = Pick(From, Phases - 1);
    uint64_t Bytes = Pick(1, 40 * EK_PAGE);
    uint32_t Free = Pick(0, 1) ? To : EK_NO_TASK;
    uint32_t Inst = B.instance(Bytes, From, Free, 1 + I);
    Lives.push_back({Inst, uint32_t((Bytes + EK_PAGE - 1) / EK_PAGE), From,
                     Free == EK_NO_TASK ? Phases - 1 : To});
  }
  for (uint32_t P = 0; P < Phases; ++P) {
    B.phase(4);
    for (uint32_t T = 0; T < 4; ++T) {
      uint32_t Quanta = Pick(1, 12);
      uint32_t Task = B.thread(T, Quanta * 1000 + Pick(0, 999));
      for (uint32_t Q = 0; Q < Quanta; ++Q)
        for (const Life &L : Lives)
          if (P >= L.From && P <= L.To && Pick(0, 1)) {
            uint32_t Reads = Pick(1, 60);
            B.row(Task, Q, L.Inst, Pick(0, L.Pages - 1), Reads, Pick(0, 30),
                  float(Pick(1, Reads * 4)) / 4);
          }
    }
  }
  return B.record();
}

} // namespace evenkeel

#endif
