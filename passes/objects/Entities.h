//===- Entities.h - sites, regions and sync points --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the description of a site, a region or a sync point: its id, kind and
// place.
// Not here: how entities are found (Inventory.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_OBJECTS_ENTITIES_H
#define EVENKEEL_PASSES_OBJECTS_ENTITIES_H

#include "format/SyncKind.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace evenkeel {

struct SiteInfo {
  uint64_t Id = 0;
  std::string Kind; // malloc, calloc, ..., new, new[], global, static, stack
  std::string At, Function;
  /// Inlined calls of allocation wrappers around the site, innermost first;
  /// Context is their id as formed at run time (runtime/calls/context.h). 0:
  /// none.
  uint64_t Context = 0;
  std::vector<std::string> Calls;
  /// For container code that several places share and none has inlined: the
  /// other places.
  std::vector<SiteInfo> Others = {};
};

/// Serial: main, outside parallel regions.
enum class RegionKind { Parallel, Task, Serial };

/// As files and printers name it.
inline const char *regionKindName(RegionKind K) {
  switch (K) {
  case RegionKind::Parallel:
    return "parallel";
  case RegionKind::Task:
    return "task";
  case RegionKind::Serial:
    break;
  }
  return "serial";
}

/// The kind of a region in its id (EntityKey::Kind).
inline constexpr char RegionKey[] = "region";

struct RegionInfo {
  uint64_t Id = 0;
  RegionKind Kind = RegionKind::Serial;
  std::string At, Function;
  /// Loads and stores in the code that the region's tasks run (a copy counts as
  /// two), and the number of them that are in no row, by the kind of memory
  /// they touch.
  uint64_t Places = 0;
  std::map<std::string, uint64_t> Private;
};

struct SyncInfo {
  uint64_t Id = 0;
  SyncKind Kind = SyncKind::Barrier;
  std::string At, Function;
  bool Team = false; // every thread of a team passes it, else only one thread
};

/// As files and printers name it.
inline const char *detailOfSync(bool Team) { return Team ? "team" : "serial"; }

} // namespace evenkeel

#endif
