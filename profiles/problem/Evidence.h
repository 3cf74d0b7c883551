//===- Evidence.h - what predicted times rest on ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the kinds of evidence behind the methods of prediction (Estimate.h),
// and how far off times were that rest on each (errors.def).
// Makes: the error bound of a time by its evidence.
// Not here: which evidence a task's time rests on (predict/Confidence.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PROBLEM_EVIDENCE_H
#define EVENKEEL_PROFILES_PROBLEM_EVIDENCE_H

#include "Estimate.h"

namespace evenkeel {

/// From best to worst.
enum class Evidence : uint8_t {
  Own,    // the target's own, or a fit: it shows its own error
  Known,  // given, or derived from what is given
  Sizes,  // the known size of an object
  Scaled, // a symbol without a value, assumed to grow as others do
  Kept,   // the base value, or a guess
};
constexpr unsigned Evidences = unsigned(Evidence::Kept) + 1;

/// How an object's lines depend on the caches, from most to least certain.
enum class Reach : uint8_t {
  Steady,   // each line is fetched once, or as often as on the base input
  Gathered, // how often depends on the distance between uses
  Changed,  // it fitted in the caches on the base input, or nothing tells
};
constexpr unsigned Reaches = unsigned(Reach::Changed) + 1;

const char *text(Evidence E); ///< "known"
const char *text(Reach R);

Evidence evidenceOf(CountWay W);
Evidence evidenceOf(const Estimate &E);
/// Of a core time; \p Parts: the task's estimates.
Evidence evidenceOf(CoreWay W, const std::vector<Estimate> &Parts);
Reach reachOf(const Estimate &E);

/// The bound of |ln(true / predicted)|, in nine cases of ten, of times that
/// rest on this; without the error that evidence shows itself.
double boundOf(Evidence E, Reach R);

/// Evidence behind a smaller share of a time, together with worse evidence,
/// does not decide its bound.
extern const double TellingShareOfTime;

} // namespace evenkeel

#endif
