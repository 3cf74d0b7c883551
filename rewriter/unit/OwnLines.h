//===- OwnLines.h - added text on lines of its own --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: where lines go that follow a token, and how the code around a
// directive is indented. For sources that are kept (kept/README.md): no text
// keeps its line number.
// Not here: what the lines say.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_OWNLINES_H
#define EVENKEEL_REWRITER_OWNLINES_H

#include "unit/Unit.h"

namespace evenkeel {

/// Inserts \p Lines, each with its line end, after the line of token \p Last.
/// If code follows on that line, it moves to a line after \p Lines.
void putLinesAfter(Pending &P, const TokenTable &T, size_t Last, int Rank,
                   const std::string &Lines);

/// Inserts \p Lines before the line of the text at \p Offset, or before that
/// text if code precedes it on its line.
void putLinesBefore(Pending &P, const TokenTable &T, unsigned Offset, int Rank,
                    const std::string &Lines);

/// Makes \p Begin and \p End the first and the last line in the block of tokens
/// \p Open to \p Close; false if that is no block, or an empty one.
bool putInBlock(Pending &P, const TokenTable &T, size_t Open, size_t Close,
                int Rank, const std::string &Begin, const std::string &End);

/// The indentation of the code that the directive at token \p First applies to,
/// or stands in.
std::string indentationAround(const TokenTable &T, size_t First);

/// The name in the next use of \p Macro at or after token \p I, in the same
/// statement; empty: none.
std::string nameIn(const TokenTable &T, size_t I, llvm::StringRef Macro);

} // namespace evenkeel

#endif
