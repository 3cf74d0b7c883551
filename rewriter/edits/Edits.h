//===- Edits.h - merging units' edits and applying them ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how the findings of all units become one list of findings and one set
// of edits per file, the edited text, and its unified diff.
// Not here: Clang and the file system; texts come in and go out as strings.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_EDITS_H
#define EVENKEEL_REWRITER_EDITS_H

#include "Findings.h"
#include "format/Error.h"
#include "llvm/ADT/StringRef.h"

namespace evenkeel {

/// The whole project: findings sorted by coordinate, each once.
struct Merged {
  std::vector<Finding> Findings;
  std::set<std::string> Files;
  std::map<std::string, std::vector<TextEdit>> Edits; // sorted, by file
  std::map<std::string, IncludePoint> Includes;
  std::map<std::string, unsigned> OutsideRoot; // as of the units
  /// What people wrote that no unit can follow, a line each, sorted.
  std::vector<std::string> Warnings;
};

/// Units that share a header must ask for the same edits in it; otherwise an
/// error, or with \p KeepGoing those findings are skipped as `conflict`.
Expected<Merged> mergeUnits(std::vector<UnitResult> Units, bool KeepGoing);

/// \p Text with \p Edits applied; with \p Include, the header's line is added
/// unless it is there.
std::string applyEdits(const std::string &Text,
                       const std::vector<TextEdit> &Edits,
                       const IncludePoint *Include);

/// The column, from 1, of the text at \p Offset once \p Edits are applied; 0:
/// an edit has replaced it.
unsigned editedColumn(llvm::StringRef Text, const std::vector<TextEdit> &Edits,
                      unsigned Offset);

/// Unified diff (three lines of context) for `patch -p1`; empty when equal.
/// \p Path is relative, used as a/Path and b/Path.
std::string unifiedDiff(const std::string &Path, const std::string &Old,
                        const std::vector<TextEdit> &Edits,
                        const IncludePoint *Include);

} // namespace evenkeel

#endif
