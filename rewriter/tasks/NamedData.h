//===- NamedData.h - which data a directive's clauses name ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the data that depend clauses of a task, and map clauses of a target
// region, name: elements, sections and whole variables, how the task uses them
// by these clauses, and the text of an address and a length for each.
// Not here: what the task accesses (UsedData).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_TASKS_NAMEDDATA_H
#define EVENKEEL_REWRITER_TASKS_NAMEDDATA_H

#include "Places.h"

namespace evenkeel {

struct Named {
  DataKey Object; // meaningless if Reason is given, unless that is `stack`
  bool Reads = true, Writes = true;
  bool Writable = true;          // false: the clause says that it is only read
  bool Element = false;          // one element of more
  std::optional<Bytes> From, To; // bytes of the object
  double Each = 1;               // bytes of an element
  std::string Text;              // as in the clause
  std::string Address, Length;   // as the source would compute them
  std::string Base;              // of its one index; empty: another form
  const char *Reason = nullptr;  // why it cannot be acquired
  clang::SourceLocation At;
};

std::vector<Named> namedBy(const clang::ASTContext &Context,
                           const clang::OMPExecutableDirective *D);

/// The text of \p E in the file; empty if it has none of its own.
std::string textOf(const clang::ASTContext &Context, const clang::Expr *E);

} // namespace evenkeel

#endif
