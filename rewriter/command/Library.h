//===- Library.h - sources that call a library ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: `--style omp` and `--style memkind` (library/README.md): what they
// take from the plan and the machine, where the generated header is, and what
// is said about the result.
// Not here: the text of edits and of the header (library/, rules/).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_COMMAND_LIBRARY_H
#define EVENKEEL_REWRITER_COMMAND_LIBRARY_H

#include "Output.h"
#include "library/Placement.h"

namespace evenkeel {

class LibrarySources {
public:
  /// An error says why \p Path, a plan for \p Machine (a name, or the path of a
  /// file; empty: as the plan says), gives nothing to write.
  static Expected<LibrarySources>
  read(LibraryCalls Style, const std::string &Path, const std::string &Machine);

  LibraryCalls style() const { return Style; }
  const Placement &placement() const { return Where; }

  /// An error if the project cannot call the library: a file that no rewrite
  /// made has the header's name, or no unit defines main.
  MaybeError check(const Project &P,
                   const std::map<std::string, UnitResult> &Units) const;
  /// An error if an edited file of \p M belongs to a unit of \p WithoutOpenMP,
  /// whose files are in \p FilesOf.
  MaybeError
  checkOpenMP(const Project &P, const Merged &M,
              const std::map<std::string, std::set<std::string>> &FilesOf,
              const std::set<std::string> &WithoutOpenMP) const;
  /// Takes sites that the findings of \p M do not place to ordinary memory.
  void takeBack(const Merged &M);
  /// Adds the header for \p Files to them.
  void addHeader(const Project &P, Merged &M, EditedFiles &Files) const;
  /// Writes the plan with whole objects.
  MaybeError writeWhole(const std::string &Path) const;
  /// What was rewritten and what the calls cannot say.
  std::string summary(const Merged &M) const;

  std::string headerPath(const Project &P) const;

private:
  LibraryCalls Style = LibraryCalls::OpenMP;
  Plan From;
  Spaces On;
  Placement Where;
};

} // namespace evenkeel

#endif
