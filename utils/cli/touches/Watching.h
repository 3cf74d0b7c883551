//===- Watching.h - a program under libevenkeel-touches ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what options mean for the library, and what its processes leave in a
// folder. `record --pages` and `run --policy` share it.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_WATCHING_H
#define EVENKEEL_UTILS_CLI_WATCHING_H

#include "cli/common/Cli.h"
#include "format/touches/RawTouches.h"
#include <utility>

namespace evenkeel::cli {

/// Fails if the program of \p A cannot be watched.
void checkWatchable(const Args &A);

/// Fails if the mechanism of \p A is not offered here, found by a process that
/// does nothing else. \p Folder is an empty one for it.
void checkOffered(const Args &A, const std::string &Folder);

/// The environment for streams that begin with \p Prefix, from --overhead,
/// --mechanism, --chunk and --window.
std::vector<std::pair<std::string, std::string>>
watchingEnvironment(const Args &A, const std::string &Prefix);

struct WatchedProcesses {
  std::vector<RawTouches> Processes; // with passes
  size_t Short = 0;                  // that ended before their first pass
  double LongestShort = 0;           // s of CPU time
  size_t CutShort = 0;               // whose stream found no room
  std::string Why;                   // a process that could not be watched
};
WatchedProcesses readWatched(const std::string &Folder);

/// What WatchedProcesses::Why and CutShort mean.
std::string whyNotWatched(const std::string &Why, const Args &A);
extern const char *const NoRoomForStreams;

} // namespace evenkeel::cli

#endif
