//===- Check.h - what comes out must compile --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: that every edited unit is parsed once more, from memory, and that one
// which would not compile is left as it was without keeping the others back:
// the files that only it includes lose their edits, or, where that does not
// help, all files that it includes.
// Not here: what was wrong with the edits.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_CHECK_H
#define EVENKEEL_REWRITER_CHECK_H

#include "Output.h"
#include <functional>

namespace evenkeel {

/// A unit that would not compile after its edits, and the first error.
struct LeftUnit {
  std::string Unit, Error;
};

/// Parses all units of \p FilesOf (what each includes) with the edited files of
/// \p M, and takes edits out of \p M and \p Files until all compile. Returns
/// the units that have lost edits, sorted. \p Show is told of each parse.
std::vector<LeftUnit>
leaveBroken(const Project &P,
            const std::map<std::string, std::set<std::string>> &FilesOf,
            const std::function<void(const std::string &)> &Show, Merged &M,
            EditedFiles &Files);

} // namespace evenkeel

#endif
