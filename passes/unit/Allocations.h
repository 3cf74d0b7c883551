//===- Allocations.h - which calls allocate ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: allocation functions (format/Allocators.h), functions that users name
// (EVENKEEL_ALLOCATORS), and declarations that mark their result as new memory.
// Makes: which argument of a call is the size, and where the block's address
// goes.
// Not here: functions that allocate for their callers
// (objects/WrapperBodies.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_UNIT_ALLOCATIONS_H
#define EVENKEEL_PASSES_UNIT_ALLOCATIONS_H

#include "format/Allocators.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>
#include <string>

namespace evenkeel {

/// How a call allocates. Members are argument numbers of the call, from 0; -1:
/// none.
struct Allocation {
  std::string Kind; // malloc, calloc, ..., new, new[], or the function's name
  AllocatorOrigin From = AllocatorOrigin::Heap;
  int Size = -1, Count = -1; // their product is the size
  int Out = -1;              // points to where the block's address is stored,
                             // if not returned
  int Old = -1;              // the block whose contents are moved
};

/// How \p CB allocates, by the callee's name, the user's list
/// (EVENKEEL_ALLOCATORS), or the callee's declaration; none: it does not.
std::optional<Allocation> allocationOf(const llvm::CallBase &CB);
/// The same for a call of \p F, which may be an indirect call.
std::optional<Allocation> allocationOf(const llvm::CallBase &CB,
                                       const llvm::Function &F);
/// Whether \p CB, which allocates as \p A says, may make a block that is large
/// enough to matter.
bool mayBeObject(const llvm::CallBase &CB, const Allocation &A);
/// Prevents inlining the allocators that users name, and merging their calls:
/// the calls are sites, whatever the functions do inside. For code that is
/// analysed and discarded.
void keepNamedAllocators(llvm::Module &M);
bool isNamedAllocator(const llvm::Function &F);
/// The number of arguments that an annotated allocation (ek_malloc and similar)
/// has before those of the function that it replaces: 0, 1 or 2.
unsigned annotationArguments(const llvm::CallBase &CB);

} // namespace evenkeel

#endif
