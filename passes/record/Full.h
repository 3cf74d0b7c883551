//===- Full.h - all accesses in instrumented code ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how instrumented code tells the recorder of every access, with few
// calls: those to the line that was used last, or that the same instruction
// used last, hit in the first level whatever that holds, and are told together.
// Makes: calls before accesses, and costs that are told before the recorder may
// look.
// Leaves out: which accesses matter, and everything that is not an access or a
// cost (Record.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_FULL_H
#define EVENKEEL_PASSES_RECORD_FULL_H

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
  llvm::FunctionCallee Line, Next, Repeat;

  /// Accesses that are told by one call.
  struct Told : RecordedAccess {
    unsigned Times; // side by side, from the first on, by code of one place
  };
  /// Accesses of an innermost loop, each counted while it stays in its line.
  struct Counted {
    llvm::SmallVector<Told, 8> Accesses;
    llvm::SmallVector<llvm::BasicBlock *, 2> Entries, Exits;
    /// What is to be added to the thread's counters, if nothing else in the
    /// loop is told.
    llvm::AllocaInst *Slots = nullptr, *Instructions = nullptr;
  };

  /// Of the function in hand.
  llvm::Function *F = nullptr;
  std::vector<Told> Each; // told where they stand, each time
  llvm::MapVector<llvm::Loop *, Counted> Loops;
  llvm::DenseMap<llvm::BasicBlock *, Counted *> Summed; // blocks of loops
  llvm::SmallVector<llvm::AllocaInst *, 16> Registers;  // to be

  llvm::Loop *countingLoop(const RecordedAccess &A, llvm::LoopInfo &LI,
                           llvm::ScalarEvolution &SE) const;
  void sort(llvm::ArrayRef<RecordedAccess> Accesses, llvm::DominatorTree &DT,
            llvm::LoopInfo &LI, llvm::ScalarEvolution &SE);
  llvm::AllocaInst *makeRegister(const char *Name, const Counted &C);
  void tellCosts(llvm::IRBuilder<> &B, const Counted &C);
  void insert(const Told &A);
  void insert(const Told &A, const Counted &C);

public:
  FullCode(llvm::Module &M, RecordRuntime &RT);

  /// \name One function after the other: begin, costs, end.
  /// @{
  /// \p Accesses in the order of the code.
  void begin(llvm::Function &F, llvm::ArrayRef<RecordedAccess> Accesses);
  void addCost(llvm::Instruction &Before, uint64_t Slots,
               uint64_t Instructions);
  void end();
  /// @}
};

} // namespace evenkeel

#endif
