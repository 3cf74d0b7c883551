//===- AccessCounts.h - the third stage: accesses of tasks ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: accesses of tasks on the base input, count expressions on both inputs,
// and sizes.
// Makes: the growth of each task's accesses to each object, and the way in
// which it was found: C'(o,t)/C(o,t) by count expressions (Ratios.cpp); without
// a usable expression by the object's size ratio S'/S; else by the growth of
// the whole program's work.
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

/// Growth of one demand.
struct CountGrowth {
  Ratio C;
  double Weight = 0; // share of its accesses in the task's work
  CountWay Way = CountWay::BaseCount;
  /// The growth of its lines by a fit over several base inputs; null: none.
  const FittedGrowth *Lines = nullptr;
  double FitOff = 0; // as in Estimate
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
  const BaseCounts &Old;
  const TargetCounts &New;
  const ObjectSizes &Sizes;
  std::optional<double> Work;       // growth of the whole program's work
  const FittedRows *Fits = nullptr; // over several base inputs, if any
};

/// \p Tasks: the requested rows. \p Ratios: those of an earlier prediction that
/// are still valid.
AccessCounts predictCounts(const CountInputs &In,
                           const std::vector<uint32_t> &Tasks,
                           RatiosOfTasks Ratios);

/// Whether the known values of the target determine the accesses of \p Task,
/// whose growth is \p Its.
bool isDetermined(const CountInputs &In, uint32_t Task,
                  const std::vector<CountGrowth> &Its);

} // namespace prediction
} // namespace evenkeel

#endif
