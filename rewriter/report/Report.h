//===- Report.h - inventory and summary -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the text and JSON of the inventory (in the same form as the pass's
// print<ek-inventory>) and of the summary.
// Not here: where they are printed.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_REPORT_H
#define EVENKEEL_REWRITER_REPORT_H

#include "edits/Edits.h"

namespace evenkeel {

/// A unit that was not rewritten, with its first error.
struct RefusedUnit {
  std::string Path; // relative
  std::string Error;
};

/// `<kind> <path>:<line>:<col> <function> <id> [what] [# reason]`, sorted.
std::string inventoryText(const Merged &M);
std::string inventoryJson(const Merged &M);

/// `N sites: ...`, `M sync points: ...` and so on, each followed by the skipped
/// places, by reason.
std::string summaryText(const Merged &M);
/// The summary, all findings, refused units, and the diff if \p Diff is set.
std::string summaryJson(const Merged &M,
                        const std::vector<RefusedUnit> &Refused,
                        const std::string *Diff);

} // namespace evenkeel

#endif
