//===- Counting.h - counted accesses in instrumented code -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how instrumented code counts its accesses by object at the cost of a
// few additions outside loops. Executions are counted in registers, before the
// outermost loop whose trip count gives the number. An object is looked up
// where a function ends or calls code that may end the task.
// Makes: the same counts as a full recording, and the costs of tasks.
// Not here: addresses inside an object and the order of accesses; which
// accesses matter (Record.cpp); which calls may end a task (TaskCalls.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_COUNTING_H
#define EVENKEEL_PASSES_RECORD_COUNTING_H

#include "record/Runtime.h"
#include "record/bodies/TaskCalls.h"
#include "record/samples/Sampling.h"
#include "llvm/ADT/ArrayRef.h"

namespace evenkeel {

/// Straight-line code and its cost.
struct CodeCost {
  llvm::Instruction *First;
  uint64_t Slots, Instructions;
};

class CountedCode {
  RecordRuntime &RT;
  TaskCalls Calls;
  llvm::FunctionCallee Count, Move;

public:
  CountedCode(llvm::Module &M, RecordRuntime &RT);

  /// Inserts the counting of \p Accesses, in code order, and of the \p Costs of
  /// \p F.
  void insert(llvm::Function &F, llvm::ArrayRef<RecordedAccess> Accesses,
              llvm::ArrayRef<CodeCost> Costs);
};

} // namespace evenkeel

#endif
