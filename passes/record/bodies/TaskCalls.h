//===- TaskCalls.h - calls behind which another task may run -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what ends a task or a phase, the life of an object, or the program,
// directly or in functions of the module that are called.
// Makes: for a call, whether what was counted so far must be told before it.
// Leaves out: calls that nobody names (they are taken to do all of that).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_BODIES_TASKCALLS_H
#define EVENKEEL_PASSES_RECORD_BODIES_TASKCALLS_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Module.h"

namespace evenkeel {

class TaskCalls {
  llvm::DenseSet<const llvm::Function *> Ending; // defined here

  bool endsByItself(const llvm::Instruction &I) const;

public:
  explicit TaskCalls(const llvm::Module &M);
  /// Must what was counted be told before \p I?
  bool mayEnd(const llvm::Instruction &I) const;
};

} // namespace evenkeel

#endif
