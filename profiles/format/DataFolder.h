//===- DataFolder.h - shipped files that are called by name -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: where machine files and trained models are looked for: the directories
// in an environment variable (separated by ':'), then ../share/evenkeel/FOLDER
// seen from the running executable, which holds in an installed tree and in a
// build tree alike; no path is compiled in.
// Not here: what the files hold.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_DATAFOLDER_H
#define EVENKEEL_PROFILES_FORMAT_DATAFOLDER_H

#include "Error.h"
#include <map>
#include <string>

namespace evenkeel {

struct DataFolder {
  const char *What;   // "machine", for messages
  const char *Folder; // below share/evenkeel
  const char *Variable;
};

/// Name -> path; the first directory that has a name wins.
std::map<std::string, std::string> dataFiles(const DataFolder &D);

/// \p NameOrPath is a path if it has a '/' or ends in ".json". The error lists
/// the known names.
Expected<std::string> locateDataFile(const DataFolder &D,
                                     const std::string &NameOrPath);

} // namespace evenkeel

#endif
