//===- Continuations.h - recorded code that goes on plain ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: functions choose their body where they are entered (SideBodies.h).
// Those that are on the first thread's stack when the choice changes have been
// entered before. What changes it happens in calls: around forks, collectives,
// and in functions that may have some. So such functions look again where loops
// with such calls come round, and in front of their other loops.
// Makes: for each of them, what is left of the function from those places on,
// as a function of the values that live there; and the calls of it.
// Leaves out: what is inserted into that code (Record.cpp); teams' bodies and
// tasks, during which nothing changes; loops that no call changes anything for.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_CONTINUATIONS_H
#define EVENKEEL_PASSES_RECORD_CONTINUATIONS_H

#include "record/SideBodies.h"
#include "llvm/IR/ValueHandle.h"

namespace evenkeel {

class Continuations {
  /// The begin of a loop's header, or the end of the block in front of a loop.
  struct Place {
    llvm::BasicBlock *Header;
    llvm::Instruction *Before;
  };
  struct Rest {
    llvm::Function *F, *Code;
    std::vector<Place> Places;                // by number
    std::vector<llvm::WeakTrackingVH> Values; // arguments behind the number
  };
  llvm::Module &M;
  const BodyKind &Kind;
  std::vector<Rest> All;

  void add(llvm::Function &F, std::vector<Place> Places);

public:
  /// Of \p Functions, in which nothing has been inserted yet.
  Continuations(llvm::Module &M, const BodyKind &Kind,
                llvm::ArrayRef<llvm::Function *> Functions);
  std::vector<llvm::Function *> code() const;
  /// Puts the calls into the functions, once accesses and costs are there and
  /// before what surrounds calls and returns.
  void connect();
};

} // namespace evenkeel

#endif
