//===- Prep.h - prepare a module for the analysis ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the transformations that bring loops and their arrays into one
// function: inlining of code from system headers (a container's accessors),
// loop-simplify, LCSSA.
// Makes: a module with the same meaning, for the analysis or the recorder.
// Not here: assumptions that only the analysis may make; EkAccess makes them on
// its clone.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_UNIT_PREP_H
#define EVENKEEL_PASSES_UNIT_PREP_H

namespace llvm {
class Module;
}

namespace evenkeel {

/// Preserves the program's meaning; invalidates every analysis of \p M.
void prepareModule(llvm::Module &M);

} // namespace evenkeel

#endif
