//===- Writes.h - memory that functions write -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the memory that each function's own code may write, by points-to.
// Not here: writes of its callees.
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
  /// The memory that a function's own code may write.
  llvm::DenseMap<const llvm::Function *, LocationSet> Written;

  const LocationSet &of(const llvm::Function &F) const;
  /// Whether a function in \p Who may write to \p Where.
  bool mayWrite(const llvm::SetVector<llvm::Function *> &Who,
                const LocationSet &Where) const;
};

Writes findWrites(llvm::Module &M, const Objects &Obj);

} // namespace evenkeel

#endif
