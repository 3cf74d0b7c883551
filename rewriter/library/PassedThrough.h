//===- PassedThrough.h - functions that return their argument ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a function that checks a pointer and returns it (`need(malloc(n))`)
// joins no blocks of different calls.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_LIBRARY_PASSEDTHROUGH_H
#define EVENKEEL_REWRITER_LIBRARY_PASSEDTHROUGH_H

#include "clang/AST/Decl.h"
#include <optional>

namespace evenkeel {

/// The index of the parameter that every return of \p FD returns, if the body
/// does nothing else with it than compare it; nullopt: there is none, or no
/// body.
std::optional<unsigned> passedThrough(const clang::FunctionDecl *FD);

} // namespace evenkeel

#endif
