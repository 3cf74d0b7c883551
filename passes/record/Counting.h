//===- Counting.h - counted accesses in instrumented code -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how instrumented code counts its accesses by object at the price of a
// few additions outside of loops: how often code runs is counted in registers,
// in front of the outermost loop whose trip count says it, and an object is
// looked up where a function ends or calls what may end the task.
// Makes: the same counts as a full recording, and the costs of tasks.
// Leaves out: where in an object accesses go, and in which order; which
// accesses matter (Record.cpp); which calls may end a task (TaskCalls.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_COUNTING_H
#define EVENKEEL_PASSES_RECORD_COUNTING_H

#include "record/Runtime.h"
#include "record/bodies/TaskCalls.h"
#include "record/samples/Sampling.h"
#include "llvm/ADT/ArrayRef.h"

namespace evenkeel {

/// Straight-line code and what it costs.
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

  /// Counts \p Accesses, in the order of the code, and \p Costs of \p F.
  void insert(llvm::Function &F, llvm::ArrayRef<RecordedAccess> Accesses,
              llvm::ArrayRef<CodeCost> Costs);
};

} // namespace evenkeel

#endif
