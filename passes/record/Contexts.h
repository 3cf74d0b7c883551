//===- Contexts.h - recorded code tells the calls of wrappers ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which calls of wrappers (WrapperCalls.h) are open at an allocation:
// those that it was inlined through, and those that are still calls.
// Makes: calls that tell the recorder; so a block's context is found as at run
// time, whatever was inlined.
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

/// Puts what tells contexts around those of \p Calls, calls of \p Functions,
/// that need it; to be called before allocations are redirected.
void tellContexts(llvm::Module &M, llvm::ArrayRef<llvm::Function *> Functions,
                  llvm::ArrayRef<llvm::CallBase *> Calls);

} // namespace evenkeel

#endif
