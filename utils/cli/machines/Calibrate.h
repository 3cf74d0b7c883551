//===- Calibrate.h - a machine file from measurements -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the lines that evenkeel-measure prints, which of them are not
// plausible, and how to make a machine file of them in which every figure has
// its source.
// Not here: measuring (utils/measure).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_CALIBRATE_H
#define EVENKEEL_UTILS_CLI_CALIBRATE_H

#include "Detect.h"
#include "format/Error.h"
#include "format/Machine.h"
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace evenkeel::cli {

struct MeasuredNode {
  bool Measured = false;
  double CachedNs = 0, LatencyNs = 0, AgainNs = 0;
  std::vector<std::pair<double, double>> Loaded; // GB/s of other threads, ns
  struct Bandwidth {
    unsigned Threads;
    double Read, Write, Triad; // GB/s
  };
  std::vector<Bandwidth> Bandwidths;
  double read() const; // best over numbers of threads
  double write() const;
};

struct Measurements {
  unsigned Cpus = 0;
  std::map<unsigned, MeasuredNode> Nodes;
  std::map<std::pair<unsigned, unsigned>, double>
      MoveUs; // from, to: us per page
};

/// Errors: lines that evenkeel-measure does not print.
Expected<Measurements> parseMeasurements(const std::string &Text);

/// Measurements that are impossible or were disturbed; one line each.
std::vector<std::string> implausible(const Measurements &M);

/// What the computer reports about itself; missing figures are 0.
struct Processor {
  std::string Model;
  unsigned Cores = 0;
  double GHz = 0;
  uint64_t L1 = 0, L2 = 0, Llc = 0;
  unsigned L1Ways = 0, L2Ways = 0, LlcWays = 0;
};
Processor readProcessor();

/// The text of a machine file. Measured nodes of \p D are its tiers, fastest
/// first; if there is only one, the second tier is \p Second, assumed.
std::string machineOf(const std::string &Name, const Processor &P,
                      const Measurements &M, const Detected &D,
                      const Tier &Second);

} // namespace evenkeel::cli

#endif
