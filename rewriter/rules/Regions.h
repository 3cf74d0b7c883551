//===- Regions.h - parallel regions, tasks and main -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the constructs that run tasks: parallel regions, tasks, taskloops, and
// main for the serial part; and, if asked for, priorities of tasks, and the
// data that they and target regions acquire.
// Not here: waits (Hooks).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_REGIONS_H
#define EVENKEEL_REWRITER_REGIONS_H

#include "Rule.h"
#include "tasks/ClauseCheck.h"
#include "tasks/TaskLevels.h"

namespace evenkeel {

class Regions : public Rule {
  Unit &U;
  TaskLevels Levels;
  CodeUses Code{U.Context};

  /// What \p D needs; what it lacks is noted in \p P.
  std::vector<std::string> needs(Pending &P,
                                 const clang::OMPExecutableDirective *D);
  void target(const clang::OMPExecutableDirective *D);
  void putPriority(Pending &P, const clang::OMPExecutableDirective *D);

public:
  explicit Regions(Unit &U) : U(U) {}
  void directive(const clang::OMPExecutableDirective *D) override;
  /// \p FD is a definition that is not yet on the stack of functions.
  void function(const clang::FunctionDecl *FD) override;
};

} // namespace evenkeel

#endif
