//===- PlanDemands.h - predicted accesses by object -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: predicted main-memory accesses by object and phase, and how a region's
// code walks through an object. Both are collected in one pass over the
// prediction or the facts.
// Not here: their display (PlanTables.h).
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
  double Bound = 0; // relative error of the least certain task

  double sum() const;
};

/// For each object, the phases that access it, in order.
std::map<ObjectName, std::vector<SiteDemand>>
demandsOf(const Problem &P, const PlannedObjects &Objects);

std::map<ObjectName, double> bytesOf(const Problem &P,
                                     const PlannedObjects &Objects);

/// The share of an object's bytes, over its instances, that \p X places in tier
/// 0.
std::map<ObjectName, double> fastShares(const Plan &X, const Problem &P,
                                        const PlannedObjects &Objects);

/// A description of one region's accesses to one object.
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
