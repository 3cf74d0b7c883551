//===- UnitNote.h - a unit's report inside its object file ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how the report of a unit travels with its code: in a section that is
// never loaded and that linkers concatenate. A program thus reports on all of
// its units, and no two compilers write to one file. One line per unit,
// followed by one per finding.
// Not here: how the lines are shown (Report).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_UNITNOTE_H
#define EVENKEEL_REWRITER_UNITNOTE_H

#include "Report.h"
#include "edits/Edits.h"
#include <string>
#include <vector>

namespace evenkeel {

inline constexpr char NoteSection[] = ".evenkeel.report";
/// First field of a unit's line.
inline constexpr char UnitLine[] = "evenkeel.unit/1";
/// A file of the unit outside the root, and its number of sites.
inline constexpr char OutsideLine[] = "outside";

/// A declaration at file scope, on lines of its own, that puts the note of \p
/// Unit into the object file. \p Refused is the reason why the unit is compiled
/// without edits, or empty.
std::string noteAsSource(const std::string &Unit, const Merged &Found,
                         const std::string &Refused);

/// The combined notes of programs, libraries, archives and objects.
struct Notes {
  Merged Found; // each finding once, even if several units include its header
  std::vector<RefusedUnit> Refused; // sorted; Error is the reason
  size_t Units = 0;
};

/// Reads \p Paths. The error names the first file that cannot be read or has no
/// note.
Expected<Notes> readNotes(const std::vector<std::string> &Paths);

} // namespace evenkeel

#endif
