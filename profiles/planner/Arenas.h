//===- Arenas.h - shares of small blocks' arenas ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the small blocks that a creator makes at a site share an arena (if
// they are not fixed), in which blocks lie in an order that no plan knows. So
// all pages of an arena have one share, and stay where they are.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_ARENAS_H
#define EVENKEEL_PROFILES_PLANNER_ARENAS_H

#include "problem/Placement.h"
#include "problem/Problem.h"

namespace evenkeel {

/// Whether \p I is a part of an arena.
inline bool isInArena(const PredictedInstance &I) {
  return EK_RAW_IS_SMALL(I.Ordinal) && !isFixed(I);
}

/// Gives all units of an arena their mean share. Changes of the placement are
/// dropped if one of them would move an arena. Returns whether there is any.
bool levelArenas(const Problem &P, Placement &Place);

/// The share of the lines that tasks fetch that are in small blocks which could
/// have an arena, and have none. Only sites count: what was seen without its
/// site can have none.
double fetchedWithoutArena(const Problem &P);

} // namespace evenkeel

#endif
