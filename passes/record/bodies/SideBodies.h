//===- SideBodies.h - alternative bodies of recorded functions --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a recorded function has alternative bodies in separate functions. At
// its entry, `__ek_rec_body` selects the body to run (record_abi.h). The
// function's address is that of the recorded body, so calls through pointers
// and calls from elsewhere also make the choice.
// Makes: the bodies, as copies of the function before anything is inserted into
// it, and the choice at its entry.
// Not here: the code inserted into a body (Record.cpp), and when
// `__ek_rec_body` changes (runtime/record/ending/Bodies.h).
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
  /// Once it runs, the choice never changes again, so it calls other bodies of
  /// its kind directly.
  bool Stays;
};

/// The alternative bodies that code recorded in \p Mode has.
llvm::ArrayRef<BodyKind> bodyKinds(RecordMode Mode);

/// Loads the number of the selected body.
llvm::Value *loadBody(llvm::IRBuilder<> &B);

/// Whether \p F's code, or a part of it, can be copied.
bool canHaveCopies(const llvm::Function &F);

/// The program's constructors and destructors, and main.
llvm::SmallPtrSet<const llvm::Function *, 16> runOnce(const llvm::Module &M);

/// The functions among \p Functions that have alternative bodies. \p Single:
/// the number of the rest that cannot have any; main and constructors run once
/// and begin before a choice is possible, so they are not counted.
std::vector<llvm::Function *>
withSideBodies(const llvm::Module &M,
               llvm::ArrayRef<llvm::Function *> Functions, uint64_t &Single);

/// Inserts a constructor that reports to the recorder the number of functions
/// with one body, and of functions that stay in the recorded body until they
/// return (Continuations.h).
void reportStaying(llvm::Module &M, uint64_t Single, uint64_t Entered);

/// The bodies of one kind.
class SideBodies {
  const BodyKind &Kind;
  llvm::MapVector<llvm::Function *, llvm::Function *>
      BodyOf; // by recorded function

public:
  SideBodies(const BodyKind &Kind, llvm::ArrayRef<llvm::Function *> Of);
  /// Redirects calls and forks in \p Code, for which the choice never changes
  /// again, to bodies of its kind. All other uses of functions are addresses
  /// and do not change.
  void callDirectly(llvm::Function &Code) const;
  const BodyKind &kind() const { return Kind; }
  const llvm::MapVector<llvm::Function *, llvm::Function *> &all() const {
    return BodyOf;
  }
};

/// Inserts the choice among \p All into the functions that have such bodies.
void chooseAtEntries(llvm::Module &M,
                     llvm::ArrayRef<std::unique_ptr<SideBodies>> All);

} // namespace evenkeel

#endif
