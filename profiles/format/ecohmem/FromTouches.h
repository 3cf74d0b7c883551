//===- FromTouches.h - touched pages as ecoHMEM's advisor takes them -*-C++-*-//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: objects of ecoHMEM are call stacks, here in frames "file!ADDRESS", as
// libevenkeel-touches finds them again. Loads are the pages that passes saw
// touched, stores those they saw written: touches, not misses, so an object
// that stays in the caches counts as well.
// Leaves out: memory without a call stack, which nobody can place.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_ECOHMEM_FROMTOUCHES_H
#define EVENKEEL_PROFILES_FORMAT_ECOHMEM_FROMTOUCHES_H

#include "format/Error.h"
#include "format/touches/TouchRecord.h"

namespace evenkeel::ecohmem {

struct TouchTables {
  std::vector<std::string> Stacks;            // sorted
  std::vector<uint64_t> Loads, Stores, Bytes; // Bytes: peak of live bytes
  uint64_t PeakBytes = 0;                     // of all stacks together
  size_t LeftOut = 0;                         // objects without a call stack
};

/// Errors: no object with a call stack was touched.
Expected<TouchTables> tablesOf(const TouchRecord &R);

/// The hash by which the runtime knows a call stack (ek_touches.h). None: \p
/// Stack has other frames than "file!ADDRESS".
std::optional<uint64_t> touchStackHash(const std::string &Stack);

} // namespace evenkeel::ecohmem

#endif
