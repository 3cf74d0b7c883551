//===- Groups.h - objects of one source line --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which objects of touches.json have one row in a table or one line in a
// picture: those that one call stack allocates, or each for itself.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_TOUCHES_CURVES_GROUPS_H
#define EVENKEEL_UTILS_CLI_TOUCHES_CURVES_GROUPS_H

#include "format/touches/TouchRecord.h"
#include <optional>

namespace evenkeel::cli {

struct TouchGroup {
  std::string Kind, Name;
  std::vector<std::string> Stack;
  size_t Objects = 0;
  uint64_t Bytes = 0; // of all its objects
  size_t Rank = 0;    // 0: the most used pages of all groups
};

struct TouchGroups {
  std::vector<TouchGroup> List; // in the order of their first objects
  std::vector<size_t> Of;       // by object
};

/// One group per name, kind and stack, or per object if \p Single; such a name
/// says which of its stack's objects it is. Ranks are those of \p Process, or
/// of all processes. No two groups have the same rank.
TouchGroups groupsOf(const TouchRecord &R, bool Single,
                     std::optional<uint32_t> Process = {});

/// Pages that a window sees used: touched ones, or written ones where the
/// mechanism tells only those.
double usedPages(const TouchRow &X);

} // namespace evenkeel::cli

#endif
