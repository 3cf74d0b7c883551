//===- Rings.h - indices that go round and round ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: remainders, masks and casts to few bits of what moves evenly: a ring
// buffer, the last few rows, a table of 256.
// Makes: the address without what goes round, and how many elements that is.
// Leaves out: what becomes of it (Walks.cpp).
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
  const llvm::SCEV *Elements; // the largest, of several
  const llvm::SCEV *Rest;     // of the address
};

/// The ring that \p S, an address, goes round in \p X, where nothing else of it
/// moves there.
std::optional<Ring> ringOf(const llvm::SCEV *S, const llvm::Loop &X,
                           llvm::ScalarEvolution &SE);

} // namespace evenkeel

#endif
