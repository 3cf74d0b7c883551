//===- CompilerWords.h - compile commands for clang -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to translate a build's compile command into one that clang
// accepts: launchers before the compiler are removed, response files are
// replaced by their words and precompiled headers by their source headers, and
// a wrapper (mpicc) is asked for the flags that it adds.
// Not here: Clang; gcc's own options; running the commands.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_COMPILERWORDS_H
#define EVENKEEL_REWRITER_COMPILERWORDS_H

#include "Words.h"

namespace evenkeel {

/// The compiler and its arguments in \p Entry, a command from a compile
/// database that runs in \p Directory.
Words compilerCommand(const Words &Entry, const std::string &Directory);

/// Whether \p Command makes a precompiled header, rather than an object.
bool makesHeader(const Words &Command);

/// Whether \p Command is the front-end command that clang starts itself. Tools
/// that build databases by watching processes list it beside the user's
/// command.
bool isFrontEnd(const Words &Command);

/// \p Command, run in \p Directory, with precompiled headers replaced by their
/// text: their code belongs to the project, and other compilers or options
/// reject the compiled form.
Words withHeaderText(Words Command, const std::string &Directory);

/// The flags that the compiler wrapper \p Program adds; empty for other
/// compilers. Runs the program with -### once and remembers the answer.
Words flagsOfWrapper(const std::string &Program, const std::string &Directory);

} // namespace evenkeel

#endif
