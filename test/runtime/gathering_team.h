//===- gathering_team.h - two threads, each with its object -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a team of two threads that gather, each from its own object, in 1000
// phases. The fast tier (of the emulated provider) holds one of the objects. On
// the base input thread 0 reads twice as much. A test adds what decides how
// much they read, then makes the plan, then the objects.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_TEST_RUNTIME_GATHERING_TEAM_H
#define EVENKEEL_TEST_RUNTIME_GATHERING_TEAM_H

#include "evenkeel/ek.h"
#include "gathered_objects.h"
#include "made_plan.h"
#include "made_up_machine.h"

struct GatheringTeam {
  static constexpr uint64_t Join = 0x40, Region = 0x20, SiteA = 0x1a,
                            SiteB = 0x1b;
  static constexpr size_t Bytes = 512 << 10;
  static constexpr uint32_t Rounds = 1000;
  static constexpr int64_t MoreOften = 200000, LessOften = 100000;

  evenkeel::Facts F;
  evenkeel::Profile B;
  evenkeel::Machine M = madeUpMachine(2);
  ek_plan *Flat = nullptr;
  char *A = nullptr, *Z = nullptr;

  GatheringTeam() {
    F.Regions.push_back({Region, "parallel", "a.c:20:1", "main"});
    B.Role = "base";
    B.Config.workers = 2;
    B.Config.llc_share_bytes = 1 << 14;
    M.LlcBytes = 1 << 15;
    B.Phases.push_back({0, 0, 1});
    B.Tasks.push_back({0x21, 0, 0, 0, 0, 1000, 1000, 0});
    for (uint32_t H = 1; H <= Rounds; ++H) {
      B.Phases.push_back({Join, 1, 2});
      for (uint32_t T = 0; T < 2; ++T) {
        const auto Task = uint32_t(B.Tasks.size());
        B.Tasks.push_back({Region, H, T, T, 0, 1000, 1000, 0});
        const int64_t Lines = readsOf(T) / 1000;
        for (uint32_t C = 0; C < EK_CHUNKS; ++C)
          B.Misses.push_back(
              {Task, T, C, 0, uint64_t(Lines), 0, double(Lines), 0});
        B.Accesses.push_back({Task, T, uint64_t(Lines) * 1000, 0});
      }
    }
  }

  /// Elements that thread \p T reads in a phase of the base run.
  static int64_t readsOf(uint32_t T) { return T ? LessOften : MoreOften; }

  /// Adds an object, of which each thread reads as many elements as \p Symbol
  /// says.
  void addObject(uint64_t Site, uint64_t Symbol) {
    addGathered(F, Region, Site, evenkeel::makeSymbol(Symbol));
    B.Instances.push_back({Site, 0, 0, 0, Bytes, 0, EK_NO_TASK, 0, 0});
  }

  /// Makes the plan, in the file \p Name, and lets the runtime place by it.
  /// False after a failure.
  bool place(const std::string &Name) {
    evenkeel::PlanRequest R;
    R.F = &F;
    R.Base = &B;
    R.M = &M;
    R.Fast = std::to_string(Bytes) + "B";
    const std::string Path = testing::TempDir() + Name;
    if (!planToFile(R, Path) || !(Flat = planOfFile(Path)))
      return false;
    ek_place_plan(Flat);
    return true;
  }

  void allocate() {
    A = static_cast<char *>(ek_malloc(SiteA, Bytes));
    Z = static_cast<char *>(ek_malloc(SiteB, Bytes));
  }
};

#endif
