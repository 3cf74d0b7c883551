//===- Full.h - record all accesses in instrumented code --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how instrumented code reports every access to the recorder with few
// calls. Accesses to the line that was used last, or that the same instruction
// used last, always hit in the first level, so they are reported together.
// Makes: calls before accesses, and costs reported before the recorder may read
// them.
// Not here: which accesses matter, and everything other than accesses and costs
// (Record.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_FULL_H
#define EVENKEEL_PASSES_RECORD_FULL_H

#include "record/RowCalls.h"
#include "record/Runtime.h"
#include "record/samples/Sampling.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include <vector>

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace evenkeel {

class FullCode {
  RecordRuntime &RT;
  llvm::FunctionCallee Line, Next, Repeat, Row;

  /// Accesses reported by one call.
  struct Reported : RecordedAccess {
    unsigned Times; // number of adjacent accesses from one source line
  };
  /// Accesses of an innermost loop, each counted while it stays in its line.
  struct Counted {
    llvm::SmallVector<Reported, 8> Accesses;
    llvm::SmallVector<llvm::BasicBlock *, 2> Entries, Exits;
    /// Costs to add to the thread's counters, if the loop reports nothing else.
    llvm::AllocaInst *Slots = nullptr, *Instructions = nullptr;
  };

  /// State of the current function.
  llvm::Function *F = nullptr;
  std::vector<Reported> Each; // reported in place, every time
  std::vector<RowCall> Rows;
  llvm::MapVector<llvm::Loop *, Counted> Loops;
  llvm::DenseMap<llvm::BasicBlock *, Counted *> Summed; // blocks of loops
  llvm::SmallVector<llvm::AllocaInst *, 16> Registers;  // promoted to registers
                                                        // at the end

  llvm::Loop *countingLoop(const RecordedAccess &A, llvm::LoopInfo &LI,
                           llvm::ScalarEvolution &SE) const;
  void sort(llvm::ArrayRef<RecordedAccess> Accesses, llvm::DominatorTree &DT,
            llvm::LoopInfo &LI, llvm::ScalarEvolution &SE);
  llvm::AllocaInst *makeRegister(const char *Name, const Counted &C);
  void reportCosts(llvm::IRBuilder<> &B, const Counted &C);
  void insert(const Reported &A);
  void insert(const Reported &A, const Counted &C);

public:
  FullCode(llvm::Module &M, RecordRuntime &RT);

  /// \name Called for one function after another: begin, costs, end.
  /// @{
  /// \p Accesses are in code order.
  void begin(llvm::Function &Next, llvm::ArrayRef<RecordedAccess> Accesses);
  void addCost(llvm::Instruction &Before, uint64_t Slots,
               uint64_t Instructions);
  void end();
  /// @}
};

} // namespace evenkeel

#endif
