//===- AtCall.h - a callee's expression in its caller -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how an address that a function computes from its arguments moves with
// the loops around a call of it.
// Makes: the part of the address with constant steps, in the caller's
// ScalarEvolution; everything else counts as 0 and is noted.
// Not here: loops of the callee, with which the address must not move. Loaded
// values are assumed to change only with their address.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_WALKS_ATCALL_H
#define EVENKEEL_PASSES_ACCESS_WALKS_ATCALL_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include <map>
#include <memory>

namespace llvm {
class CallBase;
class Module;
} // namespace llvm

namespace evenkeel {

/// Values that stand for loads in other functions: the same value for all loads
/// from the same address.
class ForeignValues {
  std::map<std::pair<const llvm::Value *, const llvm::SCEV *>, llvm::Value *>
      Values;
  std::unique_ptr<llvm::Module> Home; // contains the functions whose arguments
                                      // they are
  llvm::DenseMap<const llvm::Value *, const llvm::SCEV *> Addresses;

public:
  ForeignValues();
  ~ForeignValues();
  llvm::Value *of(const llvm::Value &Load, const llvm::SCEV *Address);
  /// The load's address, if \p V stands for a load.
  const llvm::SCEV *addressOf(const llvm::Value *V) const {
    return Addresses.lookup(V);
  }
};

class AtCall {
  llvm::ScalarEvolution &SE; // the caller's
  const llvm::CallBase &CB;

  llvm::Value *given(const llvm::Argument &A) const;
  void addDependences(const llvm::SCEV *S);

public:
  /// Values of the caller on which the address depends through loads, divisions
  /// or selects.
  llvm::SmallSetVector<llvm::Value *, 8> Depends;
  bool ThroughLoads = false; // for some of them
  /// If set: keeps loaded values, so that addresses can be distinguished.
  ForeignValues *Keep = nullptr;

  AtCall(llvm::ScalarEvolution &SE, const llvm::CallBase &CB)
      : SE(SE), CB(CB) {}
  /// Translates \p S, of the callee's ScalarEvolution \p Callee, to the caller.
  const llvm::SCEV *translate(const llvm::SCEV *S,
                              llvm::ScalarEvolution &Callee);
  /// Adds to Depends the values on which \p V, in the callee, depends by data
  /// flow and by the branches that select a PHI's value.
  void addDependences(llvm::Value *V);
  /// Whether any value in Depends changes while \p X runs.
  bool dependsOn(const llvm::Loop &X) const;
};

} // namespace evenkeel

#endif
