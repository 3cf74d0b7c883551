//===- WholeText.h - text with conditionals that is one whole ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: whether a piece of text that has `#if` within is one expression under
// every setting, so that something may be put around it.
// Not here: what a condition means; nothing is evaluated.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_WHOLETEXT_H
#define EVENKEEL_REWRITER_WHOLETEXT_H

#include "TokenTable.h"

namespace evenkeel {

/// Whether tokens \p First to \p Last have lines of conditionals among them, or
/// other directives.
bool hasDirective(const TokenTable &T, size_t First, size_t Last);

/// Whether both ends of the text are there together, all its directives are
/// those of conditionals that end within it, and each arm closes the brackets
/// that it opens and no others.
bool isWhole(const TokenTable &T, size_t First, size_t Last);

} // namespace evenkeel

#endif
