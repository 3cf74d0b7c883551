//===- TaskLevels.h - how deep a task is in the graph of tasks --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which task directives of a function depend on which, by the arrays
// that their depend clauses name, and the longest chain of dependences to each.
// A ready task of a higher level continues what has been begun. If it goes
// first, tasks run depth first (Yang 2022, algorithm 2), and data is released
// before other branches need theirs.
// Dependences on directives further down, of a loop's last iteration, do not
// count: they lead from one pass through the same graph to the next.
// Not here: elements of arrays; tasks of other functions.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_TASKLEVELS_H
#define EVENKEEL_REWRITER_TASKLEVELS_H

#include "clang/AST/StmtOpenMP.h"
#include <map>
#include <vector>

namespace evenkeel {

class TaskLevels {
  struct Task {
    unsigned Level;
    std::map<const clang::ValueDecl *, bool> Writes; // what it depends on
  };
  /// Tasks so far, by the function and task around them.
  std::map<std::pair<const void *, const void *>, std::vector<Task>> Groups;
  std::map<const clang::OMPExecutableDirective *, unsigned> Levels;

public:
  /// Adds the task directive \p D of \p In, inside the task \p Around (null:
  /// none). Tasks come in the order of the source. Returns its level, from 1
  /// on; 0: it has no depend clause that names data.
  unsigned add(const clang::OMPExecutableDirective *D,
               const clang::OMPExecutableDirective *Around,
               const clang::FunctionDecl *In);
};

} // namespace evenkeel

#endif
