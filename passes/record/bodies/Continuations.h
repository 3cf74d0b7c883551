//===- Continuations.h - recorded code that goes on plain ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: functions choose their body where they are entered (SideBodies.h).
// Those that are on the first thread's stack when the choice changes have been
// entered before, and so have the bodies of a team that has met at a barrier.
// What changes it happens in calls: around forks, barriers, collectives, and in
// functions that may have some. So such functions look again where loops with
// such calls come round, and in front of their other loops. Where a team's
// threads share work in another way than in plain code, they may look only
// where all of them do, in between the same barriers.
// Makes: for each of them, what is left of the function from those places on,
// as a function of the values that live there; and the calls of it.
// Leaves out: what is inserted into that code (Record.cpp); tasks, during which
// nothing changes; loops that no call changes anything for.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_BODIES_CONTINUATIONS_H
#define EVENKEEL_PASSES_RECORD_BODIES_CONTINUATIONS_H

#include "record/bodies/SideBodies.h"
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
  uint64_t Refused = 0;

  void find(llvm::ArrayRef<llvm::Function *> Functions, bool InTeam);
  void add(llvm::Function &F, std::vector<Place> Places);

public:
  /// Of functions in which nothing has been inserted yet: \p Teams are what
  /// threads of a team begin with, \p Serial the others.
  Continuations(llvm::Module &M, const BodyKind &Kind,
                llvm::ArrayRef<llvm::Function *> Serial,
                llvm::ArrayRef<llvm::Function *> Teams);
  std::vector<llvm::Function *> code() const;
  /// Functions in which a loop should look again and cannot: they would take
  /// their own frame back, are jumped back to, or share a team's work there.
  uint64_t refused() const { return Refused; }
  /// Puts the calls into the functions, once accesses and costs are there and
  /// before what surrounds calls and returns.
  void connect();
};

} // namespace evenkeel

#endif
