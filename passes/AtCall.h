//===- AtCall.h - an expression as its caller sees it -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how an address that a function computes from its arguments moves with
// the loops around a call of it.
// Makes: the address in the caller's ScalarEvolution, as far as it moves
// evenly: whatever else it depends on counts as 0, and is noted.
// Leaves out: loops of the callee: the address must not move with them. What
// loads bring is taken to change with their address only.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ATCALL_H
#define EVENKEEL_PASSES_ATCALL_H

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace llvm {
class CallBase;
}

namespace evenkeel {

class AtCall {
  llvm::ScalarEvolution &SE; // the caller's
  const llvm::CallBase &CB;

  llvm::Value *given(const llvm::Argument &A) const;
  void addDependences(const llvm::SCEV *S);

public:
  /// Values of the caller that the address depends on in other ways: through
  /// loads, divisions, choices.
  llvm::SmallSetVector<llvm::Value *, 8> Depends;
  bool ThroughLoads = false; // of them, some

  AtCall(llvm::ScalarEvolution &SE, const llvm::CallBase &CB)
      : SE(SE), CB(CB) {}
  /// \p S of \p Callee, the callee's ScalarEvolution.
  const llvm::SCEV *translate(const llvm::SCEV *S,
                              llvm::ScalarEvolution &Callee);
  /// What \p V of the callee depends on, by data flow and by the branches that
  /// choose between values of a PHI, goes into Depends.
  void addDependences(llvm::Value *V);
  /// Whether any of Depends changes as \p X goes round.
  bool dependsOn(const llvm::Loop &X) const;
};

} // namespace evenkeel

#endif
