//===- PlannedObjects.h - the objects that tables of a plan show -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what a site makes is one object to people, unless several calls of a
// wrapper make it: then those of each chain of calls (context) are one.
// Makes: which object an instance belongs to, and what people call it.
// Not here: figures.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_PLANNEDOBJECTS_H
#define EVENKEEL_UTILS_CLI_PLANNEDOBJECTS_H

#include "planner/Explain.h"
#include <set>

namespace evenkeel::cli {

class PlannedObjects {
  std::set<uint64_t> Divided; // sites
public:
  explicit PlannedObjects(const Problem &P);
  ObjectName of(const PredictedInstance &I) const {
    return {I.Site, Divided.count(I.Site) ? I.Context : 0};
  }
};

/// "shift.c:3:49", or "shift.c:3:49 from shift.c:8:18", innermost call first.
std::string placeOf(const Facts &F, const ObjectName &O);
/// The id to ask --explain for.
std::string idOf(const ObjectName &O);

/// What --explain asks for: the id of a site or context, or a place as tables
/// show it (a call's: all that is made through it), with or without the column.
/// Ends the program when the facts have no such object.
std::vector<ObjectName> objectsNamed(const Facts &F,
                                     const std::string &IdOrPlace);

} // namespace evenkeel::cli

#endif
