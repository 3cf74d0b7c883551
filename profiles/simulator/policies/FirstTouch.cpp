//===- FirstTouch.cpp - fast until full, then the next tier ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: the default policy of Linux on a machine whose tiers are NUMA nodes,
// with the program's threads on the fast node: at first touch, a page comes
// from the nearest node with room (kernel documentation, "NUMA Memory Policy",
// system default). No migration. Freed space is used again. No parameters.
//===----------------------------------------------------------------------===//
#include "Policies.h"

namespace evenkeel {
namespace {

class FirstTouch : public Policy {
public:
  std::string name() const override { return "first-touch"; }
  unsigned onFirstTouch(PageMap &Map, uint32_t I, uint32_t Page) override {
    return Map.placeFrom(I, Page, 0);
  }
};

} // namespace

std::unique_ptr<Policy> makeFirstTouch() {
  return std::make_unique<FirstTouch>();
}

} // namespace evenkeel
