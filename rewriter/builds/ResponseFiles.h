//===- ResponseFiles.h - response files in commands -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: `@FILE` in a compile command stands for the words in FILE, which may
// name further response files; and how these words are quoted.
// Not here: the meaning of the words.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_RESPONSEFILES_H
#define EVENKEEL_REWRITER_RESPONSEFILES_H

#include <optional>
#include <string>
#include <vector>

namespace evenkeel {

/// The words of the response file that \p Word names; nullopt if it names none
/// that can be read. Relative names start in \p Directory.
std::optional<std::vector<std::string>>
readResponse(const std::string &Word, const std::string &Directory);

/// \p Command, run in \p Directory, with response files replaced by their
/// words. A file that includes itself is kept as a word: compilers reject it.
std::vector<std::string>
withResponseFiles(const std::vector<std::string> &Command,
                  const std::string &Directory);

} // namespace evenkeel

#endif
