//===- Calls.h - callees and captured variables of calls --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: callees through casts and aliases, the entry points of LLVM's OpenMP
// runtime that run outlined functions, and the arguments passed by such calls.
// Not here: allocations (Allocations.h) and library functions.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_UNIT_CALLS_H
#define EVENKEEL_PASSES_UNIT_CALLS_H

#include "llvm/IR/InstrTypes.h"
#include <string>

namespace evenkeel {

/// The callee, with casts and aliases looked through; null for indirect calls.
llvm::Function *calleeOf(const llvm::CallBase &CB);
/// "pool::get" from a mangled name, without template arguments; otherwise the
/// name.
std::string qualifiedName(const llvm::Function &F);
bool isForkCall(const llvm::CallBase &CB);
bool isTaskAlloc(const llvm::CallBase &CB);
/// The outlined function that a fork call runs on every thread, or that a task
/// allocation's task runs.
llvm::Function *outlinedCallee(const llvm::CallBase &CB);
/// The number of a fork call's first captured argument; in the body, two
/// arguments of the runtime precede it.
unsigned firstCapture(const llvm::CallBase &CB);
/// The value that \p CB passes for \p A; null: none. \p CB calls the argument's
/// function or is a fork that runs it.
const llvm::Value *handedOver(const llvm::CallBase &CB,
                              const llvm::Argument &A);

} // namespace evenkeel

#endif
