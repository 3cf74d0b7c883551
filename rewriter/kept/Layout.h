//===- Layout.h - edits in the format of the project ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: where a .clang-format applies to a file, lines that an edit touches
// are formatted by it, and no others.
// Not here: what the edits say.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_KEPT_LAYOUT_H
#define EVENKEEL_REWRITER_KEPT_LAYOUT_H

#include "edits/Findings.h"
#include "format/Error.h"

namespace evenkeel {

/// \p Edits of \p Text, sorted, with the formatting of the lines that they
/// touch. \p Path is where the file is.
Expected<std::vector<TextEdit>> laidOut(const std::string &Path,
                                        const std::string &Text,
                                        const std::vector<TextEdit> &Edits);

/// The fewest edits, of whole lines, that turn \p Old into \p New.
std::vector<TextEdit> lineEdits(const std::string &Old, const std::string &New);

} // namespace evenkeel

#endif
