//===- Regions.h - parallel regions, tasks and main -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the constructs that run tasks: parallel regions, tasks, taskloops, and
// main for the serial part; and, if asked for, priorities of tasks.
// Not here: waits (Hooks).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_REGIONS_H
#define EVENKEEL_REWRITER_REGIONS_H

#include "Rule.h"
#include "tasks/TaskLevels.h"

namespace evenkeel {

class Regions : public Rule {
  Unit &U;
  TaskLevels Levels;

  void putPriority(Pending &P, const clang::OMPExecutableDirective *D);

public:
  explicit Regions(Unit &U) : U(U) {}
  void directive(const clang::OMPExecutableDirective *D) override;
  /// \p FD is a definition that is not yet on the stack of functions.
  void function(const clang::FunctionDecl *FD) override;
};

} // namespace evenkeel

#endif
