//===- Provenance.h - where a value comes from ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the places that an argument, or a value loaded from memory, gets its
// value from: the operands that calls hand over (outlined OpenMP bodies and
// callbacks included), or the one store to a location, also through copies of
// the structure around it.
// Leaves out: control flow. A location that is zeroed first, or read before it
// is written, counts as its one store; so what is said of a value has to be
// checked against a run (the planner does, on the base profile).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_OBJECTS_PROVENANCE_H
#define EVENKEEL_PASSES_OBJECTS_PROVENANCE_H

#include "objects/Objects.h"
#include "llvm/ADT/SmallVector.h"

namespace evenkeel {

class Provenance {
  llvm::Module &M;
  const Objects &Obj;
  /// Who may write to an object, by its index.
  std::map<unsigned, std::vector<llvm::Instruction *>> Writers;

  llvm::SmallVector<llvm::Value *, 2> ofArgument(llvm::Argument &A) const;
  llvm::Value *ofLocation(Location At, llvm::Type *Ty, unsigned Depth) const;

public:
  /// Looks at every instruction once. \p M and \p Obj must outlive it.
  Provenance(llvm::Module &M, const Objects &Obj);

  /// The values, of the same integer type, that \p V gets: constants, or values
  /// of other functions or places. Empty where one of them is not known.
  llvm::SmallVector<llvm::Value *, 2> originsOf(llvm::Value *V) const;
};

} // namespace evenkeel

#endif
