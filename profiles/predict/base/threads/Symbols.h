//===- Symbols.h - the values of another number of threads ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the total of a loop is shared like the work, or each thread executes
// all of it. Bounds of shares that differ from thread to thread are
// interpolated.
// Makes: the values of symbols in the new tasks.
// Not here: values that neither rise from thread to thread nor are equal in all
// of them; the new tasks have none.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_THREADS_SYMBOLS_H
#define EVENKEEL_PROFILES_PREDICT_BASE_THREADS_SYMBOLS_H

#include "Formulas.h"

namespace evenkeel {
namespace threads {

/// Adds the values to \p Out, which has the new tasks already.
void shareSymbols(const Profile &B, const Facts &F, const Shares &By,
                  const Formulas &Of, Profile &Out);

} // namespace threads
} // namespace evenkeel

#endif
