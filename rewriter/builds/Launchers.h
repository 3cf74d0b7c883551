//===- Launchers.h - programs in front of compilers -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: where the compiler stands in a command that another program starts
// (ccache, env A=1, cmake -E env, libtool --mode=compile), and which names
// compilers have.
// Not here: what compilers are told.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_LAUNCHERS_H
#define EVENKEEL_REWRITER_LAUNCHERS_H

#include <string>
#include <vector>

namespace evenkeel {

/// Compilers that add nothing which clang would not find by itself. Their names
/// come with targets in front and versions behind.
bool isPlainCompiler(const std::string &Program);

/// \p Command from the compiler on; as it is where no compiler is found. What
/// libtool's compile mode alone understands is left out or unwrapped.
std::vector<std::string> withoutLaunchers(std::vector<std::string> Command);

} // namespace evenkeel

#endif
