//===- ExitTests.h - tests that leave loops ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: branches that leave a loop by a comparison of integers, one side of
// which stays as it is while the loop runs.
// Leaves out: how often they hold (Trips.cpp, Operations.cpp).
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

/// A loop goes on while Moving compares with Limit as Stay says.
struct ExitTest {
  const llvm::SCEV *Moving, *Limit;
  llvm::CmpInst::Predicate Stay;
};

/// The test at the end of \p Exiting, a block of \p L; nullopt: it is none of
/// two integers, or both of them move.
std::optional<ExitTest> exitTestOf(const llvm::Loop &L,
                                   const llvm::BasicBlock &Exiting,
                                   llvm::ScalarEvolution &SE);

/// Rounds of \p L less one, as ScalarEvolution counts them, but in numbers, not
/// in words that wrap around: a test for equality that starts behind what it
/// waits for (`i != k` where i is above k and goes up) ends no loop that
/// another test ends before the word wraps.
const llvm::SCEV *backedgeCountOf(const llvm::Loop &L,
                                  llvm::ScalarEvolution &SE);

/// The same up to where the tests that end \p Exiting leave the loop.
const llvm::SCEV *exitCountOf(const llvm::Loop &L, llvm::BasicBlock &Exiting,
                              llvm::ScalarEvolution &SE);

} // namespace evenkeel

#endif
