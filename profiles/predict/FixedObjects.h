//===- FixedObjects.h - objects that no plan moves --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which objects lie where something else has put them: memory whose tier
// the program chose (hbw_malloc, numa_alloc_onnode, ...), arrays on the stack,
// small blocks, which the C library mixes on its pages, and what no site of the
// sources made, which a plan cannot name.
// Leaves out: which tier was chosen, as no fact tells: the fast one; where the
// others lie under a placement (models/shares/Fixed.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_FIXEDOBJECTS_H
#define EVENKEEL_PROFILES_PREDICT_FIXEDOBJECTS_H

#include "format/Facts.h"
#include "problem/Problem.h"

namespace evenkeel {

/// Finds those of \p P by what \p F says of their sites, and takes the bytes of
/// chosen memory from the room in the fast tier.
void fixObjects(Problem &P, const Facts &F);

} // namespace evenkeel

#endif
