//===- LineName.h - line markers that name their file -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the directives after added lines, `#line N "FILE"`. FILE is the name
// that the user's compiler has for the file, so that diagnostics show the
// original source and `__FILE__` is preserved. All units must agree on the
// name, because an edit of a shared header is one text.
// Not here: Clang.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_LINENAME_H
#define EVENKEEL_REWRITER_LINENAME_H

#include "Findings.h"

namespace evenkeel {

/// Placeholder in the text of edits for the file's name, which is known once
/// all units are read.
inline constexpr char OwnName = '\1';

/// The directive that makes the next line number \p Line of the file \p Name,
/// which may be OwnName; without a line end.
std::string lineDirective(unsigned Line, const std::string &Name);

/// Replaces OwnName in \p Text; if \p Name is empty, removes it.
void nameLines(std::string &Text, const std::string &Name);

/// The shortest name that units have for the file \p Path (absolute) and that
/// denotes this file in the working directories of all units with that file;
/// empty if there is none.
std::string commonName(const std::string &Path,
                       const std::vector<UnitResult> &Units);

} // namespace evenkeel

#endif
