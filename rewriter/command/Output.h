//===- Output.h - diff, mirrored tree, in place -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how edited files reach the user. All texts are complete in memory
// before the first byte is written, and files are replaced by rename, so after
// a failure each file is either old or new.
// Not here: how the edits are made.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_OUTPUT_H
#define EVENKEEL_REWRITER_OUTPUT_H

#include "Project.h"
#include "edits/Edits.h"

namespace evenkeel {

/// Contents before and after, by absolute path.
struct EditedFile {
  std::string Old, New;
};
using EditedFiles = std::map<std::string, EditedFile>;

/// Applies all edits of \p M to the files on disk, in memory.
Expected<EditedFiles> editFiles(const Merged &M);

/// One diff over all files, paths relative to \p Root, sorted.
std::string projectDiff(const Merged &M, const EditedFiles &Files,
                        const std::string &Root);

/// Replaces the sources. Symbolic links to them, modes and owners are kept. A
/// file with several hard links becomes a file of its own, because its other
/// names may be a backup; \p Detached gets the paths of these files.
MaybeError writeInPlace(const EditedFiles &Files,
                        std::vector<std::string> &Detached);

/// Writes to \p Directory every file below the root that the units include,
/// edited or not, and a compile_commands.json for this tree. Returns an error,
/// with nothing written, if \p Directory is the root or contains it, is the
/// folder of the compile database, or contains files that were not written by
/// an earlier call.
MaybeError writeMirror(const Project &P, const Merged &M,
                       const EditedFiles &Files, const std::string &Directory);

} // namespace evenkeel

#endif
