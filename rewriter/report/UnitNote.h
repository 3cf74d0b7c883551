//===- UnitNote.h - a unit's report inside its object file ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how what was rewritten, left and skipped in a unit travels with its
// code, in a section that is never loaded and that linkers append to others of
// its name, so that a program tells about all of its units and no two compilers
// ever write to one file. One line per unit, then one per finding.
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
/// A file of that unit outside the root, and how many sites it has.
inline constexpr char OutsideLine[] = "outside";

/// A statement at file scope, on lines of its own, that puts the note of
/// \p Unit into the object that a source is compiled to. \p Refused is the
/// named reason why the unit is compiled as it is, or empty.
std::string noteAsSource(const std::string &Unit, const Merged &Found,
                         const std::string &Refused);

/// What the notes in programs, libraries, archives and objects say together.
struct Notes {
  Merged Found; // each finding once, however many units include its header
  std::vector<RefusedUnit> Refused; // sorted; their Error is the reason
  size_t Units = 0;
};

/// Reads \p Paths. An error names the first file that cannot be read, or has no
/// note.
Expected<Notes> readNotes(const std::vector<std::string> &Paths);

} // namespace evenkeel

#endif
