//===- MemoryConfig.h - ecoHMEM's list of tiers -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the file in which ecoHMEM's users describe their memory, one tier to a
// line, the fastest first: name, weight of a load, weight of a store, size,
// allocator.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_ECOHMEM_MEMORYCONFIG_H
#define EVENKEEL_PROFILES_FORMAT_ECOHMEM_MEMORYCONFIG_H

#include "format/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace evenkeel::ecohmem {

struct MemoryTier {
  std::string Name, Allocator;
  int64_t LoadWeight = 1, StoreWeight = 1; // within +-2^31
  int64_t Bytes = 0;
};

/// Errors: a line that does not have five fields, a weight or a size that is no
/// number, no line at all; \p Path appears in them.
Expected<std::vector<MemoryTier>> parseMemoryConfig(const std::string &Raw,
                                                    const std::string &Path);
Expected<std::vector<MemoryTier>> readMemoryConfig(const std::string &Path);
std::string memoryConfigText(const std::vector<MemoryTier> &Tiers);

} // namespace evenkeel::ecohmem

#endif
