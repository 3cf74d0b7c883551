//===- AllocationRules.h - the C allocation family --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the functions that allocate or free through the C library, the system
// or MPI, their replacements in annotated code, and the arguments that are the
// size of a block.
// Not here: how calls are edited (rules/AllocationCalls).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_ALLOCATIONRULES_H
#define EVENKEEL_REWRITER_ALLOCATIONRULES_H

#include "format/Allocators.h"
#include "unit/Unit.h"

namespace evenkeel {

/// One rule: the function that it edits and the replacement, which takes the id
/// (and the share) as first arguments if it allocates.
struct AllocationRule {
  const char *Function;
  unsigned Params;
  unsigned Pointers; // bit per parameter that is a pointer
  const char *Replacement;
  Finding::Group Class;
  AllocatorOrigin From; // ignores the program's own malloc if it is Outside
  const char *Page;     // rules/PAGE.md
};

/// The rule for the function \p Name; null: none.
const AllocationRule *ruleFor(llvm::StringRef Name);
/// The rule that makes annotated calls of \p Name; null: none.
const AllocationRule *ruleOfAnnotated(llvm::StringRef Name);
/// Whether \p Name is a function of the family or an annotated form.
bool namesAllocation(llvm::StringRef Name);
/// Why calls of an allocating function without a rule are left.
struct LeftReason {
  const char *Name = nullptr; // null: no such function
  bool IsSite = true;         // of the IR; false for strings, which are small
};
LeftReason leftBecause(llvm::StringRef Name);

/// Whether \p FD belongs to the family, by its own or its annotated name.
bool isAllocationCall(const clang::FunctionDecl *FD);
/// The index of the parameter through which \p FD returns its block;
/// NoParameter if it returns the block as its value, or is not of the family.
inline constexpr unsigned NoParameter = ~0u;
unsigned allocatesThrough(const clang::FunctionDecl *FD);
/// Whether the call \p CE of the family has a constant size; sets \p Bytes.
bool hasConstantSize(const Unit &U, const clang::CallExpr *CE,
                     const clang::FunctionDecl *FD, uint64_t &Bytes);

} // namespace evenkeel

#endif
