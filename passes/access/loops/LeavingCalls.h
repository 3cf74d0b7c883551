//===- LeavingCalls.h - function exits other than returns -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: calls that may end in a jump or exception to a caller; code after such
// calls, or that runs again; and edges that end the program.
// Not here: how often any of this happens.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_LOOPS_LEAVINGCALLS_H
#define EVENKEEL_PASSES_ACCESS_LOOPS_LEAVINGCALLS_H

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
  /// Functions that may end by a longjmp, or an exception, to a caller;
  /// functions called below a target of such a jump; calls of jumping functions
  /// there that may also return; blocks that run after these calls; blocks that
  /// call setjmp, and the blocks after them.
  llvm::SmallPtrSet<const llvm::Function *, 4> Jumping, Throwing;
  llvm::SetVector<llvm::Function *> BelowSetjmp, BelowHandler;
  llvm::SmallPtrSet<const llvm::CallBase *, 4> Leaving;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 4> After, Twice, Again;
  using Edge = std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>;
  mutable llvm::DenseMap<Edge, bool> Failing; // results of fails

  bool leaves(const llvm::CallBase &CB) const;
  bool endsInFailure(const llvm::BasicBlock *From,
                     const llvm::BasicBlock *B) const;

public:
  LeavingCalls(llvm::Module &M, const Objects &Obj, const CallGraph &Graph,
               const HoistedLoads &Loads);

  /// Whether control that passes from \p From to \p B has failed.
  bool fails(const llvm::BasicBlock *From, const llvm::BasicBlock *B) const;
  bool isAfterLeaving(const llvm::Instruction &I, bool InBlock) const;
  bool runsAgain(const llvm::BasicBlock &B, const llvm::Loop *L) const;
  bool isLeftByCalls(const llvm::Loop &L) const;
};

/// Whether no handler of the function that contains \p Call continues after an
/// exception from \p Call. Then the function counts as one without landing
/// pads.
bool leavesByUnwinding(const llvm::InvokeInst &Call);
/// Whether a call of this library function throws when memory is exhausted.
bool endsPrograms(llvm::StringRef Name);
/// Whether \p M has a handler that does not rethrow.
bool catchesThrows(const llvm::Module &M);

} // namespace evenkeel

#endif
