//===- LeavingCalls.h - ways out that are no returns ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: calls that may end in a jump, or a throw, to a function above; what
// lies behind such calls, or runs again; and ways that end the program.
// Leaves out: how often any of that happens.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_CALLS_LEAVINGCALLS_H
#define EVENKEEL_PASSES_ACCESS_CALLS_LEAVINGCALLS_H

#include "access/calls/CallGraph.h"
#include "access/values/Loads.h"

namespace llvm {
class InvokeInst;
class Loop;
} // namespace llvm

namespace evenkeel {

class LeavingCalls {
  const Objects &Obj;
  const HoistedLoads &Loads;
  bool Catches; // see catchesThrows
  /// Functions that may end by a jump, or by a throw, to a function above;
  /// those that are called below where such ends; calls of the former there
  /// that may also come back; blocks that control comes to behind these; blocks
  /// that call setjmp, and those behind them.
  llvm::SmallPtrSet<const llvm::Function *, 4> Jumping, Throwing;
  llvm::SetVector<llvm::Function *> BelowSetjmp, BelowHandler;
  llvm::SmallPtrSet<const llvm::CallBase *, 4> Leaving;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 4> Behind, Twice, Again;
  using Edge = std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>;
  mutable llvm::DenseMap<Edge, bool> Failing; // answers of fails

  bool leaves(const llvm::CallBase &CB) const;
  bool endsInFailure(const llvm::BasicBlock *From,
                     const llvm::BasicBlock *B) const;

public:
  LeavingCalls(llvm::Module &M, const Objects &Obj, const CallGraph &Calls,
               const HoistedLoads &Loads);

  /// Whether control that goes from \p From to \p B has failed.
  bool fails(const llvm::BasicBlock *From, const llvm::BasicBlock *B) const;
  bool isBehindLeaving(const llvm::Instruction &I, bool InBlock) const;
  bool runsAgain(const llvm::BasicBlock &B, const llvm::Loop *L) const;
  bool isLeftByCalls(const llvm::Loop &L) const;
};

/// Whether no handler of the function that \p Call stands in goes on behind
/// what \p Call throws. A function left like that is as one whose calls throw
/// without a pad to land on: nothing is thrown, until something is.
bool leavesByUnwinding(const llvm::InvokeInst &Call);
/// A library's function called so throws where memory is at an end.
bool endsPrograms(llvm::StringRef Name);
/// Whether \p M has a handler that does not throw once more.
bool catchesThrows(const llvm::Module &M);

} // namespace evenkeel

#endif
