//===- CountingCode.h - code that counts iterations of loops ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the loops whose iterations are counted (rules/LoopTotals.h), found in
// the code by their places before it is optimised.
// Makes: a counter per loop in the function of the region's threads, and calls
// that hand the count over (ek_total) before each barrier and at the end.
// Not here: what the counters cost in optimised code (CheapCounts.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_PLUGIN_COUNTINGCODE_H
#define EVENKEEL_REWRITER_PLUGIN_COUNTINGCODE_H

#include "edits/CountedLoops.h"
#include <memory>
#include <vector>

namespace clang {
class CompilerInstance;
}

namespace evenkeel {

/// Applies to the code that \p CI makes, which must not have begun. The caller
/// fills the returned value before the parse ends. To be called before
/// linkWrappers, which provides the places and removes them again.
std::shared_ptr<std::vector<CountedLoop>>
countLoops(clang::CompilerInstance &CI);

} // namespace evenkeel

#endif
