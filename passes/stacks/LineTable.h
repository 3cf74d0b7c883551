//===- LineTable.h - lines of a binary to frames of facts -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: DWARF line tables, inlined calls and variables, and the coordinates of
// sites and wrapper calls in facts. Makes: the modules of stacks.json. Columns
// must agree; if a compiler writes different columns (gcc) or none, a line with
// only one site stands for that site.
// Not here: which instructions are calls; a range may be larger than its call.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_STACKS_LINETABLE_H
#define EVENKEEL_PASSES_STACKS_LINETABLE_H

#include "Binary.h"
#include "format/Facts.h"
#include "format/Stacks.h"
#include <map>
#include <set>

namespace evenkeel {

/// A sync point of the facts. If several are in one place, as in a macro, none
/// is used (id 0).
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
  /// Calls in which tasks wait, by path, line and column.
  WaitPlaces Waits;
  std::set<uint64_t> Globals; // ids

  uint32_t frame(const std::string &At);

public:
  StackTable(const Facts &F, std::string Root);
  /// Adds \p B; an error if \p B contains no unit of the facts.
  llvm::Error add(LinkedFile &B);
  /// Returns the modules added so far, complete with everything they refer to.
  const Stacks &stacks() const { return Out; }
};

} // namespace evenkeel

#endif
