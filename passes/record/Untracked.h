//===- Untracked.h - pointers to unrecorded variables -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: small stack variables and small statics are not objects of the record.
// Pointers to them reach other functions of the module as arguments of calls
// and forks, and in variables whose addresses do not escape. Makes: which
// arguments and loaded pointers can point only to such variables.
// Not here: which variables are small (the caller decides); memory reached
// through more than one load.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_UNTRACKED_H
#define EVENKEEL_PASSES_RECORD_UNTRACKED_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"
#include <functional>

namespace evenkeel {

class UntrackedPointers {
  /// For a variable, static or constant: whether it is no object.
  std::function<bool(const llvm::Value *)> IsSmall;
  llvm::DenseMap<const llvm::Value *, bool> Known;

  bool follow(const llvm::Value *V, unsigned Depth);
  bool ofArgument(const llvm::Argument &A, unsigned Depth);
  bool ofVariable(const llvm::AllocaInst &A, unsigned Depth);

public:
  explicit UntrackedPointers(std::function<bool(const llvm::Value *)> IsSmall)
      : IsSmall(std::move(IsSmall)) {}
  /// Whether \p Object, an underlying object, can point only to memory that is
  /// no object of the record.
  bool isUntracked(const llvm::Value *Object) { return follow(Object, 0); }
};

} // namespace evenkeel

#endif
