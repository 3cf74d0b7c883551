//===- Contexts.h - report calls of wrappers while recording ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which wrapper calls (WrapperCalls.h) are open at an allocation, both
// inlined calls and remaining ones.
// Makes: calls that report them to the recorder, so that a block gets the same
// context as at run time, whatever was inlined.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_CONTEXTS_H
#define EVENKEEL_PASSES_RECORD_CONTEXTS_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class CallBase;
class Function;
class Module;
} // namespace llvm

namespace evenkeel {

/// Inserts the reporting calls around those \p Calls of \p Functions that need
/// them. Must run before allocations are replaced.
void reportContexts(llvm::Module &M, llvm::ArrayRef<llvm::Function *> Functions,
                    llvm::ArrayRef<llvm::CallBase *> Calls);

} // namespace evenkeel

#endif
