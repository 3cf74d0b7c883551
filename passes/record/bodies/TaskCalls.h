//===- TaskCalls.h - calls that may end a task ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which calls end a task or phase, an object's lifetime, or the program,
// directly or in functions of the module that they call.
// Makes: for a call, whether counts must be reported before it.
// Not here: calls of unknown functions, which are assumed to do all of this.
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
  /// Whether counts must be reported before \p I.
  bool mayEnd(const llvm::Instruction &I) const;
};

} // namespace evenkeel

#endif
