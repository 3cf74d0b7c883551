//===- KeptAllocations.h - allocations that optimisers leave alone -*- C++
//-*-=//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a rewritten program calls our run time, of which no optimiser knows
// what it does. Recorded and analysed code has to allocate the same blocks, and
// in the same calls, whatever an optimiser thinks of them.
// Leaves out: blocks of libraries' headers (containers), which the rewritten
// program leaves to the optimiser, too; and the only block of a site, without
// which no other has another identity.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_OBJECTS_KEPTALLOCATIONS_H
#define EVENKEEL_PASSES_OBJECTS_KEPTALLOCATIONS_H

namespace llvm {
class CallBase;
class Module;
} // namespace llvm

namespace evenkeel {

struct Allocation;

/// Whether a block that \p CB makes may be an object: all others are known to
/// be small, as the rewriter knows it.
bool mayBeObject(const llvm::CallBase &CB, const Allocation &A);

/// Makes the optimiser keep each call in \p M, as the front end made it, that
/// may make an object, or is a wrapper's; what is known of the blocks stays
/// known.
void keepAllocations(llvm::Module &M);

} // namespace evenkeel

#endif
