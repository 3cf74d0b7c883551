//===- PlanDemands.h - what tasks fetch of each object ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: predicted main-memory accesses by object and phase, and how the code
// of a region walks an object. Each is collected in one pass over the
// prediction or the facts.
// Not here: how they are shown (PlanTables.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_PLANDEMANDS_H
#define EVENKEEL_UTILS_CLI_PLANDEMANDS_H

#include "PlannedObjects.h"
#include "SymbolNames.h"

namespace evenkeel::cli {

/// Main-memory accesses (lines) of one object per task of one phase.
struct SiteDemand {
  size_t Phase = 0; // index in the problem
  std::vector<double> Lines;
  double Bound = 0; // relative error, of the task that is least known

  double sum() const;
};

/// Of each object the phases that access it, in order.
std::map<ObjectName, std::vector<SiteDemand>>
demandsOf(const Problem &P, const PlannedObjects &Objects);

std::map<ObjectName, double> bytesOf(const Problem &P,
                                     const PlannedObjects &Objects);

/// Bytes-weighted share of an object's instances that \p X puts in tier 0.
std::map<ObjectName, double> fastShares(const Plan &X, const Problem &P,
                                        const PlannedObjects &Objects);

/// How the accesses of one region to one object read.
struct SiteShape {
  std::string Classes, Formula; // both may be empty
};

/// Refers to the facts.
class SiteShapes {
  using Names = std::function<std::string(uint64_t)>;
  Names Name;
  std::map<std::pair<uint64_t, uint64_t>, std::vector<const AccessFact *>>
      Of; // by region and site
  std::map<std::pair<uint64_t, ObjectName>, SiteShape> Made;

public:
  explicit SiteShapes(const Facts &F);
  const SiteShape &of(const ObjectName &Which, uint64_t Region);
};

} // namespace evenkeel::cli

#endif
