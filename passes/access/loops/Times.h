//===- Times.h - numbers of executions --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how often code runs, as counts over the enclosing loops.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_LOOPS_TIMES_H
#define EVENKEEL_PASSES_ACCESS_LOOPS_TIMES_H

#include "access/counts/Count.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Loop;
class SCEV;
} // namespace llvm

namespace evenkeel {

/// A loop around the counted code, and its iterations per entry, which may
/// depend on the iteration numbers of enclosing loops (countIndex). Without a
/// loop: a condition; 1 if it holds, else 0.
struct Level {
  const llvm::Loop *L;
  CountRef N;
  /// Who executes the iterations: the task, or the team by a schedule.
  enum ModeType { Own, Static, Dynamic } Mode = Own;
  CountRef Chunk = nullptr; // Static: null for contiguous blocks
};

/// A number of executions: C summed over all iterations of Levels, outermost
/// first. Absolute: C is the total of the task, independent of enclosing loops
/// (measured trip counts).
struct Times {
  CountRef C = countConst(1);
  llvm::SmallVector<Level, 4> Levels;
  bool Absolute = false;
  bool Conditional = false; // under a condition
  bool Exact = true;
  std::string Why;
  /// Why says that a dynamic schedule decides which iterations a task gets.
  bool IsScheduled = false;

  void doubt(llvm::StringRef Reason) {
    Exact = false;
    if (Why.empty())
      Why = Reason.str();
  }
  void doubtSchedule() {
    IsScheduled |= Why.empty();
    doubt("dynamic-schedule");
  }
};

/// The code below a place: the loops from Bottom up, or the length of a block
/// operation.
struct Below {
  const llvm::Loop *Bottom = nullptr;
  const llvm::SCEV *Length = nullptr;
};

} // namespace evenkeel

#endif
