//===- RecordedAccess.h - an access to record -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what is reported to the recorder about one load, store or block
// operation.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_SAMPLES_RECORDEDACCESS_H
#define EVENKEEL_PASSES_RECORD_SAMPLES_RECORDEDACCESS_H

#include "llvm/IR/Instructions.h"

namespace evenkeel {

/// One access to report to the recorder.
struct RecordedAccess {
  llvm::Instruction *I;
  llvm::Value *Address;
  uint64_t Info; // record_abi.h
  uint64_t Bytes;
  bool WithinLine;     // never crosses a line
  llvm::Value *Length; // memory intrinsics: bytes, otherwise null
  bool Walks = false;  // visits lines in order
  /// Accesses no object, as only other functions show (Untracked.h): its loop
  /// may be described, but the access is neither tested nor reported.
  bool Untracked = false;
  /// In a partly described loop: the iteration number.
  llvm::AllocaInst *Iteration = nullptr;
  /// For an access of a scout, which fetches the line: the instruction that it
  /// replaces (Scouts.h).
  const llvm::Instruction *InPlaceOf = nullptr;
  /// In code that runs at most a few times (Loops.h): reported without a test.
  bool Rarely = false;
};

} // namespace evenkeel

#endif
