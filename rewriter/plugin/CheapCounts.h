//===- CheapCounts.h - counters that cost next to nothing -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: counters of loops whose values are handed over (CountingCode.h), and
// where the optimiser has come so far that their values follow from others.
// Makes: of a counter in a loop, if it can, one addition before or after the
// loop; of additions in the loops around it, one difference at the end of
// these. Counters that stay in short loops are removed, with a remark.
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
