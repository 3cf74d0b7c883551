//===- Annotations.h - annotations in the source text -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: `#pragma evenkeel ...` and `[[evenkeel::...]]` in the text of one
// file, their values, and the text that each applies to: the statement,
// declaration or function that it precedes or is in. Compilers drop both
// without a trace, so tokens are read here, not the AST.
// Not here: which sites, regions and sync points are in that text (Unit); the
// user's view of the words (rules/annotations.md).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_ANNOTATIONS_H
#define EVENKEEL_REWRITER_ANNOTATIONS_H

#include "edits/RelaxedSum.h"
#include "edits/TokenTable.h"
#include <cstdint>

namespace evenkeel {

struct Annotation {
  enum class Word { Exclude, Phase, Pin, Relaxed, Size, Task };
  Word What = Word::Exclude;
  std::string Spelled;         // the word, for messages
  unsigned Percent = 0;        // of Pin: percentage in the fast tier
  uint64_t Bytes = 0;          // of Size
  std::string Name;            // of Phase and Task
  RelaxedSum Sum;              // of Relaxed
  unsigned At = 0;             // offset of the annotation
  unsigned Begin = 0, End = 0; // offsets of the text it applies to
  std::string Problem;         // why it has no effect; empty: it is valid
};

/// The annotations of a file, by rising offset.
std::vector<Annotation> findAnnotations(const TokenTable &Tokens);

} // namespace evenkeel

#endif
