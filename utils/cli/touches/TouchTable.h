//===- TouchTable.h - touched memory by object ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how the rows of touches.json add up to one line per object: its size,
// and the pages that a window sees touched, on average over the passes of its
// process.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_TOUCHTABLE_H
#define EVENKEEL_UTILS_CLI_TOUCHTABLE_H

#include "format/touches/TouchRecord.h"
#include <nlohmann/json_fwd.hpp>
#include <optional>

namespace evenkeel::cli {

/// Objects of one stack and kind, or a single object. Figures are bytes, means
/// over the passes.
struct TouchedObject {
  std::string Kind, Name;
  std::vector<std::string> Stack;
  size_t Objects = 0;
  uint64_t Bytes = 0; // of all its objects
  double Resident = 0, Touched = 0, Written = 0;
  bool TouchedKnown = false, WrittenKnown = false;
  std::optional<uint64_t> Samples = std::nullopt; // of loads, in all passes

  /// The share of its resident pages that a window sees touched, or written.
  double share() const;
};

/// One entry per name, kind and stack, or per object if \p Single; those with
/// the most sampled loads or touched bytes first.
std::vector<TouchedObject> touchedObjects(const TouchRecord &R, bool Single);

/// "accessed-bits, 12 passes of 9.8 ms, ...; overhead 0.98 % (limit 1 %)".
std::string passesText(const TouchRecord &R);
/// "working set 59.1 MiB of 121 MiB resident, by windows": of all objects.
std::string workingSetText(const std::vector<TouchedObject> &Objects);
/// The table of the \p Most hottest objects.
std::string touchTable(const std::vector<TouchedObject> &Objects, size_t Most);
/// What was left out and why, one line each; empty if nothing was.
std::string touchNotes(const TouchRecord &R);

nlohmann::json touchesSummary(const TouchRecord &R,
                              const std::vector<TouchedObject> &Objects);

} // namespace evenkeel::cli

#endif
