//===- Provenance.h - origins of values -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: where an argument, or a value loaded from memory, comes from: the
// operands that calls pass (including outlined OpenMP bodies and callbacks), or
// the only store to a location, also through copies of the enclosing structure.
// Not here: control flow. If a location is zeroed first, or read before it is
// written, its only other store still counts; so these results must be checked
// against a run (the planner does so on the base profile).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_OBJECTS_PROVENANCE_H
#define EVENKEEL_PASSES_OBJECTS_PROVENANCE_H

#include "objects/Objects.h"
#include "llvm/ADT/SmallVector.h"

namespace evenkeel {

class Provenance {
  llvm::Module &M;
  const Objects &Obj;
  /// The instructions that may write to an object, by its index.
  std::map<unsigned, std::vector<llvm::Instruction *>> Writers;

  llvm::SmallVector<llvm::Value *, 2> ofArgument(llvm::Argument &A) const;
  llvm::Value *ofLocation(Location At, llvm::Type *Ty, unsigned Depth) const;

public:
  /// Visits every instruction once. \p M and \p Obj must outlive it.
  Provenance(llvm::Module &M, const Objects &Obj);

  /// The instructions that may write to the object \p Index.
  llvm::ArrayRef<llvm::Instruction *> writersOf(unsigned Index) const {
    auto It = Writers.find(Index);
    return It == Writers.end() ? llvm::ArrayRef<llvm::Instruction *>()
                               : llvm::ArrayRef(It->second);
  }

  /// The values of the same integer type that \p V may have: constants, or
  /// values of other functions or places. Empty if one of them is unknown.
  llvm::SmallVector<llvm::Value *, 2> originsOf(llvm::Value *V) const;
};

} // namespace evenkeel

#endif
