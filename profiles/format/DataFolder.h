//===- DataFolder.h - shipped files with names ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: where machine files and trained models are searched: in the
// directories of an environment variable (separated by ':'), then in
// ../share/evenkeel/FOLDER relative to the running executable. The latter works
// in installed trees and in build trees; no path is compiled in.
// Not here: the contents of the files.
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

/// The path of each name; the first directory with a name counts.
std::map<std::string, std::string> dataFiles(const DataFolder &D);

/// Returns the file for \p NameOrPath, which is a path if it contains '/' or
/// ends in ".json". The error lists the known names.
Expected<std::string> locateDataFile(const DataFolder &D,
                                     const std::string &NameOrPath);

} // namespace evenkeel

#endif
