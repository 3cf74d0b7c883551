//===- Scenario.h - small synthetic programs for planner tests --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to build facts, a base profile and a machine by hand. The machine
// has round figures: 100 and 300 ns, 1 GHz, no loaded latency.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_TEST_PROFILES_SCENARIO_H
#define EVENKEEL_TEST_PROFILES_SCENARIO_H

#include "planner/Planner.h"
#include "predict/TargetPredictor.h"
#include "predict/symbols/Given.h"
#include "tuning/Tuning.h"
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>

namespace evenkeel {

/// Tests run with the figures and rules in EVENKEEL_TUNING (rules_off.py).
inline const bool TuningMoved = [] {
  const char *Text = std::getenv("EVENKEEL_TUNING");
  if (const MaybeError E = moveTuning(Text ? Text : "")) {
    std::fprintf(stderr, "EVENKEEL_TUNING: %s\n", E->Message.c_str());
    std::exit(2);
  }
  return Text != nullptr;
}();

inline Machine roundMachine() {
  Machine M;
  M.Name = "round";
  M.Cores = 8;
  M.GHz = 1;
  M.LlcBytes = 8 << 20;
  M.Tiers = {{"fast", 1ull << 40, 100, 100, 1e6, 1e6},
             {"slow", 1ull << 40, 300, 300, 1e6, 1e6}};
  M.LoadedLatency = {{0, 1}};
  return M;
}

/// One team phase of N tasks in one region; objects are added by hand.
inline Expected<Problem> predictTarget(const PlanRequest &R) {
  return TargetPredictor(R).predict(R.KnownSizes, 0, R.KnownSymbols);
}

struct Scenario {
  static constexpr uint64_t Region = 0x20, SymN = 0x30;
  Facts F;
  Profile B;
  Machine M = roundMachine();
  PlanRequest R;

  explicit Scenario(uint32_t Tasks = 1, uint64_t CoreCycles = 1000) {
    F.Regions.push_back({Region, "parallel", "a.c:20:1", "main"});
    addSymbol(SymN, "main:n", "given", 1000);
    B.Role = "base";
    B.Input = "00000000000000aa";
    B.Config.workers = Tasks;
    B.Config.llc_share_bytes = 1 << 20;
    for (int I = 0; I < EK_RAW_LLC_SIZES; ++I) // 64 KiB ... 8 MiB
      B.Config.llc_sizes[I] = 65536u << I;
    B.Phases.push_back({0x40, 1, Tasks});
    for (uint32_t T = 0; T < Tasks; ++T)
      B.Tasks.push_back({Region, 0, T, T, 0, CoreCycles, CoreCycles, 0});
    R.F = &F;
    R.Base = &B;
    R.M = &M;
    R.Fast = "0%";
  }
  Scenario(const Scenario &) = delete; // R points into it

  /// The value whose text in facts.json is \p Text.
  template <typename EnumT> static EnumT valueOf(const std::string &Text) {
    unsigned V = 0;
    while (Text != text(EnumT(V)))
      ++V;
    return EnumT(V);
  }

  void addSymbol(uint64_t Id, const std::string &Name, const std::string &Kind,
                 double Value, uint32_t Task = EK_NO_TASK) {
    if (!F.symbol(Id)) {
      SymbolFact S;
      S.Id = Id;
      S.Name = Name;
      S.Kind = valueOf<SymbolFact::KindType>(Kind);
      S.HandedAs = Id;
      F.Symbols.push_back(S);
    }
    auto V = static_cast<int64_t>(Value);
    B.Symbols.push_back({Id, Task, 0, 1, V, V, V, V, Value});
  }

  static ExprRef n() { return makeSymbol(SymN); }
  static ExprRef times(double K, ExprRef E) {
    return makeOp("*", {makeConst(K), std::move(E)});
  }

  /// Adds an object of \p Bytes; \p Size may be null. Returns its instance.
  uint32_t addObject(uint64_t Site, uint64_t Bytes, ExprRef Size = nullptr) {
    if (!F.site(Site)) {
      SiteFact S;
      S.Id = Site;
      S.Kind = "malloc";
      S.At = "a.c:" + std::to_string(Site) + ":1";
      S.Size = std::move(Size);
      F.Sites.push_back(S);
    }
    uint32_t Ordinal = 0;
    for (const ek_raw_inst &I : B.Instances)
      Ordinal += I.site == Site;
    B.Instances.push_back({Site, 0, Ordinal, 0, Bytes, 0, EK_NO_TASK, 0, 0});
    return static_cast<uint32_t>(B.Instances.size() - 1);
  }

  void addAccess(uint64_t Site, const std::string &Class, ExprRef Reads,
                 ExprRef Writes = makeConst(0)) {
    AccessFact A;
    A.Region = Region;
    A.Sites = {Site};
    A.Class = valueOf<AccessFact::ClassType>(Class);
    A.ElementBytes = 8;
    A.Reads = std::move(Reads);
    A.Writes = std::move(Writes);
    F.Accesses.push_back(A);
  }

  /// Adds misses of a task, spread evenly over chunks [From, To).
  void addMisses(uint32_t Task, uint32_t Inst, uint64_t Reads, double Overlap,
                 uint64_t Writes = 0, unsigned From = 0,
                 unsigned To = EK_CHUNKS) {
    unsigned N = To - From;
    for (unsigned C = From; C < To; ++C)
      B.Misses.push_back({Task, Inst, C, 0, Reads / N, Writes / N,
                          static_cast<double>(Reads / N) * Overlap, 0});
    B.Accesses.push_back({Task, Inst, 8 * Reads, 8 * Writes});
  }

  void forSymbol(const std::string &Text) {
    Expected<Given> G = parseGiven(Text);
    ASSERT_TRUE(static_cast<bool>(G)) << G.message();
    R.For.push_back(*G);
  }

  Problem predict() const {
    Expected<Problem> P = predictTarget(R);
    EXPECT_TRUE(static_cast<bool>(P)) << (P ? "" : P.message());
    return P ? *P : Problem();
  }
};

inline UnitDemand total(const TaskDemand &D) {
  UnitDemand Sum;
  for (const UnitDemand &U : D.Units) {
    Sum.ReadLines += U.ReadLines;
    Sum.WriteLines += U.WriteLines;
    Sum.OpeningWrites += U.OpeningWrites;
    Sum.Exposed += U.Exposed;
  }
  return Sum;
}

} // namespace evenkeel

#endif
