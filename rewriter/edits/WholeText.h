//===- WholeText.h - expressions with conditionals inside -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: whether text with an `#if` inside is one expression in every
// configuration, so that an edit can enclose it.
// Not here: the meaning of a condition; nothing is evaluated.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_WHOLETEXT_H
#define EVENKEEL_REWRITER_WHOLETEXT_H

#include "TokenTable.h"

namespace evenkeel {

/// Whether there is a directive between tokens \p First and \p Last.
bool hasDirective(const TokenTable &T, size_t First, size_t Last);

/// Whether both ends of the text exist in the same configurations, every
/// directive belongs to an #if group that ends within the text, and each branch
/// closes exactly the brackets that it opens.
bool isWhole(const TokenTable &T, size_t First, size_t Last);

} // namespace evenkeel

#endif
