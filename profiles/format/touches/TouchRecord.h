//===- TouchRecord.h - which pages a program touches, and when --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: touches.json, which `evenkeel record --pages` writes: passes over the
// memory of each process, and per pass the pages of each chunk that were
// touched within a short window. A touch says that a page was used at all, not
// how often, and nothing about caches: touches are not misses.
// Not here: how passes are made (runtime/touches).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_TOUCHES_TOUCHRECORD_H
#define EVENKEEL_PROFILES_FORMAT_TOUCHES_TOUCHRECORD_H

#include "format/Error.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace evenkeel {

struct TouchProcess {
  std::string Program; // file name, without folders
  std::optional<uint32_t> Rank;
  uint64_t ProgramNs = 0; // CPU time, up to the end or the last pass
  uint64_t SpentNs = 0;   // what the passes cost
  bool Ended = false;     // by itself; else it was killed or replaced
  std::map<std::string, uint64_t> Notes; // what was left out, by reason
};

struct TouchObject {
  uint32_t Process = 0;
  std::string Kind; // block, mapping, heap, stack, data, file or unnamed
  std::string Name; // the source line that allocates it, or what it is
  std::vector<std::string> Stack; // "function (file:line)", innermost first
  uint32_t Ordinal = 0;           // among objects of the same stack
  uint64_t Address = 0, Bytes = 0, BornNs = 0;
  std::vector<std::string> Frames; // "file!ADDRESS" as linked, as in Stack
};

struct TouchPass {
  uint32_t Process = 0;
  uint64_t TimeNs = 0; // since the process was first watched
  uint64_t WindowNs = 0;
  uint64_t ResidentPages = 0, ChunkBytes = 0;
};

/// A chunk in one pass; all figures are pages. Unknown: the mechanism does not
/// tell it.
struct TouchRow {
  static constexpr uint32_t Unknown = 0xffffffff;
  uint32_t Pass = 0, Object = 0, First = 0, Pages = 0;
  uint32_t Resident = 0, Touched = 0, Written = 0;
  uint32_t Samples = Unknown; // loads that were sampled
};

struct TouchRecord {
  std::string Command;
  /// A name of EK_TOUCH_MECHANISMS (format/ek_touches.h), or DamonMechanism.
  std::string Mechanism;
  uint32_t PageBytes = 4096;
  double OverheadLimit = 0; // share of the program's CPU time
  std::vector<TouchProcess> Processes;
  std::vector<TouchObject> Objects;
  std::vector<TouchPass> Passes; // of each process in the order of time
  std::vector<TouchRow> Rows;    // in the order of passes

  uint64_t programNs() const;
  uint64_t spentNs() const;
};

/// Of records that DAMON made: what is resident and what the passes cost is not
/// known.
inline constexpr const char *DamonMechanism = "damon";

/// What the words "touched" and "touches" mean, for everything that shows them.
extern const char *const TouchesAre;

Expected<TouchRecord> readTouches(const std::string &Path);
std::string touchesToJson(const TouchRecord &R);

} // namespace evenkeel

#endif
