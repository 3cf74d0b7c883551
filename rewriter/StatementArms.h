//===- StatementArms.h - one statement in each arm of an #if ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: whether a conditional of the preprocessor is one statement under every
// setting, as loops are that differ by setting and share a directive.
// Leaves out: arms that are more than a loop, a block or an expression, or that
// have conditionals within.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_STATEMENTARMS_H
#define EVENKEEL_REWRITER_STATEMENTARMS_H

#include "TokenTable.h"
#include <optional>

namespace evenkeel {

/// The tokens that begin the lines of `#if` and `#endif`.
struct StatementArms {
  size_t If, Endif;
};

/// The conditional of which token \p Last ends an arm, where each arm is one
/// statement and one of them is there under every setting.
std::optional<StatementArms> statementArms(const TokenTable &T, size_t Last);

} // namespace evenkeel

#endif
