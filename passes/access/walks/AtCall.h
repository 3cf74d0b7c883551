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

/// What loads that run somewhere else bring, as values of their own: the same
/// one for each load at the same address.
class ForeignValues {
  std::map<std::pair<const llvm::Value *, const llvm::SCEV *>, llvm::Value *>
      Values;
  std::unique_ptr<llvm::Module> Home; // of functions whose arguments they are
  llvm::DenseMap<const llvm::Value *, const llvm::SCEV *> Addresses;

public:
  ForeignValues();
  ~ForeignValues();
  llvm::Value *of(const llvm::Value &Load, const llvm::SCEV *Address);
  /// The load's address, if \p V is of this kind.
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
  /// Values of the caller that the address depends on in other ways: through
  /// loads, divisions, choices.
  llvm::SmallSetVector<llvm::Value *, 8> Depends;
  bool ThroughLoads = false; // of them, some
  /// If set: what loads bring is kept, to tell addresses from each other.
  ForeignValues *Keep = nullptr;

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
