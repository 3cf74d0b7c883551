//===- AlikeEntries.h - one plan entry for many objects ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a site with very many objects usually has the same placement for one
// ordinal after the other. Such entries are one in the file
// (PlanObject::Alike), so the size of a plan grows with the number of different
// placements, not with the number of objects.
// Not here: who needs which form (PlanFile.cpp, runtime/placement/flatten.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PLAN_ALIKEENTRIES_H
#define EVENKEEL_PROFILES_FORMAT_PLAN_ALIKEENTRIES_H

#include "Plan.h"

namespace evenkeel {

/// Whether the ordinals of all objects of the entry fit their type.
bool hasItsOrdinals(const PlanObject &O);

/// The number of entries in \p Sorted (one object each, in the order of names),
/// from \p First on, that become one entry of the file; at least 1.
uint32_t alikeFrom(const std::vector<const PlanObject *> &Sorted, size_t First);

/// More objects than a plan ever lists one by one.
constexpr size_t MostPlanned = size_t(1) << 24;
/// Gives each object its own entry. False, with nothing changed, if there would
/// be more than MostPlanned.
bool expandAlike(std::vector<PlanObject> &Objects);

/// Whether no other entry names an object of an entry for several objects by
/// its ordinal. Then a search by name can stop there.
bool areApart(const std::vector<PlanObject> &Objects);

} // namespace evenkeel

#endif
