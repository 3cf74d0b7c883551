//===- Recency.h - memory by the time since its last touch ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: for each age, how many bytes were touched at most that long ago, on
// average over the passes in the second half of the watched time. Each of them
// has a past as long as the largest age; earlier ones could not tell.
// A row tells how many pages of a chunk were touched, not which. They are taken
// to be those that were touched last before: a chunk's bytes within an age are
// then the most that any window within it saw, which is never too many.
// Not here: how it is shown (CurvePictures.h, TouchText.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_TOUCHES_CURVES_RECENCY_H
#define EVENKEEL_UTILS_CLI_TOUCHES_CURVES_RECENCY_H

#include "Groups.h"

namespace evenkeel::cli {

struct RecencyRow {
  TouchGroup Its;
  double Resident = 0;        // bytes, on average
  std::vector<double> Within; // bytes, by age; never falls
};

struct Recency {
  std::vector<double> Ages;     // s; the first is 0: the pass's own window
  RecencyRow All;               // its group is empty
  std::vector<RecencyRow> Rows; // by rank; none untouched for too long
  size_t Passes = 0;            // that were averaged
};

/// Of the passes of \p Process; rows as groupsOf makes them.
Recency recencyOf(const TouchRecord &R, uint32_t Process, bool Single);

/// The bytes of \p Row at most \p Age old: those of the largest age that is not
/// longer.
double bytesWithin(const Recency &R, const RecencyRow &Row, double Age);

/// At most \p Most round ages that \p R can tell, from the time between two
/// passes to the longest.
std::vector<double> roundAges(const Recency &R, size_t Most);

} // namespace evenkeel::cli

#endif
