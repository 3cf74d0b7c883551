//===- ChainedRanges.h - ranges that follow each other ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: an outer loop's additions for an inner loop that walks a range of each
// iteration: `for (k = first[i]; k < first[i + 1]; k++)`. Each range begins
// where the one before ended, so all together have the length from the first
// begin to the last end. (A range that ends before it begins is an empty one,
// but counts as negative.)
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_PLUGIN_CHAINEDRANGES_H
#define EVENKEEL_REWRITER_PLUGIN_CHAINEDRANGES_H

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class PHINode;
} // namespace llvm

namespace evenkeel {

/// Computes \p Sum, a variable at the begin of \p L, after the loop if it is
/// the length of such ranges. False: it is not.
bool sumChainedRanges(llvm::Loop &L, llvm::PHINode &Sum,
                      llvm::DominatorTree &DT, llvm::LoopInfo &LI);

} // namespace evenkeel

#endif
