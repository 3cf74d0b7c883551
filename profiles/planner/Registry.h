//===- Registry.h - planners by name ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what a file of rivals/ defines, one paper each: `rivals::NAME`, where
// NAME is the file's own. The build makes the table of all of them from the
// names of the files (cmake/FileTable.cmake), so that a new file is all that a
// new rival takes.
// Leaves out: what rivals share (Rivals.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_REGISTRY_H
#define EVENKEEL_PROFILES_PLANNER_REGISTRY_H

#include "Planner.h"

namespace evenkeel {

/// The planner of a paper.
struct RivalPlanner {
  const char *Name;
  const char *Alias; ///< the paper's name where it is another one, or null
  std::unique_ptr<Planner> (*Make)(const Settings &);
  const std::vector<Tunable> &(*Tunables)();
};

/// All of them, in the order of their names.
std::vector<const RivalPlanner *> allRivals();

} // namespace evenkeel

/// Defines the planner of the file File.cpp of rivals/.
#define EK_RIVAL(File, Name, Alias, Make, Tunables)                            \
  namespace evenkeel::rivals {                                                 \
  extern const RivalPlanner File;                                              \
  const RivalPlanner File = {Name, Alias, Make, Tunables};                     \
  }

#endif
