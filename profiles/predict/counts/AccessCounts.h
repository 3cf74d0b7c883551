//===- AccessCounts.h - the third stage: accesses of tasks ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: accesses of tasks on the base input, count expressions on both inputs,
// and sizes.
// Makes: the growth of each task's accesses to each object, and the way in
// which it was found: C'(o,t)/C(o,t) by count expressions (Ratios.cpp); without
// a usable expression by tasks of other sizes (PowerLaws.cpp), or by objects of
// other sizes (SizeGrowth.cpp); else by the object's size ratio S'/S; else by
// the growth of the whole program's work.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_COUNTS_ACCESSCOUNTS_H
#define EVENKEEL_PROFILES_PREDICT_COUNTS_ACCESSCOUNTS_H

#include "predict/demands/Demands.h"
#include "predict/sizes/ObjectSizes.h"

namespace evenkeel {
namespace prediction {

/// The growth of a task's accesses to an object on the target.
struct Ratio {
  double All = 1, Writes = 1;
  bool Usable = false;
  Trace How;
};
/// By row of tasks and demand; empty: the task was not requested.
using RatiosOfTasks = std::vector<std::vector<Ratio>>;

/// C'/C of the K-th demand of \p Task.
Ratio ratioByFormula(const BaseTables &Base, const BaseDemands &Demands,
                     const BaseCounts &Old, const TargetCounts &New,
                     uint32_t Task, size_t K);

/// Whether \p Inst is private to one thread, on a target whose threads changed
/// places.
inline bool isOwned(const TargetCounts &New, uint32_t Inst) {
  return New.values().Who.Objects.count(Inst) != 0;
}

/// A power law for accesses of unknown growth in the accesses to some instances
/// (Terms): a constant, and an exponent for each. Alike: instances that all
/// tasks accessed equally often.
struct PowerLaw {
  std::vector<uint32_t> Terms, Alike;
  std::vector<double> Powers, Inverse; // of the normal equations
  double Variance = 0;
};
using PowerLaws = std::map<uint64_t, PowerLaw>; // by region

/// The regions for which power laws may be used: some phase of theirs is not
/// over.
std::vector<uint64_t> regionsToCome(const BaseTables &Base,
                                    const BaseDemands &Demands, uint32_t From);
/// For the regions \p Of. \p Ratios: for all their tasks.
PowerLaws fitPowerLaws(const BaseTables &Base, const BaseDemands &Demands,
                       const RatiosOfTasks &Ratios, const ObjectSizes &Sizes,
                       const std::vector<uint64_t> &Of);
/// The growth of accesses of \p Task to objects whose growth is otherwise
/// unknown.
std::optional<double> growthByPowerLaw(const BaseTables &Base,
                                       const BaseDemands &Demands,
                                       const RatiosOfTasks &Ratios,
                                       const ObjectSizes &Sizes,
                                       const PowerLaws &Laws, uint32_t Task);
/// Whether the growth of a task's accesses to an object is known: by a formula,
/// or by the object's size if it is not accessed repeatedly.
bool isGrowthKnown(const BaseTables &Base, const ObjectSizes &Sizes,
                   const BaseDemand &Q, const Ratio &C);

/// Accesses are proportional to (S^(1/Dimensions) + Edge)^Dimensions, S in
/// bytes; without dimensions to S^Power.
struct SizeGrowth {
  double Power = 1;
  unsigned Dimensions = 0;
  double Edge = 0;

  /// The growth of accesses when the size grows from \p Bytes to \p Ratio *
  /// \p Bytes.
  double over(double Bytes, double Ratio) const;
};
/// By region, sync point that ends the phase, and site.
using SizeGrowths =
    std::map<std::tuple<uint64_t, uint64_t, uint64_t>, SizeGrowth>;
SizeGrowths fitSizeGrowths(const BaseTables &Base, const DemandsOfTasks &Of);
/// The growth of the accesses of \p Task to the object, whose size is \p S
/// times that on the base input; null: not known.
std::optional<double> growthBySize(const BaseTables &Base,
                                   const SizeGrowths &Growths, uint32_t Task,
                                   const BaseDemand &Q, double S);

/// Growth of one demand.
struct CountGrowth {
  Ratio C;
  double Weight = 0; // share of its accesses in the task's work
  CountWay Way = CountWay::BaseCount;
};
struct AccessCounts {
  /// By row of tasks and demand; empty: the task was not requested.
  std::vector<std::vector<CountGrowth>> Of;
  RatiosOfTasks Ratios;
};

/// The input of the third stage, from the base and the stages before.
struct CountInputs {
  const BaseTables &Base;
  const BaseDemands &Demands;
  const SizeGrowths &Growths;
  const BaseCounts &Old;
  const TargetCounts &New;
  const ObjectSizes &Sizes;
  std::optional<double> Work; // growth of the whole program's work
};

/// \p Tasks: the requested rows. \p From: the first phase to come. \p Ratios:
/// ratios of an earlier prediction that are still valid.
AccessCounts predictCounts(const CountInputs &In,
                           const std::vector<uint32_t> &Tasks, uint32_t From,
                           RatiosOfTasks Ratios, const Rules &Use);

/// Whether the known values of the target determine the accesses of \p Task,
/// whose growth is \p Its.
bool isDetermined(const CountInputs &In, uint32_t Task,
                  const std::vector<CountGrowth> &Its);

} // namespace prediction
} // namespace evenkeel

#endif
