//===- Times.h - numbers of executions --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how often something runs, as counts of the loops around it.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_FORMULAS_TIMES_H
#define EVENKEEL_PASSES_ACCESS_FORMULAS_TIMES_H

#include "access/counts/Count.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Loop;
class SCEV;
} // namespace llvm

namespace evenkeel {

/// A loop around what is counted, and its rounds each time it is entered. They
/// may depend on the rounds of the loops around it (countIndex). Without a
/// loop: a condition; 1 where it holds, else 0.
struct Level {
  const llvm::Loop *L;
  CountRef N;
  /// Who runs them: the task, or the team by a schedule.
  enum ModeType { Own, Static, Dynamic } Mode = Own;
  CountRef Chunk = nullptr; // Static: null for contiguous blocks
};

/// A number of executions: C for all rounds of Levels, outermost first.
/// Absolute: C is the total of the task, whatever surrounds it (measured trip
/// counts).
struct Times {
  CountRef C = countConst(1);
  llvm::SmallVector<Level, 4> Levels;
  bool Absolute = false;
  bool Conditional = false; // behind a condition
  bool Exact = true;
  std::string Why;

  void doubt(llvm::StringRef Reason) {
    Exact = false;
    if (Why.empty())
      Why = Reason.str();
  }
};

/// What lies below a place: loops from Bottom up, a block operation's length.
struct Below {
  const llvm::Loop *Bottom = nullptr;
  const llvm::SCEV *Length = nullptr;
};

} // namespace evenkeel

#endif
