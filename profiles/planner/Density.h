//===- Density.h - whole sites by saved latency per byte --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: whole sites in the order of (loads * latency + stores * latency) /
// bytes, those that fit. It is a rival of its own (rivals/Density.cpp), and one
// of the placements that ours starts from.
// Leaves out: tasks, phases, parts of objects.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_DENSITY_H
#define EVENKEEL_PROFILES_PLANNER_DENSITY_H

#include "format/Machine.h"
#include "problem/Placement.h"
#include "problem/Problem.h"

namespace evenkeel {

/// Whole sites in the order of their saved latency per byte, those that fit.
Placement placeByDensity(const Problem &P, const Machine &M);

} // namespace evenkeel

#endif
