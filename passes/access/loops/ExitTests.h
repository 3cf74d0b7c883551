//===- ExitTests.h - exit tests of loops ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the tests that end a loop: comparisons of a changing integer with a
// loop-invariant one, and ScalarEvolution's limits for them.
// Makes: such a test; the limits as mathematical integers.
// Not here: trip counts (Trips.cpp, formulas/TripCounts.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_LOOPS_EXITTESTS_H
#define EVENKEEL_PASSES_ACCESS_LOOPS_EXITTESTS_H

#include "llvm/IR/InstrTypes.h"
#include <optional>

namespace llvm {
class BasicBlock;
class Loop;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace evenkeel {

/// The loop continues while Moving compares with Limit as Stay says.
struct ExitTest {
  const llvm::SCEV *Moving, *Limit;
  llvm::CmpInst::Predicate Stay;
};

/// The test at the end of \p Exiting, a block of \p L; nullopt: it does not
/// compare two integers, or both change.
std::optional<ExitTest> exitTestOf(const llvm::Loop &L,
                                   const llvm::BasicBlock &Exiting,
                                   llvm::ScalarEvolution &SE);

/// The backedge-taken count of \p L in ScalarEvolution, but as a mathematical
/// integer rather than a word that wraps around: an equality test that starts
/// beyond its limit (`i != k` where i is above k and increases) does not end
/// the loop if another test ends it before the word wraps.
const llvm::SCEV *backedgeCountOf(const llvm::Loop &L,
                                  llvm::ScalarEvolution &SE);

/// The same up to where the tests that end \p Exiting leave the loop.
const llvm::SCEV *exitCountOf(const llvm::Loop &L, llvm::BasicBlock &Exiting,
                              llvm::ScalarEvolution &SE);

} // namespace evenkeel

#endif
