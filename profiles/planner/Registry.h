//===- Registry.h - planners by name ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: each file of rivals/ implements one paper and defines `rivals::NAME`,
// where NAME is the file's name. The build generates the table of all rivals
// from the file names (cmake/FileTable.cmake), so a new rival needs only a new
// file.
// Not here: code that rivals share (Rivals.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_REGISTRY_H
#define EVENKEEL_PROFILES_PLANNER_REGISTRY_H

#include "Planner.h"

namespace evenkeel {

/// The planner of a paper.
struct RivalPlanner {
  const char *Name;
  const char *Alias; ///< the paper's name if it differs, or null
  std::unique_ptr<Planner> (*Make)(const Settings &);
  const std::vector<Tunable> &(*Tunables)();
};

/// All rivals, sorted by name.
std::vector<const RivalPlanner *> allRivals();

} // namespace evenkeel

/// Defines the planner of the file File.cpp of rivals/.
#define EK_RIVAL(File, Name, Alias, Make, Tunables)                            \
  namespace evenkeel::rivals {                                                 \
  extern const RivalPlanner File;                                              \
  const RivalPlanner File = {Name, Alias, Make, Tunables};                     \
  }

#endif
