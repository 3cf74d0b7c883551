//===- EditedUnit.h - what becomes of a unit's files ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: from what the engine found in one unit to the texts that its compiler
// gets instead of the files', and to the note about it.
// Not here: who parsed the unit (NestedParse, ReadAhead) and who compiles it
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

struct EditedUnit {
  bool Anything = false;           // found; without it, the unit has no note
  std::string Note;                // as source, unless Refused
  std::vector<EditedBuffer> Files; // in the order of their absolute paths
  /// The header's line would go where the compiler has been already.
  bool NeedsHeader = false;
  /// Named; empty when the unit can be compiled from the edited texts.
  std::string Refused;
  std::string Detail; // of Refused, for people
  double CpuSeconds = 0;
  /// Columns are those of the edited texts.
  LinkedWrappers Linked;
};

/// A file that the compiler has begun to read, in a buffer that is larger.
struct BegunFile {
  char *Text = nullptr;
  size_t Size = 0; // of the file
  size_t Room = 0; // of the buffer
  size_t Read = 0; // to here
  bool Open = false;
};
using BegunFiles = std::map<const clang::FileEntry *, BegunFile>;

EditedUnit refuse(const char *Reason, std::string Detail = "");

/// The edited texts of \p Unit, which the note calls \p Name.
EditedUnit editsOf(clang::SourceManager &SM, UnitResult Unit,
                   const std::string &Name, const BegunFiles &Begun = {});

/// Where the compilation of \p SM runs.
std::string workingDirectory(clang::SourceManager &SM);

} // namespace evenkeel

#endif
