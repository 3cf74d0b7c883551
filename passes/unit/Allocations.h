//===- Allocations.h - which calls allocate ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: allocation functions (format/Allocators.h), those that people name
// (EVENKEEL_ALLOCATORS), and declarations that say so.
// Makes: which argument of a call has the size, and where the block goes.
// Leaves out: functions that allocate for others (objects/WrapperBodies.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_UNIT_ALLOCATIONS_H
#define EVENKEEL_PASSES_UNIT_ALLOCATIONS_H

#include "format/Allocators.h"
#include "format/ek_sizes.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>
#include <string>

namespace evenkeel {

/// Statics and globals below this size are not worth a decision (design 10).
constexpr uint64_t SmallestGlobal = EK_LARGE_BYTES;

/// How a call allocates. Arguments are those of the call, from 0; -1: none.
struct Allocation {
  std::string Kind; // malloc, calloc, ..., new, new[], or the function
  AllocatorOrigin From = AllocatorOrigin::Heap;
  int Size = -1, Count = -1; // their product is the size
  int Out = -1;              // where the block's address goes, if not returned
  int Old = -1;              // the block whose contents move on
};

/// What \p CB allocates: by the name of what it calls, by what people say
/// (EVENKEEL_ALLOCATORS), or by what its declaration says of the result.
std::optional<Allocation> allocationOf(const llvm::CallBase &CB);
/// The same of a call of \p F, which may be chosen at run time.
std::optional<Allocation> allocationOf(const llvm::CallBase &CB,
                                       const llvm::Function &F);
/// Whether \p CB, which allocates as \p A says, may make a block that is large
/// enough to matter.
bool mayBeObject(const llvm::CallBase &CB, const Allocation &A);
/// Keeps the allocators that people name whole, and their calls apart: they are
/// objects' sites, whatever is inside. For code that is only analysed.
void keepNamedAllocators(llvm::Module &M);
bool isNamedAllocator(const llvm::Function &F);
/// Arguments that an annotated allocation (ek_malloc and its kin) has in front
/// of those of the function it stands for: 0, 1 or 2.
unsigned annotationArguments(const llvm::CallBase &CB);

} // namespace evenkeel

#endif
