//===- Density.h - whole sites by saved latency per byte --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: whole sites that fit, in the order of (loads * latency + stores *
// latency) / bytes. It is a rival (rivals/Density.cpp), and one of the starting
// points of our planner.
// Not here: tasks, phases, parts of objects.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_DENSITY_H
#define EVENKEEL_PROFILES_PLANNER_DENSITY_H

#include "format/Machine.h"
#include "problem/Placement.h"
#include "problem/Problem.h"

namespace evenkeel {

/// Places whole sites that fit, in the order of their saved latency per byte.
Placement placeByDensity(const Problem &P, const Machine &M);

} // namespace evenkeel

#endif
