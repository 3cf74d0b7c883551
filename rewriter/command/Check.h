//===- Check.h - the edited units must compile ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: every edited unit is parsed again, from memory. If one would not
// compile, edits are removed so that the other units can keep theirs: first
// from the files that only this unit includes, then, if that does not help,
// from all files that it includes.
// Not here: what was wrong with the edits.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_CHECK_H
#define EVENKEEL_REWRITER_CHECK_H

#include "Output.h"
#include <functional>

namespace evenkeel {

/// A unit that would not compile with its edits, and the first error.
struct LeftUnit {
  std::string Unit, Error;
};

/// Parses all units of \p FilesOf (the files of each unit) with the edited
/// files of \p M, and removes edits from \p M and \p Files until all units
/// compile. Returns the units that lost edits, sorted. Calls \p Show before
/// each parse.
std::vector<LeftUnit>
leaveBroken(const Project &P,
            const std::map<std::string, std::set<std::string>> &FilesOf,
            const std::function<void(const std::string &)> &Show, Merged &M,
            EditedFiles &Files);

} // namespace evenkeel

#endif
