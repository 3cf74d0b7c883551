//===- RelaxedCall.h - calls of MPI_Allreduce that may be relaxed -*- C++ -*-=//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which calls of MPI_Allreduce can become ek_relaxed
// (rules/wait-call.md), and the text that replaces the function's name there.
// Not here: whether an annotation asks for it (Annotations).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_RELAXEDCALL_H
#define EVENKEEL_REWRITER_RELAXEDCALL_H

#include "unit/Unit.h"

namespace evenkeel {

/// Why \p CE, a call of \p FD in context \p Inside, cannot be relaxed: words
/// for a warning; "" if it can, or if \p FD is not MPI_Allreduce.
std::string whyNotRelaxed(const Unit &U, const clang::CallExpr *CE,
                          const clang::FunctionDecl *FD, Reach Inside);

/// The same for a call that no condition says to be the last one.
std::string whyNotWithoutLast(const Unit &U, const clang::CallExpr *CE,
                              const clang::FunctionDecl *FD);

/// Replaces the function's name and the parenthesis behind it in the call of
/// tokens [\p First, \p Last]. Returns false, without an edit, if the text is
/// not a plain call with six arguments.
bool relaxCall(Pending &P, const TokenTable &T, size_t First, size_t Last,
               const std::string &Id);

} // namespace evenkeel

#endif
