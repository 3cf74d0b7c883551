//===- LibraryReport.h - what calls of a library say ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the summary for sources that call a library: which sites allocate
// where, which planned sites stay and why, and what of the plan calls cannot
// say.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_REPORT_LIBRARYREPORT_H
#define EVENKEEL_REWRITER_REPORT_LIBRARYREPORT_H

#include "edits/Edits.h"

namespace evenkeel {

/// What of a plan is lost.
struct LibraryLoss {
  unsigned Divided = 0; // sites with a part of their bytes in fast memory
  unsigned Moves = 0;   // between phases
  uint64_t PlanBytes = 0, WholeBytes = 0; // in fast memory
  uint64_t FastBytes = 0;                 // that the plan is for
  std::string Machine;
};

std::string librarySummaryText(const Merged &M, const LibraryLoss &Lost);

} // namespace evenkeel

#endif
