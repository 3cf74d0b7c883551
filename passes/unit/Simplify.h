//===- Simplify.h - the shape in which code is analysed ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the compiler's own simplification, but for unrolling: copies of a
// loop's body would be counted as places of their own.
// Leaves out: what the analysis needs beyond that (Prep.h).
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

/// Of units that were simplified one by one: what functions do is known to
/// callers in other units now. Their code stays as it is.
void finishLink(llvm::Module &M);

/// Makes up for what was left out, before compilation goes on. Functions that
/// have been inlined by now are larger than where the compiler would have
/// unrolled their loops: the limit is that of -O3.
void unrollShortLoops(llvm::Module &M);

/// What the compiler does once more to each function as it goes on; no calls
/// are inlined, of other units least of all.
void simplifyFunctions(llvm::Module &M);

/// The same for some of \p M's functions, loops unrolled as ever. Unoptimised
/// functions stay as they are.
void simplifyFunctions(llvm::Module &M,
                       llvm::ArrayRef<llvm::Function *> Functions);

/// What the compiler does to a unit behind simplification: loops are vectorised
/// and unrolled. A linker's own optimisation of a program would go through all
/// that units have had once more.
void finishCode(llvm::Module &M);

} // namespace evenkeel

#endif
