//===- LoadedLibraries.h - what the loader adds to a program ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: where the dynamic loader searches for the libraries that a file needs:
// RPATH of the file and of what loaded it, LD_LIBRARY_PATH, RUNPATH, in this
// order. Not here: the system's libraries, which are nobody's project.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_LOADEDLIBRARIES_H
#define EVENKEEL_UTILS_CLI_LOADEDLIBRARIES_H

#include <functional>
#include <string>
#include <vector>

namespace evenkeel::cli {

/// The folders of LD_LIBRARY_PATH, as absolute paths; \p Origin stands for
/// $ORIGIN.
std::vector<std::string> environmentFolders(const std::string &Origin);

/// \p Program and the project's own libraries that it is linked with, directly
/// or not: those outside the system's folders; each once, the program first.
/// For a libtool script, the program that it starts. A folder F is searched
/// after \p Moved(F), where that is another one.
std::vector<std::string> programAndLibraries(
    const std::string &Program,
    const std::function<std::string(const std::string &)> &Moved = {});

} // namespace evenkeel::cli

#endif
