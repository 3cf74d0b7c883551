//===- Rereads.h - loads that bring the same in each round ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what a loop stores to, by itself and by its calls.
// Makes: whether a load brings the same value in each of its rounds.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_VALUES_REREADS_H
#define EVENKEEL_PASSES_ACCESS_VALUES_REREADS_H

#include "access/calls/CallGraph.h"
#include "access/values/Writes.h"

namespace llvm {
class Loop;
} // namespace llvm

namespace evenkeel {

class Rereads {
  const Objects &Obj;
  const CallGraph &Calls;
  const Writes &Written;
  /// Where a loop stores to, what its calls write by themselves, and the
  /// functions that they lead to.
  struct LoopChanges {
    llvm::SmallVector<const llvm::Value *, 8> Stored;
    LocationSet Written;
    llvm::SetVector<llvm::Function *> Called;
  };
  mutable llvm::DenseMap<const llvm::Loop *, LoopChanges> Changes; // once asked

public:
  Rereads(const Objects &Obj, const CallGraph &Calls, const Writes &Written)
      : Obj(Obj), Calls(Calls), Written(Written) {}
  /// Whether \p V is computed from what does not change as \p X goes round.
  bool isReadAgain(const llvm::Value &V, const llvm::Loop &X,
                   unsigned Depth = 0) const;
};

} // namespace evenkeel

#endif
