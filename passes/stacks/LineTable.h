//===- LineTable.h - from lines of a binary to frames of facts --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: DWARF line tables, inlined calls and variables, and the coordinates of
// sites and wrapper calls in facts. Makes: the modules of stacks.json.
// Columns must agree; where a compiler writes others (gcc) or none, a line that
// names one site stands for it.
// Leaves out: which instructions are calls: a range may be larger than one.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_STACKS_LINETABLE_H
#define EVENKEEL_PASSES_STACKS_LINETABLE_H

#include "Binary.h"
#include "format/Facts.h"
#include "format/Stacks.h"
#include <map>
#include <set>

namespace evenkeel {

/// A sync point of the facts; several in one place, as a macro makes them, are
/// none (id 0).
struct WaitPlace {
  uint64_t Id = 0;
  std::string Kind; // as in facts
};
using WaitPlaces =
    std::map<std::string, std::map<unsigned, std::map<unsigned, WaitPlace>>>;

class StackTable {
  const Facts &F;
  std::string Root; // "": found from the units of each binary
  Stacks Out;
  /// Frames by path, line and column.
  std::map<std::string, std::map<unsigned, std::map<unsigned, uint32_t>>>
      Places;
  /// Calls in which tasks wait, likewise.
  WaitPlaces Waits;
  std::set<uint64_t> Globals; // ids

  uint32_t frame(const std::string &At);

public:
  StackTable(const Facts &F, std::string Root);
  /// An error if no unit of the facts is in \p B.
  llvm::Error add(LinkedFile &B);
  /// What was added, and nothing that no module mentions is missing.
  const Stacks &stacks() const { return Out; }
};

} // namespace evenkeel

#endif
