//===- CompilerWords.h - commands of builds, to be replayed -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what of a build's compile command means something to that build's own
// compiler alone, and says it in words that clang takes: launchers in front of
// the compiler go, response files become their words, precompiled headers
// become the headers that they were made of, and the flags that a wrapper
// (mpicc) adds are asked of it.
// Not here: Clang; which options only gcc has; running what is replayed.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_COMPILERWORDS_H
#define EVENKEEL_REWRITER_COMPILERWORDS_H

#include <string>
#include <vector>

namespace evenkeel {

using Words = std::vector<std::string>; // of a command line

/// The compiler and its words in \p Entry, a command of a compile database that
/// is run in \p Directory.
Words compilerCommand(const Words &Entry, const std::string &Directory);

/// Whether \p Command makes a precompiled header, not an object.
bool makesHeader(const Words &Command);

/// Whether \p Command is clang's call of itself, which makers of databases that
/// watch processes write beside the command that people gave.
bool isFrontEnd(const Words &Command);

/// \p Command, run in \p Directory, with the text of precompiled headers in
/// their place: code in them is the project's, and another compiler, or the
/// same one with other options, refuses the compiled form.
Words withHeaderText(Words Command, const std::string &Directory);

/// Flags that the compiler \p Program adds by itself, if it is a wrapper: what
/// it says when it is asked for its commands. Asked once for each program.
Words flagsOfWrapper(const std::string &Program, const std::string &Directory);

} // namespace evenkeel

#endif
