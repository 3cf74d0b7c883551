//===- Spans.h - a phase's traffic over time --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: tasks of a phase run side by side, and tasks that walk through data
// from end to end reach the parts in slow memory at about the same time. In
// their openings, the tasks of a team write back other lines than later, or
// none.
// Makes: spans of a phase with even traffic, each with its own load of the
// tiers.
// Not here: the length of spans (Phase.cpp); threads that drift apart.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_MODELS_SPANS_H
#define EVENKEEL_PROFILES_MODELS_SPANS_H

#include "Model.h"
#include "Span.h"
#include "Traffic.h"
#include "problem/Problem.h"

namespace evenkeel {

/// The whole phase as one span.
Span wholeSpan(const PredictedPhase &P, const std::vector<double> &Fast,
               const Machine &M, const Model &Mod);

/// The spans in order; a single one if traffic is even.
std::vector<Span> spansOf(const PredictedPhase &P,
                          const std::vector<double> &Fast, const Machine &M,
                          const Model &Mod);

/// A phase cut into spans.
struct CutPhase {
  std::vector<Span> Spans;
  std::vector<Traffic> Slices; ///< by task; empty if it isn't cut into slices
};

/// The same as spansOf for a \p Whole phase (wholeSpan), and the traffic of
/// tasks that it is made from.
CutPhase cutPhase(const PredictedPhase &P, Span Whole,
                  const std::vector<double> &Fast, const Machine &M);

} // namespace evenkeel

#endif
