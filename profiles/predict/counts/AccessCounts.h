//===- AccessCounts.h - the third stage: accesses of tasks ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what tasks accessed on the base input, count expressions on both
// inputs, and sizes.
// Makes: how many times as many accesses each task makes to each object, and
// the way that told it: C'(o,t)/C(o,t) by count expressions (Ratios.cpp);
// without a usable expression what tasks of other sizes teach (PowerLaws.cpp),
// or objects of other sizes (SizeGrowth.cpp); else the object's size ratio
// S'/S; else the growth of the whole program's work.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_COUNTS_ACCESSCOUNTS_H
#define EVENKEEL_PROFILES_PREDICT_COUNTS_ACCESSCOUNTS_H

#include "predict/demands/Demands.h"
#include "predict/sizes/ObjectSizes.h"

namespace evenkeel {
namespace prediction {

/// How much more a task accesses an object on the target.
struct Ratio {
  double All = 1, Writes = 1;
  bool Usable = false;
  Trace How;
};
/// By row of tasks and demand; empty: nobody asked for that task.
using RatiosOfTasks = std::vector<std::vector<Ratio>>;

/// C'/C of the K-th demand of \p Task.
Ratio ratioByFormula(const BaseTables &Base, const BaseDemands &Demands,
                     const BaseCounts &Old, const TargetCounts &New,
                     uint32_t Task, size_t K);

/// Whether \p Inst is an object that its thread has to itself, on a target
/// whose threads changed places.
inline bool isOwned(const TargetCounts &New, uint32_t Inst) {
  return New.values().Who.Objects.count(Inst) != 0;
}

/// How accesses of unknown growth go with those of some instances (Terms): a
/// constant and a power for each. Alike: what all tasks accessed as often.
struct PowerLaw {
  std::vector<uint32_t> Terms, Alike;
  std::vector<double> Powers, Inverse; // of the normal equations
  double Variance = 0;
};
using PowerLaws = std::map<uint64_t, PowerLaw>; // by region

/// Regions whose power laws may be asked for: some phase of theirs is not over.
std::vector<uint64_t> regionsToCome(const BaseTables &Base,
                                    const BaseDemands &Demands, uint32_t From);
/// Of the regions \p Of. \p Ratios: of all their tasks.
PowerLaws fitPowerLaws(const BaseTables &Base, const BaseDemands &Demands,
                       const RatiosOfTasks &Ratios, const ObjectSizes &Sizes,
                       const std::vector<uint64_t> &Of);
/// Growth of what \p Task accesses of objects whose growth nothing else tells.
std::optional<double> growthByPowerLaw(const BaseTables &Base,
                                       const BaseDemands &Demands,
                                       const RatiosOfTasks &Ratios,
                                       const ObjectSizes &Sizes,
                                       const PowerLaws &Laws, uint32_t Task);
/// Whether the growth of what a task accesses of an object is known: by a
/// formula, or by the object's size where it is not gone over again and again.
bool isGrowthKnown(const BaseTables &Base, const ObjectSizes &Sizes,
                   const BaseDemand &Q, const Ratio &C);

/// Accesses go with (S^(1/Dimensions) + Edge)^Dimensions, S in bytes; without
/// dimensions with S^Power.
struct SizeGrowth {
  double Power = 1;
  unsigned Dimensions = 0;
  double Edge = 0;

  /// From \p Bytes to \p Ratio times as many.
  double over(double Bytes, double Ratio) const;
};
/// By region, sync point at which the phase ends, site.
using SizeGrowths =
    std::map<std::tuple<uint64_t, uint64_t, uint64_t>, SizeGrowth>;
SizeGrowths fitSizeGrowths(const BaseTables &Base, const DemandsOfTasks &Of);
/// How much more the accesses of \p Task to the object are, its size being
/// \p S times that on the base input; null: nothing tells.
std::optional<double> growthBySize(const BaseTables &Base,
                                   const SizeGrowths &Growths, uint32_t Task,
                                   const BaseDemand &Q, double S);

/// Growth of one demand.
struct CountGrowth {
  Ratio C;
  double Weight = 0; // in the task's work, of its accesses
  CountWay Way = CountWay::BaseCount;
};
struct AccessCounts {
  /// By row of tasks and demand; empty: nobody asked for that task.
  std::vector<std::vector<CountGrowth>> Of;
  RatiosOfTasks Ratios;
};

/// What the third stage uses of the base and of the stages before.
struct CountInputs {
  const BaseTables &Base;
  const BaseDemands &Demands;
  const SizeGrowths &Growths;
  const BaseCounts &Old;
  const TargetCounts &New;
  const ObjectSizes &Sizes;
  std::optional<double> Work; // growth of the whole program's
};

/// \p Tasks: rows that are asked for. \p From: the first phase to come.
/// \p Ratios: those of an earlier prediction that still hold.
AccessCounts predictCounts(const CountInputs &In,
                           const std::vector<uint32_t> &Tasks, uint32_t From,
                           RatiosOfTasks Ratios, const Rules &Use);

/// Whether what is known of the target determines the accesses of \p Task,
/// which grow as \p Its say.
bool isDetermined(const CountInputs &In, uint32_t Task,
                  const std::vector<CountGrowth> &Its);

} // namespace prediction
} // namespace evenkeel

#endif
