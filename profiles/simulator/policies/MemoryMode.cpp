//===- MemoryMode.cpp - fast memory as a cache of lines -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Intel's Memory Mode (Izraelevitz et al. 2019, "Basic Performance
// Measurements of the Intel Optane DC Persistent Memory Module",
// section 2.1.1): DRAM is a direct-mapped cache of 64-byte lines, software sees
// the slow tier only. Baseline of Merchandiser (PPoPP 2023) and ecoHMEM
// (Cluster 2022). Parameters: shuffled = page frames are in random order (a
// machine that has run for a while) or in order of first use (freshly booted:
// fewer conflicts). DramCache.h explains how lines are derived from pages.
//===----------------------------------------------------------------------===//
#include "Policies.h"

namespace evenkeel {
namespace {

class MemoryMode : public Policy {
  bool Shuffled;

public:
  explicit MemoryMode(bool Shuffled) : Shuffled(Shuffled) {}
  std::string name() const override { return "memory-mode"; }
  CacheMode cacheMode() const override { return {true, Shuffled}; }
  unsigned onFirstTouch(PageMap &Map, uint32_t I, uint32_t Page) override {
    return Map.placeFrom(I, Page, 1);
  }
};

} // namespace

const std::vector<Tunable> &memoryModeTunables() {
  static const std::vector<Tunable> T = {
      {"shuffled", 0, {0, 1}, "1 = page frames in random order"}};
  return T;
}

std::unique_ptr<Policy> makeMemoryMode(const ReplayRequest &R) {
  return std::make_unique<MemoryMode>(
      settingOf(R.Tuned, memoryModeTunables(), "shuffled") > 0);
}

} // namespace evenkeel
