//===- StatementArms.h - statements in conditional branches -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: whether an #if group is one statement in every configuration, such as
// loops that differ by configuration and share a directive; and whether a
// directive is the only statement of an `if` in some configuration.
// Not here: branches that are more than a loop, a block or an expression, or
// that contain conditionals.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_STATEMENTARMS_H
#define EVENKEEL_REWRITER_STATEMENTARMS_H

#include "TokenTable.h"
#include <optional>

namespace evenkeel {

/// Whether a statement may begin after a token of kind \p K.
bool endsStatement(clang::tok::TokenKind K);

/// Whether the directive at token \p First may be the only statement of an `if`
/// before it that exists only under a condition.
bool mayBeOnlyStatement(const TokenTable &T, size_t First);

/// The tokens that begin the lines of `#if` and `#endif`.
struct StatementArms {
  size_t If, Endif;
};

/// The #if group in which token \p Last ends a branch, if each branch is one
/// statement and one of them exists in every configuration.
std::optional<StatementArms> statementArms(const TokenTable &T, size_t Last);

} // namespace evenkeel

#endif
