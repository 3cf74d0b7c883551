//===- Span.h - a stretch of a phase in which traffic is even ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a span's values for each task: seconds without memory, seconds per
// latency, lines by tier and direction.
// Not here: where spans begin and end (Spans.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_MODELS_SPAN_H
#define EVENKEEL_PROFILES_MODELS_SPAN_H

#include <array>
#include <cstddef>
#include <vector>

namespace evenkeel {

/// Lines that a task moves, by tier (0: fast) and direction.
enum Way { ReadFast, WriteFast, ReadSlow, WriteSlow, Ways };

/// One task in a span.
struct SpanTask {
  /// Seconds without memory, and per ns of a tier's latency.
  double Base = 0, PerFast = 0, PerSlow = 0;
  std::array<double, Ways> Lines = {};
};

struct Span {
  std::vector<SpanTask> Tasks; // as in the phase

  explicit Span(size_t N) : Tasks(N) {}
  /// The span's share of all reads in the phase.
  double Share = 0;
};

} // namespace evenkeel

#endif
