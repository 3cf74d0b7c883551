//===- SlowOnly.cpp - everything in the slowest tier ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: the "PM-only" baseline of Merchandiser (PPoPP 2023). No parameters.
//===----------------------------------------------------------------------===//
#include "Policies.h"

namespace evenkeel {
namespace {

class SlowOnly : public Policy {
public:
  std::string name() const override { return "slow-only"; }
  unsigned onFirstTouch(PageMap &Map, uint32_t, uint32_t) override {
    return Map.tiers() - 1;
  }
};

} // namespace

std::unique_ptr<Policy> makeSlowOnly() { return std::make_unique<SlowOnly>(); }

} // namespace evenkeel
