//===- LoopGuards.h - trip counts and loop guards ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: ScalarEvolution's trip counts of loops, and conditions that only skip
// a loop without iterations, end the program, or leave a loop with a known trip
// count. Uses the function exits, the taskloops and each function's analyses.
// If a loop has several possible trip counts, guards rule some out. All guards
// of a function's loops are tried when the function is first asked about, so
// no answer depends on what was asked before.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_LOOPS_LOOPGUARDS_H
#define EVENKEEL_PASSES_ACCESS_LOOPS_LOOPGUARDS_H

#include "access/loops/FunctionInfo.h"
#include "access/loops/LeavingCalls.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/BasicBlock.h"
#include <map>
#include <tuple>

namespace evenkeel {

class LoopGuards {
  const LeavingCalls &Ways;
  const TaskloopCalls &Taskloops;

  /// Functions whose trip counts no longer change.
  llvm::DenseSet<const llvm::Function *> Settled;
  /// Whether the trip counts of a function are being narrowed.
  bool Settling = false;
  /// The possible trip counts of a loop, by ScalarEvolution or with its guards.
  llvm::DenseMap<const llvm::Loop *, llvm::SmallVector<const llvm::SCEV *, 2>>
      Trips;
  /// The same for each exit test of a loop with several exits.
  llvm::DenseMap<std::pair<const llvm::Loop *, const llvm::BasicBlock *>,
                 llvm::SmallVector<const llvm::SCEV *, 2>>
      ExitTrips;
  /// Results of comesTo.
  mutable llvm::DenseMap<
      std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, bool>
      Coming;
  /// Results of belongsToCondition.
  llvm::DenseMap<const llvm::BasicBlock *, bool> Belongs;
  /// The block operations of each function.
  llvm::DenseMap<const llvm::Function *,
                 llvm::SmallVector<llvm::MemIntrinsic *, 4>>
      Blocks;
  /// Results of isEntryTest and areGuarded, which test on random values. The
  /// key begins with a condition and its value.
  std::map<std::tuple<const llvm::Value *, bool, const llvm::Loop *>, bool>
      EntryTests;
  std::map<std::tuple<const llvm::Value *, bool, const llvm::SCEV *,
                      const llvm::SCEV *>,
           bool>
      Fittings;

  void settle(FunctionInfo &FI);
  llvm::SmallVector<const llvm::SCEV *, 2> &countsOf(const llvm::Loop &L,
                                                     FunctionInfo &FI);
  llvm::SmallVector<const llvm::SCEV *, 2> &
  exitCountsOf(const llvm::Loop &L, llvm::BasicBlock &Exiting,
               FunctionInfo &FI);
  bool findWayTo(const llvm::BasicBlock *D, const llvm::BasicBlock *B,
                 const FunctionInfo &FI) const;
  bool comesTo(const llvm::BasicBlock *D, const llvm::BasicBlock *B,
               const FunctionInfo &FI) const;
  bool guards(const llvm::Value *Cond, bool Sense, const llvm::SCEV *Length,
              llvm::ArrayRef<const llvm::Loop *> Loops, FunctionInfo &FI,
              unsigned Depth = 0);
  bool asksForWork(const llvm::BasicBlock *B, FunctionInfo &FI);

public:
  LoopGuards(const LeavingCalls &Ways, const TaskloopCalls &Taskloops)
      : Ways(Ways), Taskloops(Taskloops) {}

  llvm::SmallVector<llvm::BasicBlock *, 4>
  aliveExits(const llvm::Loop &L) const;
  llvm::Loop *countedBy(llvm::Loop &L, FunctionInfo &FI);
  llvm::ArrayRef<const llvm::SCEV *> tripsOf(const llvm::Loop &L,
                                             FunctionInfo &FI);
  llvm::ArrayRef<const llvm::SCEV *>
  exitTripsOf(const llvm::Loop &L, llvm::BasicBlock &Exiting, FunctionInfo &FI);
  bool isGuard(const llvm::BasicBlock *D, const llvm::BasicBlock *B,
               Below Under, FunctionInfo &FI);
  std::string controlled(const llvm::BasicBlock *&B,
                         const llvm::BasicBlock *Top, Below Under,
                         FunctionInfo &FI);
  bool belongsToCondition(const llvm::BasicBlock *B, FunctionInfo &FI);
  bool isConditional(const llvm::BasicBlock *B, const llvm::BasicBlock *Top,
                     Below Under, FunctionInfo &FI);
};

} // namespace evenkeel

#endif
