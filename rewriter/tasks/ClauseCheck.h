//===- ClauseCheck.h - what a task needs, and clauses that lack it -*- C++ -*-//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to join what clauses name with what a task accesses: the ranges
// and objects that it has to acquire, and each place where a clause names less.
// Not here: the text around the task (RegionEdits).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_TASKS_CLAUSECHECK_H
#define EVENKEEL_REWRITER_TASKS_CLAUSECHECK_H

#include "NamedData.h"
#include "UsedData.h"

namespace evenkeel {

/// A clause names less than its task accesses.
struct Shortfall {
  clang::SourceLocation At;
  const char *Reason; // unnamed-data, short-section, written-input
  std::string Text;
};

struct TaskNeeds {
  std::vector<std::string> Needs; // initialisers of ek_need
  std::vector<Shortfall> Shortfalls;
  const char *Reason = nullptr; // why nothing, or not all, is acquired
};

/// Of \p D, a task or target directive in \p In.
TaskNeeds needsOf(const clang::ASTContext &Context, CodeUses &Code,
                  const clang::OMPExecutableDirective *D,
                  const clang::FunctionDecl *In);

} // namespace evenkeel

#endif
