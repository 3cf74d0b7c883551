//===- Likeness.h - how alike phases of a kind were so far ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the beginning of a run is taken for the rest of it: a later phase is
// predicted to be as the last one of its kind. How far each phase was from the
// one before shows how far off that may be.
// Makes: the error bounds of what the run itself showed.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_LIKENESS_H
#define EVENKEEL_PROFILES_PREDICT_BASE_LIKENESS_H

#include "format/profile/Profile.h"

namespace evenkeel {
namespace prediction {

/// Bounds of |ln(true / predicted)|, in nine cases of ten.
struct Likeness {
  double Core = 0;  ///< of core times
  double Lines = 0; ///< of lines fetched from memory
};

/// By row of \p Prefix.Tasks. Phases of a kind begin and end at the same sync
/// points, and their tasks execute the same region. 0 where a kind occurred
/// only once.
std::vector<Likeness> likenessOf(const Profile &Prefix);

/// The same for \p Lines of an object in a task that were counted on one line
/// in
/// \p OneIn: how many of them were fetched is nearly Poisson-distributed.
double samplingBound(double Lines, double OneIn);

} // namespace prediction
} // namespace evenkeel

#endif
