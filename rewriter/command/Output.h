//===- Output.h - diff, mirrored tree, in place -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how edited files reach the user. All texts exist in memory before the
// first byte is written; files appear by rename, so a failure leaves each file
// either old or new.
// Not here: how the edits came about.
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

/// Replaces the sources themselves. Symbolic links to them, their modes and
/// owners stay. Files with several hard links become files of their own, for
/// the other names may be somebody's backup: \p Detached gets their paths.
MaybeError writeInPlace(const EditedFiles &Files,
                        std::vector<std::string> &Detached);

/// Writes to \p Directory every file below the root that the units include,
/// edited or as it is, and a compile_commands.json for that tree. Refuses, with
/// nothing written, the root, what holds it, the folder of the compile database
/// and any folder with files in it that no earlier call marked as its own.
MaybeError writeMirror(const Project &P, const Merged &M,
                       const EditedFiles &Files, const std::string &Directory);

} // namespace evenkeel

#endif
