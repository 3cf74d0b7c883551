//===- Distances.h - loops from pointer to pointer --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: loops that take a pointer to another one by even steps (iterators,
// ranges), and code that counts the elements between two pointers.
// Makes: that number, as an instruction of its own where the code has none, so
// that it can be a symbol and a run can tell it.
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

/// Bytes from From to To, in elements of Size bytes.
struct Distance {
  const llvm::Value *From, *To;
  int64_t Size;
};

/// What \p V counts, if it is such a number.
std::optional<Distance> distanceOf(const llvm::Value *V);

/// Puts the number of elements in front of each loop of \p F that runs from one
/// pointer to another. Changes nothing else.
void countDistances(llvm::Function &F, const llvm::LoopInfo &LI);

} // namespace evenkeel

#endif
