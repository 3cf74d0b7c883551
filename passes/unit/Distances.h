//===- Distances.h - loops over pointer ranges ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: loops that advance a pointer to an end pointer in constant steps
// (iterators, ranges), and code that computes the number of elements between
// two pointers.
// Makes: an instruction for that number if the code has none, so that it can be
// a symbol whose value a run reports.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_UNIT_DISTANCES_H
#define EVENKEEL_PASSES_UNIT_DISTANCES_H

#include <cstdint>
#include <optional>

namespace llvm {
class Function;
class LoopInfo;
class Value;
} // namespace llvm

namespace evenkeel {

/// The bytes from From to To, in elements of Size bytes.
struct Distance {
  const llvm::Value *From, *To;
  int64_t Size;
};

/// The distance that \p V computes, if it is one.
std::optional<Distance> distanceOf(const llvm::Value *V);

/// Inserts the number of elements before each loop of \p F that runs from one
/// pointer to another. Changes nothing else.
void countDistances(llvm::Function &F, const llvm::LoopInfo &LI);

} // namespace evenkeel

#endif
