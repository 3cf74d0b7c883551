//===- ModelFile.h - model.json: a trained function ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: "evenkeel.model/1", written by utils/train-model: a function of named
// inputs, as regression trees, a small neural network or a linear form, so that
// planner and runtime do not need Python.
//
//   {"schema","name","predicts":"log_fast_to_slow"|"gap_left",
//    "inputs":["stall_share",...],
//    "low":N,"high":N,                     the result is clamped to these
//    one of
//    "linear":{"bias":N,"weights":[N per input]},
//    "network":{"mean":[N per input],"scale":[N per input],
//               "layers":[{"bias":[..],"weights":[[N per input]..]}..]},
//    "trees":{"bias":N,"trees":[{"input":[..],"threshold":[..],
//             "left":[..],"right":[..],"value":[..]}..]},
//    "probes":[{"inputs":[..],"result":N}],  results in Python, for tests
//    "training":{...}}                       how it was trained; not read
//
// Network: x' = (x - mean) / scale; all layers but the last are rectified.
// Trees: node 0 is the root; a node with input -1 is a leaf; at others go left
// if x[input] <= threshold; children follow their parent; the leaves' values
// are summed over the trees and added to the bias.
// Not here: the meaning of inputs (models/Events.h) and the training.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_MODELFILE_H
#define EVENKEEL_PROFILES_FORMAT_MODELFILE_H

#include "DataFolder.h"
#include <vector>

namespace evenkeel {

struct NetworkLayer {
  std::vector<double> Bias;
  std::vector<std::vector<double>> Weights; // per output, per input
};

struct TreeNode {
  int Input = -1; // -1: a leaf
  double Threshold = 0, Value = 0;
  unsigned Left = 0, Right = 0;
};

struct TrainedFunction {
  std::string Name, Predicts;
  std::vector<std::string> Inputs;
  double Low = 0, High = 0;
  double Bias = 0;
  std::vector<double> Weights;              // linear
  std::vector<double> Mean, Scale;          // network
  std::vector<NetworkLayer> Layers;         // network
  std::vector<std::vector<TreeNode>> Trees; // each has at least one node

  /// \p X has the order of Inputs and no NaN. Thread-safe.
  double operator()(const std::vector<double> &X) const;
};

/// Finds a function by name (directories in EVENKEEL_MODELS, then shipped
/// files) or by path. Errors: not found, wrong schema, inconsistent sizes,
/// figures that are not finite, a child before its parent.
Expected<TrainedFunction> readTrainedFunction(const std::string &NameOrPath);
/// \p Path appears in errors.
Expected<TrainedFunction> parseTrainedFunction(const std::string &Text,
                                               const std::string &Path);

} // namespace evenkeel

#endif
