//===- Rings.h - indices that wrap around -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: remainders, masks and casts to few bits of linear expressions: a ring
// buffer, the last few rows, a table of 256.
// Makes: the address without the part that wraps around, and the number of
// elements in the ring.
// Not here: the use of rings (Walks.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_WALKS_RINGS_H
#define EVENKEEL_PASSES_ACCESS_WALKS_RINGS_H

#include <optional>

namespace llvm {
class Loop;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace evenkeel {

struct Ring {
  const llvm::SCEV *Elements; // of several rings, the largest
  const llvm::SCEV *Rest;     // the rest of the address
};

/// The ring in which the address \p S moves in \p X, if nothing else in \p S
/// changes there.
std::optional<Ring> ringOf(const llvm::SCEV *S, const llvm::Loop &X,
                           llvm::ScalarEvolution &SE);

} // namespace evenkeel

#endif
