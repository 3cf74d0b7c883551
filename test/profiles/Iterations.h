//===- Iterations.h - a synthetic solver for planner tests ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a program of iterations, each with a serial phase and two teams that
// walk through their tasks' objects and gather from a common one. The first
// iteration finds cold caches; far-line estimates differ between iterations;
// work is uneven.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_TEST_PROFILES_ITERATIONS_H
#define EVENKEEL_TEST_PROFILES_ITERATIONS_H

#include "planner/Planner.h"

namespace evenkeel {

struct Iterations {
  static constexpr uint64_t Regions[2] = {0x20, 0x21}, Serial = 0x22,
                            Joins[2] = {0x40, 0x41}, SymN = 0x30;
  static constexpr uint32_t Tasks = 4, Objects = 9;
  static constexpr uint64_t Bytes = 4 << 20;
  Facts F;
  Profile B;
  Machine M;
  PlanRequest R;

  /// \p Phases: the number of team phases, which must be even. Objects, counts
  /// and times are \p Times those of 4 MiB.
  explicit Iterations(uint32_t Phases, uint32_t Times = 1) : Times(Times) {
    machine();
    facts();
    B.Role = "base";
    B.Input = "00000000000000aa";
    B.Mode = "misses";
    B.Config.workers = Tasks;
    B.Config.llc_share_bytes = 1 << 20;
    for (int I = 0; I < EK_RAW_LLC_SIZES; ++I)
      B.Config.llc_sizes[I] = 65536u << I;
    B.Symbols.push_back({SymN, EK_NO_TASK, 0, 1, 1000, 1000, 1000, 1000, 1000});
    for (uint32_t O = 0; O < Objects; ++O)
      B.Instances.push_back(
          {0x100 + O, 0, 0, 0, Bytes * Times, 0, EK_NO_TASK, O, 0});
    for (uint32_t P = 0; P < Phases; ++P) {
      if (P % 2 == 0) {
        const auto H = uint32_t(B.Phases.size());
        B.Phases.push_back({0, 0, 1});
        B.Tasks.push_back({Serial, H, 0, 0, 0, 1000, 1000, 0});
      }
      team(P);
    }
    R.F = &F;
    R.Base = &B;
    R.M = &M;
    R.Fast = "25%";
  }
  Iterations(const Iterations &) = delete; // R points into it

private:
  const uint64_t Times;

  void machine() {
    M.Name = "made up";
    M.Cores = 8;
    M.GHz = 2;
    M.RobInstructions = M.L1Ways = M.L2Ways = M.LlcWays = 8;
    M.L1Bytes = M.L2Bytes = 1 << 15;
    M.LlcBytes = 8 << 20;
    M.Tiers = {{"fast", 1ull << 40, 100, 100, 100, 80},
               {"slow", 1ull << 42, 300, 300, 20, 10}};
    M.LoadedLatency = {{0, 1}, {0.65, 1.05}, {0.8, 1.3}, {0.95, 2.2}, {1, 3}};
    M.MigrationPageUs = 2;
    M.MigrationBandwidthGBps = 8;
  }

  void facts() {
    for (int K : {0, 1})
      F.Regions.push_back({Regions[K], "parallel", "a.c:20:1", "main"});
    F.Regions.push_back({Serial, "serial", "a.c:10:1", "main"});
    SymbolFact N;
    N.Id = SymN;
    N.Name = "main:n";
    N.Kind = SymbolFact::Given;
    F.Symbols.push_back(N);
    for (uint32_t O = 0; O < Objects; ++O) {
      SiteFact S;
      S.Id = 0x100 + O;
      S.Kind = "malloc";
      S.At = "a.c:" + std::to_string(O + 1) + ":1";
      S.Size = makeOp(
          "*", {makeConst(double(Bytes * Times) / 1000), makeSymbol(SymN)});
      F.Sites.push_back(S);
      for (uint64_t Region : Regions) {
        AccessFact A;
        A.Region = Region;
        A.Sites = {S.Id};
        A.Class = O + 1 == Objects ? AccessFact::Random : AccessFact::Stream;
        A.ElementBytes = 8;
        A.Reads =
            makeOp("*", {makeConst(double(100 * Times)), makeSymbol(SymN)});
        A.Writes = O % 3 ? makeConst(0) : A.Reads;
        F.Accesses.push_back(A);
      }
    }
  }

  void team(uint32_t P) {
    const auto H = uint32_t(B.Phases.size());
    B.Phases.push_back({Joins[P % 2], 1, Tasks});
    for (uint32_t T = 0; T < Tasks; ++T) {
      const auto Task = uint32_t(B.Tasks.size());
      B.Tasks.push_back({Regions[P % 2], H, T, T, 0,
                         (2000000 + 300000 * T) * Times, 4000000 * Times, 0});
      for (uint32_t O = 0; O < Objects; ++O)
        access(P, Task, T, O);
    }
  }

  void access(uint32_t P, uint32_t Task, uint32_t T, uint32_t O) {
    const bool Random = O + 1 == Objects;
    const unsigned Own = EK_CHUNKS / Tasks, From = Random ? 0 : T * Own,
                   To = Random ? EK_CHUNKS : From + Own;
    const uint64_t Each = Times * (200 + 20 * ((O + P % 2) % 4) +
                                   (P < 2 ? 31 : 0) + (Random ? 40 * T : 0));
    uint64_t Reads = 0;
    for (unsigned C = From; C < To; ++C) {
      B.Misses.push_back({Task, O, C, 0, Each, O % 3 ? 0 : Each / 2,
                          double(Each) / (Random ? 2 : 10), 0});
      Reads += Each;
    }
    B.Accesses.push_back({Task, O, 8 * Reads, O % 3 ? 0 : 4 * Reads});
    ek_raw_mrc Curve{Task, O, {}};
    for (uint64_t &X : Curve.reads)
      X = Reads;
    B.Curves.push_back(Curve);
    B.Far.push_back(
        {Task, O, Reads + Times * (P % 3), double(Reads) / (10 + P % 5)});
  }
};

/// Shares that put as many of the first units as fit into the fast tier.
inline std::vector<double> firstUnitsFast(const Problem &P) {
  std::vector<double> Fast(P.Units.size(), 0);
  double Left = P.FastBytes;
  for (size_t U = 0; U < Fast.size() && Left >= P.Units[U].Bytes; ++U) {
    Fast[U] = 1;
    Left -= P.Units[U].Bytes;
  }
  return Fast;
}

} // namespace evenkeel

#endif
