//===- KeptAllocations.h - allocations kept from optimisers -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a rewritten program calls our runtime, which no optimiser understands.
// Recorded and analysed code must allocate the same blocks in the same calls,
// so optimisers must not remove or merge allocations there.
// Not here: blocks allocated in library headers (containers), which the
// optimiser may also change in the rewritten program; and a block that is the
// only one of its site, whose removal changes the identity of no other block.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_OBJECTS_KEPTALLOCATIONS_H
#define EVENKEEL_PASSES_OBJECTS_KEPTALLOCATIONS_H

namespace llvm {
class CallBase;
class Module;
} // namespace llvm

namespace evenkeel {

struct Allocation;

/// Whether a block allocated by \p CB may be an object; false only if it is
/// known to be small, by the rewriter's rule.
bool mayBeObject(const llvm::CallBase &CB, const Allocation &A);

/// Makes the optimiser keep each call in \p M, as the front end made it, that
/// may create an object or calls a wrapper. Known properties of the blocks stay
/// known.
void keepAllocations(llvm::Module &M);

} // namespace evenkeel

#endif
