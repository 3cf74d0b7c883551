//===- Course.h - when a task fetches its lines -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a task's core time divided into sixteenths, with the number of lines
// fetched in each, relative to the sixteenth with the most: 4 bits each, the
// first sixteenth lowest. The error is below a thirtieth of the maximum, and a
// row needs only eight bytes. 0: not known.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_COURSE_H
#define EVENKEEL_PROFILES_FORMAT_COURSE_H

#include <algorithm>
#include <cstdint>

namespace evenkeel {

/// The number of lines fetched in each sixteenth of a task.
struct Course {
  static constexpr unsigned Parts = 16, Bits = 4, Most = (1u << Bits) - 1;
  double Lines[Parts] = {};

  /// Adds \p N lines, evenly from \p From to \p To (0 .. 1).
  void add(double N, double From, double To) {
    for (unsigned K = std::min(Parts - 1, unsigned(From * Parts));
         K < Parts && K < To * Parts; ++K)
      Lines[K] += N *
                  std::max(0.0, std::min(To, double(K + 1) / Parts) -
                                    std::max(From, double(K) / Parts)) /
                  (To - From);
  }

  /// Adds \p N lines, distributed as in the packed \p Of, unless it is 0.
  void add(double N, uint64_t Of) {
    const unsigned All = sum(Of);
    const double Each = All ? N / All : 0;
    for (unsigned K = 0; Of; ++K, Of >>= Bits)
      Lines[K] += Each * (unsigned(Of) & Most);
  }

  /// The lines from \p From to \p To (0 .. 1) in the order in which they are
  /// fetched.
  Course between(double From, double To) const {
    Course Out;
    double All = 0, Before = 0;
    for (double X : Lines)
      All += X;
    for (unsigned K = 0; K < Parts; ++K) {
      Out.Lines[K] = std::max(0.0, std::min(Before + Lines[K], To * All) -
                                       std::max(Before, From * All));
      Before += Lines[K];
    }
    return Out;
  }

  uint64_t packed() const {
    const double Peak = *std::max_element(Lines, Lines + Parts);
    uint64_t Out = 0;
    for (unsigned K = 0; K < Parts && Peak > 0; ++K)
      Out |= uint64_t(Most * Lines[K] / Peak + 0.5) << (Bits * K);
    return Out;
  }

  static unsigned part(uint64_t Of, unsigned K) {
    return unsigned(Of >> (Bits * K)) & Most;
  }
  static unsigned sum(uint64_t Of) {
    unsigned All = 0;
    for (; Of; Of >>= Bits)
      All += unsigned(Of) & Most;
    return All;
  }
};

} // namespace evenkeel

#endif
