//===- Sampling.h - record sampled accesses ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how instrumented code reports one line of each page to the recorder,
// at the cost of a few inlined instructions for the other lines
// (runtime/record/caches/Sampling.h has the rule).
// Makes: inlined tests with the recorder's call off the main path; costs that
// are summed up in registers and reported before the recorder may read them.
// Not here: which accesses matter, and everything other than accesses and costs
// (Record.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_SAMPLES_SAMPLING_H
#define EVENKEEL_PASSES_RECORD_SAMPLES_SAMPLING_H

#include "record/Runtime.h"
#include "record/samples/Loops.h"
#include "record/samples/RecordedAccess.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace evenkeel {

class SampledCode {
  llvm::Module &M;
  RecordRuntime &RT;
  const llvm::SmallPtrSetImpl<llvm::GlobalVariable *> &Own; // registered here
  llvm::FunctionCallee Sample, Shift, Loop, LoopOpen, LoopAt, LoopClose;
  llvm::GlobalVariable *OwnShift = nullptr;

  /// State of the current function.
  llvm::Function *F = nullptr;
  llvm::AllocaInst *Slots = nullptr, *Instructions = nullptr;
  llvm::DenseMap<llvm::Value *, llvm::Value *> Shifts; // by underlying object
  llvm::SmallVector<llvm::AllocaInst *, 8> Registers;  // promoted to registers
                                                       // at the end
  llvm::AllocaInst *Streams = nullptr;

  llvm::Value *shiftOf(llvm::Value *Address);
  llvm::Value *canonical(llvm::IRBuilder<> &B, llvm::Value *Address,
                         uint64_t Offset);
  llvm::Value *lineIsSampled(llvm::IRBuilder<> &B, llvm::Value *Canonical);
  llvm::Value *rangeIsSampled(llvm::IRBuilder<> &B, llvm::Value *First,
                              llvm::Value *Last);
  llvm::Value *rangeIsReallySampled(llvm::IRBuilder<> &B, llvm::Value *First,
                                    llvm::Value *Last);
  void reportCosts(llvm::IRBuilder<> &B);
  llvm::AllocaInst *makeRegister(const char *Name);
  llvm::Value *anySampled(llvm::IRBuilder<> &B, const DescribedLoop &D,
                          bool Really = false);
  void storeStreams(llvm::IRBuilder<> &B, const DescribedLoop &D);
  void openLoop(llvm::IRBuilder<> &B, const DescribedLoop &D);
  void pay(llvm::IRBuilder<> &B, const DescribedLoop &D);
  /// The distance of two accesses in one block.
  int64_t distance(const RecordedAccess &A, const RecordedAccess &From) const;
  void report(llvm::ArrayRef<RecordedAccess> Group, llvm::Instruction *Before);
  void insert(llvm::ArrayRef<RecordedAccess> Group);

public:
  SampledCode(llvm::Module &M, RecordRuntime &RT,
              const llvm::SmallPtrSetImpl<llvm::GlobalVariable *> &Own);

  /// \name Called for one function after another: begin, costs, loops,
  /// accesses, end.
  /// @{
  void begin(llvm::Function &Next);
  void addCost(llvm::Instruction &Before, uint64_t Slots,
               uint64_t Instructions);
  /// Reports the accesses that \p D describes, and the costs of each iteration.
  /// Sets D.Iteration if the loop has further accesses.
  void insertLoop(DescribedLoop &D);
  /// The same for a loop that runs in strips, with all of its accesses: \p Rest
  /// are the accesses that \p D does not describe. False: impossible.
  bool insertStrips(DescribedLoop &D, llvm::ArrayRef<RecordedAccess> Rest);
  /// \p Accesses are in code order.
  void insertAccesses(llvm::ArrayRef<RecordedAccess> Accesses);
  void end();
  /// @}

  /// Stores where the images of static arrays lie, at the end of their
  /// registration.
  void setShift(llvm::IRBuilder<> &B, llvm::GlobalVariable *Array);
};

} // namespace evenkeel

#endif
