//===- UsedData.h - which data a task's code reads and writes ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the data of others that a piece of code accesses, through the
// functions that it calls where the unit defines them, with the range of bytes
// where loops and indices show it. Not here: which of it clauses name
// (ClauseCheck).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_TASKS_USEDDATA_H
#define EVENKEEL_REWRITER_TASKS_USEDDATA_H

#include "Places.h"
#include <map>

namespace evenkeel {

struct Use {
  DataKey Object;
  bool Writes = false;
  bool Certain = true; // false: a function without visible code may do so
  bool Array = false;  // more than one certain element
  bool Always = true;  // under no condition
  std::optional<Bytes> From, To; // bytes; nullopt: not known
  double Element = 1;            // bytes
  clang::SourceLocation At;      // in the code itself
};

struct UsedData {
  std::vector<Use> Uses;
  bool Acquires = false; // calls ek_acquire or ek_acquire_all
  bool Waits = false;    // makes tasks, or waits for some
};

class CodeUses {
  const clang::ASTContext &Context;
  /// Of functions, in terms of their parameters.
  std::map<const clang::FunctionDecl *, UsedData> Done;
  std::set<const clang::FunctionDecl *> Open;

  friend class UseWalk;
  const UsedData *ofFunction(const clang::FunctionDecl *F);

public:
  explicit CodeUses(const clang::ASTContext &Context) : Context(Context) {}
  /// Of the statement \p S.
  UsedData of(const clang::Stmt *S);
};

} // namespace evenkeel

#endif
