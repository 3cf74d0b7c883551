//===- Calibrate.h - a machine file from measurements -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the lines that evenkeel-measure prints, what about them is not
// plausible, and how they become a machine file in which every figure says
// where it came from.
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
  std::vector<std::pair<double, double>> Loaded; // GB/s of others, ns
  struct Bandwidth {
    unsigned Threads;
    double Read, Write, Triad; // GB/s
  };
  std::vector<Bandwidth> Bandwidths;
  double read() const; // best over thread counts
  double write() const;
};

struct Measurements {
  unsigned Cpus = 0;
  std::map<unsigned, MeasuredNode> Nodes;
  std::map<std::pair<unsigned, unsigned>, double> MoveUs; // from, to: a page
};

/// Errors: a line that evenkeel-measure does not print.
Expected<Measurements> parseMeasurements(const std::string &Text);

/// The self-test: what cannot be so, or was disturbed; one line each.
std::vector<std::string> implausible(const Measurements &M);

/// What the computer tells about itself; figures it does not tell are 0.
struct Processor {
  std::string Model;
  unsigned Cores = 0;
  double GHz = 0;
  uint64_t L1 = 0, L2 = 0, Llc = 0;
  unsigned L1Ways = 0, L2Ways = 0, LlcWays = 0;
};
Processor readProcessor();

/// The text of a machine file. Nodes of \p D that were measured are tiers,
/// fastest first; with one only, the second is \p Second's, assumed.
std::string machineOf(const std::string &Name, const Processor &P,
                      const Measurements &M, const Detected &D,
                      const Tier &Second);

} // namespace evenkeel::cli

#endif
