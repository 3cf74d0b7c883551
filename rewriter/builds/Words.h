//===- Words.h - words of command lines -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how a word begins and ends.
// Not here: the meaning of words (CompilerWords.h, Launchers.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_BUILDS_WORDS_H
#define EVENKEEL_REWRITER_BUILDS_WORDS_H

#include <string>
#include <string_view>
#include <vector>

namespace evenkeel {

using Words = std::vector<std::string>; // of a command line

inline bool startsWith(std::string_view Text, std::string_view Start) {
  return Text.substr(0, Start.size()) == Start;
}

inline bool endsWith(std::string_view Text, std::string_view End) {
  return Text.size() >= End.size() &&
         Text.substr(Text.size() - End.size()) == End;
}

} // namespace evenkeel

#endif
