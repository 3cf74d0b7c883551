//===- FixedObjects.h - objects that no plan moves --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: objects that something else has placed: memory whose tier the program
// chose (hbw_malloc, numa_alloc_onnode, ...), arrays on the stack, small
// blocks, which share pages in the C library unless the plan may give their
// site an arena, and objects without a site in the sources, which a plan cannot
// name.
// Not here: the chosen tier, which no fact tells; the fast one is assumed.
// Where other fixed objects lie under a placement (models/shares/Fixed.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_FIXEDOBJECTS_H
#define EVENKEEL_PROFILES_PREDICT_FIXEDOBJECTS_H

#include "format/Facts.h"
#include "problem/Problem.h"

namespace evenkeel {

/// Marks the fixed objects of \p P by the facts \p F about their sites, and
/// subtracts the bytes of chosen memory from the room in the fast tier.
/// \p Arenas: the small blocks of a site with enough of them are not fixed.
void fixObjects(Problem &P, const Facts &F, bool Arenas);

} // namespace evenkeel

#endif
