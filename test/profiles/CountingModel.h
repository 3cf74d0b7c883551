//===- CountingModel.h - count calls of a model -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: planners ask a model for times of tasks. The number of these calls
// measures a planner's work, independently of the machine.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_TEST_PROFILES_COUNTINGMODEL_H
#define EVENKEEL_TEST_PROFILES_COUNTINGMODEL_H

#include "models/Model.h"

namespace evenkeel {

/// Counts the calls that ask for a task's time.
class CountingModel : public Model {
  const Model &Its;

public:
  mutable unsigned long Tasks = 0;
  explicit CountingModel(const Model &Its) : Its(Its) {}
  std::string name() const override { return Its.name(); }
  double seconds(const TaskDemand &T, const std::vector<double> &Fast,
                 const Machine &M,
                 const std::vector<double> &Latency) const override {
    ++Tasks;
    return Its.seconds(T, Fast, M, Latency);
  }
  void secondsByLatency(const TaskDemand &T, const std::vector<double> &Fast,
                        const Machine &M, double (&Out)[3]) const override {
    ++Tasks;
    Its.secondsByLatency(T, Fast, M, Out);
  }
  bool isAffineInShares() const override { return Its.isAffineInShares(); }
  void gains(const TaskDemand &T, const Machine &M,
             const std::vector<double> &Latency,
             std::vector<double> &Out) const override {
    ++Tasks;
    Its.gains(T, M, Latency, Out);
  }
};

} // namespace evenkeel

#endif
