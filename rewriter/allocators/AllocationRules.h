//===- AllocationRules.h - the C allocation family --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which functions allocate or free through the C library, the system or
// MPI, what stands in their place in annotated code, and what of a call of them
// says how large the block is.
// Not here: how calls are edited (rules/AllocationCalls).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_ALLOCATIONRULES_H
#define EVENKEEL_REWRITER_ALLOCATIONRULES_H

#include "format/Allocators.h"
#include "unit/Unit.h"

namespace evenkeel {

/// One rule: which function it edits and what stands there afterwards, with the
/// id (and the share) in front of the arguments where it allocates.
struct AllocationRule {
  const char *Function;
  unsigned Params;
  unsigned Pointers; // bit per parameter that is a pointer
  const char *Replacement;
  Finding::Group Class;
  AllocatorOrigin
      From;         // a program's own malloc says nothing of what is Outside
  const char *Page; // rules/PAGE.md
};

/// The rule for the function \p Name; null: none.
const AllocationRule *ruleFor(llvm::StringRef Name);
/// The rule whose result a call of \p Name is; null: none.
const AllocationRule *ruleBehind(llvm::StringRef Name);
/// Whether functions of the family, or annotated forms, have that name.
bool namesAllocation(llvm::StringRef Name);
/// Why calls of other allocating functions stay as they are; null: no such
/// function.
const char *leftBecause(llvm::StringRef Name);

/// Whether \p FD is of the family, by its name or as annotated code calls it.
bool isAllocationCall(const clang::FunctionDecl *FD);
/// The parameter through which \p FD gives its block back; NoParameter: it
/// returns it, or is not of the family.
inline constexpr unsigned NoParameter = ~0u;
unsigned allocatesThrough(const clang::FunctionDecl *FD);
/// The bytes that the call \p CE of the family asks for, where known.
bool hasConstantSize(const Unit &U, const clang::CallExpr *CE,
                     const clang::FunctionDecl *FD, uint64_t &Bytes);

} // namespace evenkeel

#endif
