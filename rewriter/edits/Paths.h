//===- Paths.h - canonical and relative paths -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: canonical names of files, so that two spellings of one file compare
// equal.
// Not here: Clang.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_PATHS_H
#define EVENKEEL_REWRITER_PATHS_H

#include <string>

namespace evenkeel {

/// \p Path made absolute from \p Directory, without links, "." and "..".
std::string canonicalPath(const std::string &Path,
                          const std::string &Directory);
/// \p Absolute relative to \p Root; empty if it is not below \p Root.
std::string relativeTo(const std::string &Absolute, const std::string &Root);

} // namespace evenkeel

#endif
