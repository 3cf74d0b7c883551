//===- SourceSites.h - the site at the end of a call stack ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: call stacks of Extrae, hmem_advisor and FlexMalloc in terms of source
// lines, "alloc.c:12 > main.c:30", innermost frame first, and the sites that
// the analysis found there. A frame may have a column, "alloc.c:12:7", which
// tells sites of one line apart; compilers differ in columns, so one that no
// site of the line has tells nothing. Not here: which lines code addresses are
// (FrameLines).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_ECOHMEM_SOURCESITES_H
#define EVENKEEL_PROFILES_FORMAT_ECOHMEM_SOURCESITES_H

#include "format/Facts.h"
#include <map>
#include <string>
#include <vector>

namespace evenkeel::ecohmem {

/// "a > b > c" as its frames.
std::vector<std::string> framesOf(const std::string &Stack);

class SourceSites {
  std::map<std::pair<std::string, unsigned long>, std::vector<const SiteFact *>>
      At; // by base name of the file and line

public:
  explicit SourceSites(const Facts &F);
  /// The sites of the innermost frame that has one. None: \p Why says why.
  std::vector<const SiteFact *> findAll(const std::string &Stack,
                                        const char *&Why) const;
  /// The one site of that frame. Null: \p Why says why.
  const SiteFact *find(const std::string &Stack, const char *&Why) const;
  /// The longest chains of wrapper calls to \p Site that \p Stack ends in:
  /// several, if only columns tell them apart and the stack has none.
  static std::vector<const SiteFact::Caller *>
  callersOf(const SiteFact &Site, const std::string &Stack);
};

} // namespace evenkeel::ecohmem

#endif
