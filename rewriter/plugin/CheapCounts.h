//===- CheapCounts.h - counters that cost next to nothing ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: when in the course of optimisation counters of loops (CountingCode.h)
// can be replaced by what the loops need anyway (ClosedCounters.h,
// ChainedRanges.h). Makes: that, and removes counters that would stay in short
// loops, with a remark.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_PLUGIN_CHEAPCOUNTS_H
#define EVENKEEL_REWRITER_PLUGIN_CHEAPCOUNTS_H

namespace llvm {
class PassBuilder;
}

namespace evenkeel {

void makeCountsCheap(llvm::PassBuilder &PB);

} // namespace evenkeel

#endif
