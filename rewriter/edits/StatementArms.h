//===- StatementArms.h - statements and conditionals ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: whether a conditional of the preprocessor is one statement under every
// setting, as loops are that differ by setting and share a directive; and
// whether a directive is somebody's only statement under some setting.
// Not here: arms that are more than a loop, a block or an expression, or that
// have conditionals within.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_STATEMENTARMS_H
#define EVENKEEL_REWRITER_STATEMENTARMS_H

#include "TokenTable.h"
#include <optional>

namespace evenkeel {

/// Whether a statement may begin behind a token of kind \p K.
bool endsStatement(clang::tok::TokenKind K);

/// Whether in another configuration the directive at \p First is somebody's
/// only statement: an `if` before it is there under a condition.
bool mayBeOnlyStatement(const TokenTable &T, size_t First);

/// The tokens that begin the lines of `#if` and `#endif`.
struct StatementArms {
  size_t If, Endif;
};

/// The conditional of which token \p Last ends an arm, where each arm is one
/// statement and one of them is there under every setting.
std::optional<StatementArms> statementArms(const TokenTable &T, size_t Last);

} // namespace evenkeel

#endif
