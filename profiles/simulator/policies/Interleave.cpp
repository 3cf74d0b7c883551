//===- Interleave.cpp - pages go round robin over the tiers ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: MPOL_INTERLEAVE over all nodes (kernel documentation, "NUMA Memory
// Policy"): page faults take nodes in turn; if a node is full, the next one is
// used. Parameters: one page per turn. Unlike in the kernel, the turn follows
// the order of faults inside a mapping, too (there: the page's offset), which
// only affects which node gets an odd page.
//===----------------------------------------------------------------------===//
#include "Policies.h"

namespace evenkeel {
namespace {

class Interleave : public Policy {
  unsigned Turn = 0;

public:
  std::string name() const override { return "interleave"; }
  unsigned onFirstTouch(PageMap &Map, uint32_t I, uint32_t Page) override {
    unsigned Tier = Turn;
    Turn = (Turn + 1) % Map.tiers();
    return Map.placeFrom(I, Page, Tier);
  }
};

} // namespace

std::unique_ptr<Policy> makeInterleave() {
  return std::make_unique<Interleave>();
}

} // namespace evenkeel
