//===- EditedUnit.h - the edited files of one unit --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to turn the findings of one unit into the texts that its compiler
// reads in place of the files, and into its note.
// Not here: parsing the unit (NestedParse, ReadAhead) and compiling it
// (Plugin).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_PLUGIN_EDITEDUNIT_H
#define EVENKEEL_REWRITER_PLUGIN_EDITEDUNIT_H

#include "edits/Findings.h"
#include "clang/Basic/FileEntry.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace clang {
class SourceManager;
}

namespace evenkeel {

struct EditedBuffer {
  clang::FileEntryRef File;
  std::unique_ptr<llvm::MemoryBuffer> Text;
};

/// Why a unit cannot be compiled from edited texts.
enum class Refusal {
  None,
  Errors, ///< the user's own, which the compiler prints
  CopyFailed,
  Conflict,
  Unreadable,
  Target,
  PrecompiledHeader,
  NoHeader,
  WouldNotCompile,
  InternalError
};

/// The row of Reasons.def for \p R; "" for None.
const char *refusalName(Refusal R);

struct EditedUnit {
  bool Anything = false; // there are findings; otherwise, the unit has no note
  std::string Note;      // as source text; not if Refused
  std::vector<EditedBuffer> Files; // by absolute path
  /// The include line would have to go before text that the compiler has read.
  bool NeedsHeader = false;
  Refusal Refused = Refusal::None;
  std::string Detail; // explains Refused to the user
  double CpuSeconds = 0;
  /// Columns refer to the edited texts.
  LinkedWrappers Linked;
  std::vector<CountedLoop> Loops; // the same
};

/// A file that the compiler has begun to read, in a larger buffer.
struct BegunFile {
  char *Text = nullptr;
  size_t Size = 0; // of the file's text
  size_t Room = 0; // of the buffer
  size_t Read = 0; // the compiler has read up to here
  bool Open = false;
};
using BegunFiles = std::map<const clang::FileEntry *, BegunFile>;

EditedUnit refuse(Refusal Reason, std::string Detail = "");

/// The edited texts of \p Unit, which is called \p Name in its note.
EditedUnit editsOf(clang::SourceManager &SM, UnitResult Unit,
                   const std::string &Name, const BegunFiles &Begun = {});

/// The working directory of the compilation.
std::string workingDirectory(clang::SourceManager &SM);

} // namespace evenkeel

#endif
