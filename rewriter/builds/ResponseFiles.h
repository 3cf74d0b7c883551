//===- ResponseFiles.h - files of words in commands -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: `@FILE` in a compiler's command stands for the words in FILE, and how
// these are quoted. Files may name others.
// Not here: what the words mean.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_RESPONSEFILES_H
#define EVENKEEL_REWRITER_RESPONSEFILES_H

#include <optional>
#include <string>
#include <vector>

namespace evenkeel {

/// The words of the response file that \p Word names, if it names one that can
/// be read. A relative name starts in \p Directory.
std::optional<std::vector<std::string>>
readResponse(const std::string &Word, const std::string &Directory);

/// \p Command, run in \p Directory, with the words of its response files in
/// their place. A file inside itself stays as it is: compilers refuse it.
std::vector<std::string>
withResponseFiles(const std::vector<std::string> &Command,
                  const std::string &Directory);

} // namespace evenkeel

#endif
