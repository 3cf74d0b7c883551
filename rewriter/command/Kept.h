//===- Kept.h - sources that the project keeps ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: `--style kept` (kept/README.md): where the generated header is, which
// names are in use, and that the ids in it are those of the places in the new
// text, which is read again for that.
// Not here: the text of edits and of the header (kept/, rules/).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_COMMAND_KEPT_H
#define EVENKEEL_REWRITER_COMMAND_KEPT_H

#include "Output.h"
#include "kept/IdsHeader.h"

namespace evenkeel {

using Overlay = std::map<std::string, std::string>;

/// Adds to the edits of \p M the lines that include \p HeaderPath, and formats
/// the edits.
MaybeError layOutKept(Merged &M, const std::string &HeaderPath);

class KeptSources {
public:
  /// Reads the generated header of \p P and the names in its sources.
  explicit KeptSources(const Project &P);

  /// The header in which each name has a number of its own, for parses that
  /// find out which name is where; empty if there are no names.
  Overlay header() const;
  /// Names new places.
  void name(std::vector<Finding> &Findings);
  /// An error if a file that no rewrite made has the header's name.
  MaybeError refuseForeign() const;
  /// Adds the includes to the edits of \p M, and formats them.
  MaybeError layOut(Merged &M) const;
  /// Adds the header with numbers to \p Files.
  void addHeader(Merged &M, EditedFiles &Files) const;
  /// Replaces the numbers by the ids of the places that \p Units, read with
  /// \p Files, found. Adds to the warnings of \p M.
  void finish(const std::vector<UnitResult> &Units, Merged &M,
              EditedFiles &Files) const;

  const std::string &path() const { return Path; }

private:
  void number(const PlaceName &Name);
  std::string numbered(IdsHeader H) const;
  std::string nameFrom(const std::string &File) const;

  std::string Path, Text; // of the header; empty: there is none yet
  IdsHeader Old;
  std::map<PlaceName, uint64_t> Numbers, First; // First: ids before the edits
  std::vector<PlaceName> ByNumber;
};

} // namespace evenkeel

#endif
