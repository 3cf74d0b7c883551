//===- Edits.h - merging units' edits and applying them ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to merge the findings of all units into one list of findings and
// one set of edits per file; the edited text, and its unified diff.
// Not here: Clang and the file system; texts are strings.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_EDITS_H
#define EVENKEEL_REWRITER_EDITS_H

#include "Findings.h"
#include "format/Error.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace evenkeel {

/// The whole project: findings sorted by place, without duplicates.
struct Merged {
  std::vector<Finding> Findings;
  std::set<std::string> Files;
  std::map<std::string, std::vector<TextEdit>> Edits; // sorted, by file
  std::map<std::string, IncludePoint> Includes;
  std::map<std::string, unsigned> OutsideRoot; // counted by the units
  /// Annotations that apply to nothing in any unit, and clauses that name less
  /// than their tasks access: one line each, each kind sorted by place.
  std::vector<std::string> Warnings;
};

/// Merges the units. If units require different edits in a shared header,
/// returns an error, or with \p KeepGoing skips those findings (`conflict`).
/// In sources that are kept, \p Name gives a Tag to findings that need one.
using NameFunction = llvm::function_ref<void(std::vector<Finding> &)>;
Expected<Merged> mergeUnits(std::vector<UnitResult> Units, bool KeepGoing,
                            NameFunction Name = {});

/// \p Text with \p Edits applied. With \p Include, adds the header's include
/// line unless it is there.
std::string applyEdits(const std::string &Text,
                       const std::vector<TextEdit> &Edits,
                       const IncludePoint *Include);

/// The column (from 1) of the text at \p Offset after \p Edits; 0 if an edit
/// replaces it.
unsigned editedColumn(llvm::StringRef Text, const std::vector<TextEdit> &Edits,
                      unsigned Offset);

/// Unified diff (three lines of context) for `patch -p1`; empty when equal.
/// \p Path is relative, used as a/Path and b/Path.
std::string unifiedDiff(const std::string &Path, const std::string &Old,
                        const std::vector<TextEdit> &Edits,
                        const IncludePoint *Include);

} // namespace evenkeel

#endif
