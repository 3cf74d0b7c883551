//===- Model.h - time of a task under a partial placement -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what every cost model takes and gives. A model sees predicted demands
// of one task (core time, lines read and written per object chunk, exposed
// latencies) and the machine file; it returns seconds for a given placement.
// Not here: how demands were predicted (predict/TargetPredictor.h), who else
// runs at the time (the planner adds bandwidth limits per phase), and the
// simulator, with which no code is shared.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_MODELS_MODEL_H
#define EVENKEEL_PROFILES_MODELS_MODEL_H

#include "format/Error.h"
#include "format/Machine.h"
#include "problem/Demand.h"
#include <memory>
#include <string>
#include <vector>

namespace evenkeel {

class Model {
public:
  virtual ~Model() = default;
  virtual std::string name() const = 0;
  /// Seconds of the task when unit u has the share FastShare[u] (0..1) of its
  /// accesses in tier 0 and the rest in the last tier. \p Latency holds the
  /// loaded read latency (ns) per tier that the caller has settled on.
  /// Affine in the latencies for a fixed FastShare: callers rely on it.
  virtual double seconds(const TaskDemand &T,
                         const std::vector<double> &FastShare, const Machine &M,
                         const std::vector<double> &LatencyNs) const = 0;
  /// \p Out: seconds without latency, and what a ns of latency of tier 0 and of
  /// the last tier adds to them.
  virtual void secondsByLatency(const TaskDemand &T,
                                const std::vector<double> &FastShare,
                                const Machine &M, double (&Out)[3]) const {
    std::vector<double> L(M.Tiers.size(), 0);
    Out[0] = seconds(T, FastShare, M, L);
    L.front() = 1;
    Out[1] = seconds(T, FastShare, M, L) - Out[0];
    L.front() = 0;
    L.back() = 1;
    Out[2] = seconds(T, FastShare, M, L) - Out[0];
  }
  /// Whether it is affine in FastShare, too, for fixed latencies.
  virtual bool isAffineInShares() const { return true; }
  /// \p Out[i]: seconds that T.Units[i] saves when it lies in tier 0 entirely
  /// instead of in the last tier (negative where it loses); of a model that is
  /// not affine in FastShare its share of what all units save.
  virtual void gains(const TaskDemand &T, const Machine &M,
                     const std::vector<double> &LatencyNs,
                     std::vector<double> &Out) const = 0;
};

/// Errors: an unknown name (lists the names); a trained model whose file is
/// missing or not for it.
Expected<std::unique_ptr<Model>> makeModel(const std::string &Name);
std::vector<std::string> modelNames();

} // namespace evenkeel

#endif
