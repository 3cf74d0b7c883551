//===- Prep.h - bring a module into the shape the analysis likes *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which transformations let loops meet their arrays: inlining of code
// from system headers (a container's accessors), loop-simplify, LCSSA.
// Makes: a module with the same meaning, for the analysis or the recorder.
// Leaves out: what only the analysis may assume; that happens on the clone
// inside EkAccess.
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
