//===- Calls.h - what a call calls ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: callees behind casts and aliases, the entry points of LLVM's OpenMP
// runtime that run outlined functions, and what such calls hand over.
// Leaves out: allocations (Allocations.h) and library functions.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_UNIT_CALLS_H
#define EVENKEEL_PASSES_UNIT_CALLS_H

#include "llvm/IR/InstrTypes.h"
#include <string>

namespace evenkeel {

/// Callee with casts and aliases looked through; null when indirect.
llvm::Function *calleeOf(const llvm::CallBase &CB);
/// "pool::get" of a mangled name, without template arguments; else the name.
std::string qualifiedName(const llvm::Function &F);
bool isForkCall(const llvm::CallBase &CB);
bool isTaskAlloc(const llvm::CallBase &CB);
/// The function a fork call runs on every thread, or a task allocation's task.
llvm::Function *outlinedCallee(const llvm::CallBase &CB);
/// Of a fork call's arguments, the first that the body captures; the body has
/// two of the runtime's before.
unsigned firstCapture(const llvm::CallBase &CB);
/// What \p CB, a call of the argument's function or a fork that runs it, hands
/// over for \p A; null: nothing.
const llvm::Value *handedOver(const llvm::CallBase &CB,
                              const llvm::Argument &A);

} // namespace evenkeel

#endif
