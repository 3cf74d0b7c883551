//===- SideBodies.h - further bodies of recorded functions -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a recorded function has further bodies beside the recorded one, in
// functions of their own, and where it is entered `__ek_rec_body` says which
// one runs (record_abi.h). Its address stays that of the recorded body, so
// pointers, and calls from elsewhere, choose as well.
// Makes: the bodies, as copies of what the function is before anything is
// inserted into it, and the choice at its entry.
// Leaves out: what is inserted into a body (Record.cpp), and who sets
// `__ek_rec_body` and when (runtime/record/ending/Bodies.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_BODIES_SIDEBODIES_H
#define EVENKEEL_PASSES_RECORD_BODIES_SIDEBODIES_H

#include "record/Mode.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include <memory>
#include <optional>
#include <vector>

namespace evenkeel {

/// A row of the table of bodies.
struct BodyKind {
  unsigned Number; // value of __ek_rec_body
  const char *Suffix;
  /// How it is recorded; none: it is the program's own code.
  std::optional<RecordMode> Records;
  /// Whoever runs it runs it for good: it calls others of its kind directly.
  bool Stays;
};

/// Those that code recorded in \p Mode has beside its own.
llvm::ArrayRef<BodyKind> bodyKinds(RecordMode Mode);

/// Reads which bodies run.
llvm::Value *loadBody(llvm::IRBuilder<> &B);

/// May there be a copy of \p F's code, or of a part of it?
bool canHaveCopies(const llvm::Function &F);

/// Constructors and destructors of the program, and main.
llvm::SmallPtrSet<const llvm::Function *, 16> runOnce(const llvm::Module &M);

/// Those of \p Functions that have further bodies. \p Single: how many of the
/// others cannot have any; main and constructors run once, and begin before
/// anybody could choose.
std::vector<llvm::Function *>
withSideBodies(const llvm::Module &M,
               llvm::ArrayRef<llvm::Function *> Functions, uint64_t &Single);

/// Tells the recorder, from a constructor: functions that have one body, and
/// functions that go on with it until they return (Continuations.h).
void tellStaying(llvm::Module &M, uint64_t Single, uint64_t Entered);

/// The bodies of one kind.
class SideBodies {
  const BodyKind &Kind;
  llvm::MapVector<llvm::Function *, llvm::Function *> BodyOf; // by its function

public:
  SideBodies(const BodyKind &Kind, llvm::ArrayRef<llvm::Function *> Of);
  /// Calls and forks of \p Code, which runs for good, go to bodies of its kind;
  /// all other uses of functions are addresses, which stay what they are.
  void callDirectly(llvm::Function &Code) const;
  const BodyKind &kind() const { return Kind; }
  const llvm::MapVector<llvm::Function *, llvm::Function *> &all() const {
    return BodyOf;
  }
};

/// Puts the choice among \p All into the functions that have such bodies.
void chooseAtEntries(llvm::Module &M,
                     llvm::ArrayRef<std::unique_ptr<SideBodies>> All);

} // namespace evenkeel

#endif
