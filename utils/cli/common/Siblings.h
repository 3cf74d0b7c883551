//===- Siblings.h - locations of Evenkeel's other parts ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to find plugin, rewriter, libraries and headers relative to the
// running executable, in a build tree, an installed tree, or a moved one.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_SIBLINGS_H
#define EVENKEEL_UTILS_CLI_SIBLINGS_H

#include <string>

namespace evenkeel::cli {

/// The directory that contains bin/, lib/, include/, share/.
std::string prefix();
/// A file in the library directory; fails if it does not exist.
std::string libraryFile(const std::string &Name);
/// A program beside this one; fails if it does not exist.
std::string siblingProgram(const std::string &Name);
/// The folder with evenkeel/ek.h.
std::string includeDir();
/// clang, opt, ... of LLVM 19: in EVENKEEL_LLVM_BIN, then NAME-19 on PATH, then
/// in Debian's directory. The error names the package to install.
std::string llvmTool(const std::string &Name);
/// First match on PATH (or the name itself if it contains a slash); "" if none.
std::string findProgram(const std::string &Name);

} // namespace evenkeel::cli

#endif
