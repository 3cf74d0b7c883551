//===- Annotations.h - what people wrote for Evenkeel -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: `#pragma evenkeel ...` and `[[evenkeel::...]]` in one file's text,
// what they say, and which text each speaks of: the statement, declaration or
// function that it stands before or in. Compilers drop both without a trace, so
// the tokens are read, not the AST.
// Not here: which sites, regions and sync points lie in that text, see Unit;
// the words themselves are explained in rules/annotations.md.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_ANNOTATIONS_H
#define EVENKEEL_REWRITER_ANNOTATIONS_H

#include "edits/TokenTable.h"
#include <cstdint>

namespace evenkeel {

struct Annotation {
  enum class Word { Exclude, Phase, Pin, Size, Task };
  Word What = Word::Exclude;
  std::string Spelled;         // the word, for messages
  unsigned Percent = 0;        // of Pin: in the fast tier
  uint64_t Bytes = 0;          // of Size
  std::string Name;            // of Phase and Task
  unsigned At = 0;             // offset of the annotation
  unsigned Begin = 0, End = 0; // offsets of the text that it speaks of
  std::string Problem;         // not empty: it says nothing, and why
};

/// The annotations of a file, by rising offset.
std::vector<Annotation> findAnnotations(const TokenTable &Tokens);

} // namespace evenkeel

#endif
