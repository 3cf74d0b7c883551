//===- Interleave.cpp - pages go round robin over the tiers ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: MPOL_INTERLEAVE over all nodes (kernel documentation, "NUMA Memory
// Policy"): page faults take nodes in turn; a full node's turn goes to the next
// one. Parameters: one page per turn. Differs from the kernel in that the turn
// follows the order of faults also inside a mapping (there: the page's offset),
// which only shifts who gets the odd page.
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
