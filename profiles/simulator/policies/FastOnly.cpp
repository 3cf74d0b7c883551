//===- FastOnly.cpp - everything in tier 0, as if it were large enough ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: the "DRAM-only" bound of Tahoe (SC 2018) and Merchandiser (PPoPP
// 2023). No parameters; ignores the capacity, so it is a bound, not a rival.
//===----------------------------------------------------------------------===//
#include "Policies.h"

namespace evenkeel {
namespace {

class FastOnly : public Policy {
public:
  std::string name() const override { return "fast-only"; }
  bool ignoresCapacity() const override { return true; }
  unsigned onFirstTouch(PageMap &, uint32_t, uint32_t) override { return 0; }
};

} // namespace

std::unique_ptr<Policy> makeFastOnly() { return std::make_unique<FastOnly>(); }

} // namespace evenkeel
