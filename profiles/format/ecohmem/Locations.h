//===- Locations.h - FlexMalloc's locations ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the file by which FlexMalloc finds the allocator of each call stack,
// as ecoHMEM's advisor writes it: "# Memory configuration for TIER with size N
// bytes" begins a tier, the fastest first, and "FRAME > FRAME @ ALLOCATOR" is
// an object, innermost frame first. A frame is "file.c:12" or "file!OFFSET", in
// one file only one kind of them. Makes: a plan of ours from such a file.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_ECOHMEM_LOCATIONS_H
#define EVENKEEL_PROFILES_FORMAT_ECOHMEM_LOCATIONS_H

#include "FrameLines.h"
#include "format/Error.h"
#include "format/Facts.h"
#include "format/plan/Plan.h"
#include <map>
#include <string>
#include <vector>

namespace evenkeel::ecohmem {

struct Location {
  std::string Stack, Allocator;
  unsigned Tier = 0;
};

struct Locations {
  std::vector<std::string> Tiers; // names, the fastest first
  uint64_t FastBytes = 0;         // size of the first; 0: not known
  std::vector<Location> List;
  uint64_t Statics = 0; // variables, which FlexMalloc does not place
};

/// Errors: a line that is no location, both kinds of frames, no tier before the
/// first location; \p Path appears in them.
Expected<Locations> parseLocations(const std::string &Raw,
                                   const std::string &Path);
Expected<Locations> readLocations(const std::string &Path);

struct LocatedPlan {
  Plan Made;
  unsigned Fast = 0;                    // objects in fast memory
  std::map<std::string, uint64_t> Left; // reason and number
};

/// Objects of the first tier lie in fast memory, all others in slow memory.
/// Stacks that end in a known chain of wrapper calls have an entry of their
/// own. If stacks of one entry lie in both, it lies in fast memory only if none
/// of them is slow. \p Lines has the lines of frames that are addresses.
/// Errors: no location has a site.
Expected<LocatedPlan> planOfLocations(const Locations &L, const Facts &F,
                                      const FrameLines &Lines = {});

} // namespace evenkeel::ecohmem

#endif
