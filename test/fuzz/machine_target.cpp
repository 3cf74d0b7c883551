//===- machine_target.cpp - machine files ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: machine files are written by people only, so there is no round trip;
// what was accepted has figures that models can divide by.
//===----------------------------------------------------------------------===//
#include "Target.h"
#include "format/Machine.h"
#include <cmath>

using namespace evenkeel;
using namespace ekfuzz;

bool ekfuzz::runMachine(const std::string &Input) {
  // A path, never a name: it ends up below a folder.
  std::string Path = scratchFile("in", Input);
  Expected<std::string> Text = machineText(Path);
  EK_HOLDS(Text && *Text == Input, "machineText() gives other bytes");
  Expected<Machine> M = readMachine(Path);
  if (!M) {
    checkError(M.message());
    return false;
  }
  // Of what replays and planners multiply, in time and bytes.
  auto Good = [](double V) { return V > 0 && V <= 1e6; };
  EK_HOLDS(M->Cores && Good(M->GHz) && M->RobInstructions, "core figures");
  EK_HOLDS(M->L1Bytes && M->L1Ways && M->L2Bytes && M->L2Ways && M->LlcBytes &&
               M->LlcWays && M->llcSharePerCore() <= M->LlcBytes,
           "cache figures");
  EK_HOLDS(M->Tiers.size() >= 2, "number of tiers");
  for (const Tier &T : M->Tiers)
    EK_HOLDS(T.CapacityBytes && Good(T.ReadLatencyNs) &&
                 Good(T.WriteLatencyNs) && Good(T.ReadBandwidthGBps) &&
                 Good(T.WriteBandwidthGBps),
             "tier figures");
  EK_HOLDS(!M->LoadedLatency.empty(), "loaded latency");
  double LastU = -1, LastF = 1;
  for (auto [U, F] : M->LoadedLatency) {
    EK_HOLDS(std::isfinite(U) && std::isfinite(F) && U > LastU && F >= LastF,
             "loaded latency falls");
    LastU = U;
    LastF = F;
  }
  EK_HOLDS(std::isfinite(M->MigrationPageUs) && M->MigrationPageUs >= 0 &&
               Good(M->MigrationBandwidthGBps),
           "migration figures");
  return true;
}
