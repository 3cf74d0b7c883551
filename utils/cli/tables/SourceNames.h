//===- SourceNames.h - the variable that gets an allocation -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: facts say where an object is allocated, not what it is called. Where
// the sources lie beside the report, the text before the allocation tells:
// "value = malloc(", "m.begin = need(", "std::vector<double> rank(".
// Makes: a name, or "" if the text does not tell or is not what was analyzed.
// Not here: declarations of globals with several names on a line.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_SOURCENAMES_H
#define EVENKEEL_UTILS_CLI_SOURCENAMES_H

#include <map>
#include <string>
#include <vector>

namespace evenkeel::cli {

/// The name in \p Line, a line of a source, of what is allocated at column
/// \p Column (from 1).
std::string nameInLine(const std::string &Line, size_t Column);

/// Reads each source once.
class SourceNames {
  const std::string Root; // "": no source is opened
  std::map<std::string, std::vector<std::string>> Lines;

public:
  explicit SourceNames(std::string SourcesRoot) : Root(SourcesRoot) {}
  /// \p At: "path:line:col", the path relative to the root.
  std::string at(const std::string &At);
};

} // namespace evenkeel::cli

#endif
