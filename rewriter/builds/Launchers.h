//===- Launchers.h - programs in front of compilers -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: where the compiler is in a command that another program starts
// (ccache, env A=1, cmake -E env, libtool --mode=compile), and the names of
// compilers.
// Not here: the compiler's options.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_LAUNCHERS_H
#define EVENKEEL_REWRITER_LAUNCHERS_H

#include <string>
#include <vector>

namespace evenkeel {

/// Whether \p Program is a compiler that adds no flags or paths that clang
/// would not find by itself. Its name may have a target prefix and a version
/// suffix.
bool isPlainCompiler(const std::string &Program);

/// \p Command without the words before the compiler; unchanged if no compiler
/// is found. Options of libtool's compile mode are removed or unwrapped.
std::vector<std::string> withoutLaunchers(std::vector<std::string> Command);

} // namespace evenkeel

#endif
