//===- FunctionSites.h - sites by function and line within it ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: MemProf names a place by its function and the line from the function's
// first one on; the analysis names the function, the line of the file and the
// column. The first line of a function follows from its sites: that line at
// which most frames of the profile in it are sites.
// Not here: profiles of other tools, which name lines of files (SourceSites).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_MEMPROF_FUNCTIONSITES_H
#define EVENKEEL_PROFILES_FORMAT_MEMPROF_FUNCTIONSITES_H

#include "MemProfText.h"
#include "format/Facts.h"
#include <map>
#include <tuple>

namespace evenkeel::memprof {

class FunctionSites {
  using Place = std::tuple<std::string, unsigned long, unsigned long>;
  /// By function, line offset and column; null: several.
  std::map<Place, const SiteFact *> At;

public:
  FunctionSites(const Facts &F, const std::vector<Blocks> &Profile);
  /// The site of the innermost frame that has one. Null: \p Why says why.
  const SiteFact *find(const std::vector<Frame> &Stack, const char *&Why) const;
};

} // namespace evenkeel::memprof

#endif
