//===- AlikeEntries.h - one entry of a plan for many objects ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a site that makes very many objects makes most of them alike, and then
// a plan says the same of one ordinal after the other. Such entries are one in
// the file (PlanObject::Alike), so that plans and what reads them grow with
// what is said, not with the number of objects.
// Not here: who needs which form (PlanFile.cpp,
// runtime/placement/flatten.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PLAN_ALIKEENTRIES_H
#define EVENKEEL_PROFILES_FORMAT_PLAN_ALIKEENTRIES_H

#include "Plan.h"

namespace evenkeel {

/// Whether there are as many ordinals from the entry's on as it speaks of.
bool hasItsOrdinals(const PlanObject &O);

/// How many of \p Sorted, entries for one object each in the order of names,
/// from \p First on are one entry of the file: 1 at least.
uint32_t alikeFrom(const std::vector<const PlanObject *> &Sorted, size_t First);

/// More objects than any plan speaks of one by one.
constexpr size_t MostPlanned = size_t(1) << 24;
/// Gives each object its own entry. False: they would be more than MostPlanned,
/// and nothing is changed.
bool expandAlike(std::vector<PlanObject> &Objects);

/// Whether nothing but one of the entries for several objects speaks of any of
/// theirs by its ordinal, so that a search by name need not look at others.
bool areApart(const std::vector<PlanObject> &Objects);

} // namespace evenkeel

#endif
