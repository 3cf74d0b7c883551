//===- StripNotes.h - a program without its build notes ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: evenkeel-cc leaves sections in programs that are never loaded: how
// they were built, what was rewritten, and, with the plugin alone, their units.
// Without them, everything that is loaded keeps its bytes and its place in the
// file. Their names stay, with nothing behind them, as a mark.
// Not here: what the notes say (format/builds/BuildNote.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_STRIPNOTES_H
#define EVENKEEL_UTILS_CLI_STRIPNOTES_H

#include "format/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace evenkeel::cli {

struct StrippedFile {
  std::string Bytes; // of the file
  uint64_t NoteBytes = 0;
};

/// \p Bytes of a program, a library or an object file without its notes.
/// Errors say what the file is, without its name ("has no build notes").
Expected<StrippedFile> withoutNotes(const std::string &Bytes);

/// Whether the notes of the program \p Path were taken out in this way.
bool isStripped(const std::string &Path);

/// Fails if the notes of the file \p Path were taken out.
void refuseStrippedFile(const std::string &Path);

/// Fails if the notes of a program in \p Command were taken out.
void refuseStripped(const std::vector<std::string> &Command);

} // namespace evenkeel::cli

#endif
