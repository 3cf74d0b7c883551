//===- Writes.h - which functions write where -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the own code of each function may write to, by points-to.
// Leaves out: what its callees write.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_VALUES_WRITES_H
#define EVENKEEL_PASSES_ACCESS_VALUES_WRITES_H

#include "objects/Objects.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include <map>
#include <vector>

namespace evenkeel {

struct Writes {
  /// By object: the functions whose own code may write to it.
  std::map<unsigned, std::vector<llvm::Function *>> Writers;
  /// What a function's own code may write to.
  llvm::DenseMap<const llvm::Function *, LocationSet> Written;

  const LocationSet &of(const llvm::Function &F) const;
  /// Whether one of \p Who may write to \p Where.
  bool mayWrite(const llvm::SetVector<llvm::Function *> &Who,
                const LocationSet &Where) const;
};

Writes findWrites(llvm::Module &M, const Objects &Obj);

} // namespace evenkeel

#endif
