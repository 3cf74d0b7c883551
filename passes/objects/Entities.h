//===- Entities.h - sites, regions and sync points --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the passes say of a site, a region or a sync point: its id, kind
// and place.
// Leaves out: how entities are found (Inventory.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_OBJECTS_ENTITIES_H
#define EVENKEEL_PASSES_OBJECTS_ENTITIES_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace evenkeel {

struct SiteInfo {
  uint64_t Id = 0;
  std::string Kind; // malloc, calloc, ..., new, new[], global, static, stack
  std::string At, Function;
  /// Calls of allocation wrappers around it, innermost first, where they were
  /// inlined; their id as the run time forms it (runtime/calls/context.h). 0:
  /// none.
  uint64_t Context = 0;
  std::vector<std::string> Calls;
  /// A container's code that several places share and none has inlined: the
  /// places of the others.
  std::vector<SiteInfo> Others = {};
};

struct RegionInfo {
  uint64_t Id = 0;
  std::string Kind; // parallel, task, serial
  std::string At, Function;
  /// Loads and stores in the code that its tasks run (a copy is two), and those
  /// of them that are in no row, by whose memory they touch.
  uint64_t Places = 0;
  std::map<std::string, uint64_t> Private;
};

struct SyncInfo {
  uint64_t Id = 0;
  std::string Kind; // barrier, for, sections, single, parallel, taskwait, ...
  std::string At, Function;
  bool Team = false; // every thread of a team passes, else just one thread
};

} // namespace evenkeel

#endif
