//===- RecordedAccess.h - an access that is recorded ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the recorder is told of one load or store, or of a block.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_SAMPLES_RECORDEDACCESS_H
#define EVENKEEL_PASSES_RECORD_SAMPLES_RECORDEDACCESS_H

#include "llvm/IR/Instructions.h"

namespace evenkeel {

/// One access, as the recorder is to be told.
struct RecordedAccess {
  llvm::Instruction *I;
  llvm::Value *Address;
  uint64_t Info; // record_abi.h
  uint64_t Bytes;
  bool WithinLine;     // never crosses a line
  llvm::Value *Length; // memory intrinsics: bytes, else null
  bool Walks = false;  // through lines in order
  /// To no object, which only other functions show (Untracked.h): its loop may
  /// be described, but nothing is tested or told of it.
  bool Untracked = false;
  /// In a loop that was described in part: the number of its iteration.
  llvm::AllocaInst *Iteration = nullptr;
  /// By a scout, who fetches the line, in place of this one (Scouts.h).
  const llvm::Instruction *InPlaceOf = nullptr;
  /// By code that runs a few times at most (Loops.h): it is told untested.
  bool Rarely = false;
};

} // namespace evenkeel

#endif
