//===- Simplify.h - simplify code for the analysis --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the compiler's own simplification without unrolling, because copies of
// a loop's body would be counted as separate places.
// Not here: what the analysis needs beyond that (Prep.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_UNIT_SIMPLIFY_H
#define EVENKEEL_PASSES_UNIT_SIMPLIFY_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace evenkeel {

void simplifyModule(llvm::Module &M);

/// For units that were simplified one by one: infers attributes of functions
/// for callers in other units. Their code does not change.
void finishLink(llvm::Module &M);

/// Unrolls the loops that simplification did not, before compilation continues.
/// Functions are larger now than at the point where the compiler would have
/// unrolled, because calls have been inlined; the limit is that of -O3.
void unrollShortLoops(llvm::Module &M);

/// Runs the compiler's later passes on each function again. Inlines no calls,
/// in particular none from other units.
void simplifyFunctions(llvm::Module &M);

/// The same for some functions of \p M, with unrolling. Unoptimised functions
/// do not change.
void simplifyFunctions(llvm::Module &M,
                       llvm::ArrayRef<llvm::Function *> Functions);

/// Runs the compiler's passes that follow simplification: vectorises and
/// unrolls loops. A linker's own optimisation of the program would repeat
/// everything that the units have had.
void finishCode(llvm::Module &M);

} // namespace evenkeel

#endif
