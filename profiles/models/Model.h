//===- Model.h - time of a task under a partial placement -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the interface of cost models. From the predicted demands of one task
// (core time, lines read and written per object chunk, exposed latencies) and
// the machine file, a model computes the task's time under a given placement.
// Not here: the prediction of demands (predict/TargetPredictor.h), tasks that
// run at the same time (phases add bandwidth limits, Phase.h), and the
// simulator, which shares no code with models.
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
  /// Seconds of the task if unit u has the share FastShare[u] (0..1) of its
  /// accesses in tier 0 and the rest in the last tier. \p Latency is the loaded
  /// read latency (ns) of each tier. Must be affine in the latencies for a
  /// fixed FastShare: callers rely on it.
  virtual double seconds(const TaskDemand &T,
                         const std::vector<double> &FastShare, const Machine &M,
                         const std::vector<double> &LatencyNs) const = 0;
  /// Sets \p Out to the seconds without latency, and the seconds per ns of
  /// latency of tier 0 and of the last tier.
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
  /// Whether it is also affine in FastShare, for fixed latencies.
  virtual bool isAffineInShares() const { return true; }
  /// Sets \p Out[i] to the seconds that T.Units[i] saves if it lies in tier 0
  /// instead of the last tier (negative: a loss). If the model is not affine in
  /// FastShare, to the unit's part of what all units save together.
  virtual void gains(const TaskDemand &T, const Machine &M,
                     const std::vector<double> &LatencyNs,
                     std::vector<double> &Out) const = 0;
};

/// Errors: an unknown name (lists the names); a trained model whose file is
/// missing or does not fit.
Expected<std::unique_ptr<Model>> makeModel(const std::string &Name);
std::vector<std::string> modelNames();

} // namespace evenkeel

#endif
