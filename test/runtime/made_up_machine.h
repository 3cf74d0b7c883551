//===- made_up_machine.h - two tiers to plan for ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_TEST_RUNTIME_MADE_UP_MACHINE_H
#define EVENKEEL_TEST_RUNTIME_MADE_UP_MACHINE_H

#include "format/Machine.h"

/// A slow tier with three times the fast one's latency, and moves that cost
/// next to nothing.
inline evenkeel::Machine madeUpMachine(unsigned Cores) {
  evenkeel::Machine M;
  M.Name = "made up";
  M.Cores = Cores;
  M.GHz = 1;
  M.RobInstructions = M.L1Ways = M.L2Ways = M.LlcWays = 8;
  M.L1Bytes = M.L2Bytes = 1 << 15;
  M.LlcBytes = 8 << 20;
  M.Tiers = {{"fast", 1ull << 30, 100, 100, 1e6, 1e6},
             {"slow", 1ull << 30, 300, 300, 1e6, 1e6}};
  M.LoadedLatency = {{0, 1}};
  M.MigrationPageUs = 1;
  M.MigrationBandwidthGBps = 4;
  return M;
}

#endif
