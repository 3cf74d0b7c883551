//===- LineName.h - line markers that name their file -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the directives behind added lines, `#line N "FILE"`. FILE is the name
// that the user's own compilers have for the file, so that a compiler of the
// result shows the original's text where that is elsewhere, and `__FILE__`
// stays. All units have to agree on it: an edit of a shared header is one text.
// Not here: Clang.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_LINENAME_H
#define EVENKEEL_REWRITER_LINENAME_H

#include "Findings.h"

namespace evenkeel {

/// In the text of edits: stands for the name of the edited file, which is known
/// once all units are.
inline constexpr char OwnName = '\1';

/// The directive that gives the next line the number \p Line of the file
/// \p Name, which may be OwnName; without line end.
std::string lineDirective(unsigned Line, const std::string &Name);

/// Replaces OwnName in \p Text; without a \p Name the markers have none.
void nameLines(std::string &Text, const std::string &Name);

/// The shortest of the names that \p Units have for the file at the absolute
/// \p Path and that means this file in the working directories of all units
/// with that file; empty when there is none.
std::string commonName(const std::string &Path,
                       const std::vector<UnitResult> &Units);

} // namespace evenkeel

#endif
