//===- FunctionSites.h - sites by function and line within it ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: MemProf names a place by its function and the line from the function's
// first one on; the analysis names the function, the line of the file and the
// column. Where in its function a site is, only its id says, which is a hash of
// that: a frame is the site whose id results from it. So no column matches by
// accident, and edits elsewhere in a file change nothing.
// Not here: profiles of other tools, which name lines of files (SourceSites).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_MEMPROF_FUNCTIONSITES_H
#define EVENKEEL_PROFILES_FORMAT_MEMPROF_FUNCTIONSITES_H

#include "MemProfText.h"
#include "format/Facts.h"
#include <map>
#include <vector>

namespace evenkeel::memprof {

class FunctionSites {
  /// By the name of the function, as the analysis has it.
  std::map<std::string, std::vector<const SiteFact *>> Of;
  /// How many sites are at one place of a file.
  std::map<std::string, unsigned> At;

public:
  explicit FunctionSites(const Facts &F);
  /// The site of the innermost frame that has one. Null: \p Why says why.
  const SiteFact *find(const std::vector<Frame> &Stack, const char *&Why) const;

private:
  bool isAt(const SiteFact &S, const Frame &F) const;
};

} // namespace evenkeel::memprof

#endif
