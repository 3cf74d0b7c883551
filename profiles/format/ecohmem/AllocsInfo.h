//===- AllocsInfo.h - allocsinfo.json: when objects lived -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the file in which ecoHMEM keeps each allocation of an Extrae trace
// with its time, size, process and call stack:
//   {"version":1,"objects":{"<id>":"... [<call stack>]",..},
//    "fields":["app","proc","func","alloc_time","free_time","bytes","obj_id"],
//    "allocs":[[1,1,1,<ns>,<ns>,<bytes>,<id>],..]}
// Reads it as a stream: such files hold millions of allocations.
// Not here: what the advisor makes of it (advisor/).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_ECOHMEM_ALLOCSINFO_H
#define EVENKEEL_PROFILES_FORMAT_ECOHMEM_ALLOCSINFO_H

#include "format/Error.h"
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace evenkeel::ecohmem {

/// Figures are within +-2^53. Times are in nanoseconds. A free time that is not
/// after the allocation's: it was never freed.
struct Allocation {
  int64_t App = 1, Process = 1, Function = 1;
  int64_t AllocTime = 0, FreeTime = 0, Bytes = 0, Object = -1;
};

struct AllocsInfo {
  std::vector<Allocation> Allocations; // in the order of the file
  /// The id of each call stack.
  std::unordered_map<std::string, int64_t> Objects;
};

/// Errors: no JSON, another version, a row without the fields; \p Path appears
/// in them.
Expected<AllocsInfo> parseAllocsInfo(const std::string &Text,
                                     const std::string &Path);
Expected<AllocsInfo> readAllocsInfo(const std::string &Path);
/// \p Stacks by id, counted from \p FirstId.
std::string allocsInfoText(const std::vector<std::string> &Stacks,
                           const std::vector<Allocation> &Allocations,
                           int64_t FirstId);

} // namespace evenkeel::ecohmem

#endif
