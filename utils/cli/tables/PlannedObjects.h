//===- PlannedObjects.h - the objects in a plan's tables --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: all instances of a site are shown as one object, unless several calls
// of a wrapper allocate them: then the instances of each chain of calls
// (context) are one.
// Makes: the object of an instance, and its displayed name.
// Not here: figures.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_PLANNEDOBJECTS_H
#define EVENKEEL_UTILS_CLI_PLANNEDOBJECTS_H

#include "planner/Explain.h"
#include <set>

namespace evenkeel::cli {

class SourceNames;

class PlannedObjects {
  std::set<uint64_t> Divided; // sites with several contexts
public:
  explicit PlannedObjects(const Problem &P);
  ObjectName of(const PredictedInstance &I) const {
    return {I.Site, Divided.count(I.Site) ? I.Context : 0};
  }
};

/// "shift.c:3:49", or "shift.c:3:49 from shift.c:8:18", innermost call first.
std::string placeOf(const Facts &F, const ObjectName &O);
/// The same with the innermost and the outermost call only.
std::string shortPlaceOf(const Facts &F, const ObjectName &O);
/// The id for --explain.
std::string idOf(const ObjectName &O);

/// The objects for an argument of --explain: the id of a site or context, a
/// place as in tables, with or without the column (for a wrapper call:
/// everything allocated through it), or a variable that gets an allocation, by
/// \p Names (or "row" for m->row[i]). Fails if the facts have no such object.
std::vector<ObjectName> objectsNamed(const Facts &F, const std::string &Text,
                                     SourceNames &Names);

} // namespace evenkeel::cli

#endif
