//===- Rereads.h - loads with one value in all iterations -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the memory that a loop writes, directly and through calls.
// Makes: whether a load returns the same value in each iteration.
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
  /// The memory that a loop writes, that its calls write directly, and the
  /// functions that they reach.
  struct LoopChanges {
    llvm::SmallVector<const llvm::Value *, 8> Stored;
    LocationSet Written;
    llvm::SetVector<llvm::Function *> Called;
  };
  mutable llvm::DenseMap<const llvm::Loop *, LoopChanges> Changes; // on demand

public:
  Rereads(const Objects &Obj, const CallGraph &Calls, const Writes &Written)
      : Obj(Obj), Calls(Calls), Written(Written) {}
  /// Whether \p V is computed from values that do not change while \p X runs.
  bool isReadAgain(const llvm::Value &V, const llvm::Loop &X,
                   unsigned Depth = 0) const;
};

} // namespace evenkeel

#endif
