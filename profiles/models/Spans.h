//===- Spans.h - how a phase's traffic changes in its course ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: tasks of a phase run side by side, and those that walk through data
// from end to end reach what lies in the slow tier at about the same time. What
// is written back in the openings of a team's tasks are other lines than later,
// or none.
// Makes: spans of a phase in which traffic is even: each loads the tiers by
// itself.
// Not here: how long they take (Phase.cpp); threads that drift apart.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_MODELS_SPANS_H
#define EVENKEEL_PROFILES_MODELS_SPANS_H

#include "Model.h"
#include "Span.h"
#include "problem/Problem.h"

namespace evenkeel {

/// The whole phase as one span.
Span wholeSpan(const PredictedPhase &P, const std::vector<double> &Fast,
               const Machine &M, const Model &Mod);

/// In their order; one where traffic is the same all along.
std::vector<Span> spansOf(const PredictedPhase &P,
                          const std::vector<double> &Fast, const Machine &M,
                          const Model &Mod);

} // namespace evenkeel

#endif
