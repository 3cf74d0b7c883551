//===- Untracked.h - pointers to what no record follows -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: small variables on the stack and small statics are no objects of the
// record; how pointers to them reach other functions of the module: as
// arguments of calls, forks among them, and in variables whose address goes no
// further. Makes: which arguments and loaded pointers can be to nothing else.
// Leaves out: what is such a variable (its user says), memory that is reached
// by more than one load.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_UNTRACKED_H
#define EVENKEEL_PASSES_RECORD_UNTRACKED_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"
#include <functional>

namespace evenkeel {

class UntrackedPointers {
  /// Of a variable, static or constant: true if it is no object.
  std::function<bool(const llvm::Value *)> IsSmall;
  llvm::DenseMap<const llvm::Value *, bool> Known;

  bool follow(const llvm::Value *V, unsigned Depth);
  bool ofArgument(const llvm::Argument &A, unsigned Depth);
  bool ofVariable(const llvm::AllocaInst &A, unsigned Depth);

public:
  explicit UntrackedPointers(std::function<bool(const llvm::Value *)> IsSmall)
      : IsSmall(std::move(IsSmall)) {}
  /// Is all that \p Object can point to no object of the record? \p Object is
  /// an underlying object.
  bool isUntracked(const llvm::Value *Object) { return follow(Object, 0); }
};

} // namespace evenkeel

#endif
