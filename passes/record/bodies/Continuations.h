//===- Continuations.h - leave recorded code inside a function --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: functions choose their body at entry (SideBodies.h). When the choice
// changes, functions on the first thread's stack are already running, and so
// are the bodies of a team that has met at a barrier. The change happens in
// calls: around forks, barriers and collectives, and in functions that may
// contain one. So functions with such calls check the choice again at the back
// edges of loops that contain such calls, and before their other loops. If
// recorded and plain code distribute a team's work differently, they may check
// only where all threads do, between the same barriers.
// Makes: for each such function, the rest of it from these places on, as a
// function of the live values; and the calls of that function.
// Not here: the code inserted into it (Record.cpp); tasks, during which the
// choice does not change; loops during which no call can change it.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_BODIES_CONTINUATIONS_H
#define EVENKEEL_PASSES_RECORD_BODIES_CONTINUATIONS_H

#include "record/bodies/SideBodies.h"
#include "llvm/IR/ValueHandle.h"

namespace evenkeel {

class Continuations {
  /// The start of a loop's header, or the end of the block before a loop.
  struct Place {
    llvm::BasicBlock *Header;
    llvm::Instruction *Before;
  };
  struct Rest {
    llvm::Function *F, *Code;
    std::vector<Place> Places;                // by number
    std::vector<llvm::WeakTrackingVH> Values; // the arguments after the number
  };
  llvm::Module &M;
  const BodyKind &Kind;
  std::vector<Rest> All;
  uint64_t Refused = 0;

  void find(llvm::ArrayRef<llvm::Function *> Functions, bool InTeam);
  void add(llvm::Function &F, std::vector<Place> Places);

public:
  /// Takes functions into which nothing has been inserted yet: \p Teams are the
  /// functions that a team's threads start with, \p Serial all others.
  Continuations(llvm::Module &M, const BodyKind &Kind,
                llvm::ArrayRef<llvm::Function *> Serial,
                llvm::ArrayRef<llvm::Function *> Teams);
  std::vector<llvm::Function *> code() const;
  /// The number of functions that have a loop where the choice cannot be
  /// checked: they deallocate in their own frame, are a target of longjmp, or
  /// distribute a team's work there.
  uint64_t refused() const { return Refused; }
  /// Inserts the calls into the functions. Must run after accesses and costs
  /// are inserted, and before the code around calls and returns is.
  void connect();
};

} // namespace evenkeel

#endif
