//===- Mappings.h - what lies where in a process ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a copy of /proc/PID/maps, which gives names to addresses: neighbours
// of one name are one range.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_DAMO_MAPPINGS_H
#define EVENKEEL_PROFILES_FORMAT_DAMO_MAPPINGS_H

#include "format/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace evenkeel::damo {

struct Mapping {
  uint64_t Start = 0, End = 0;
  std::string Kind; // of TouchObject
  std::string Name;
};

/// Of the text of a maps file, in the order of addresses; \p Path is for
/// errors.
Expected<std::vector<Mapping>> parseMappings(const std::string &Text,
                                             const std::string &Path);

} // namespace evenkeel::damo

#endif
