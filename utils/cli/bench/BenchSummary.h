//===- BenchSummary.h - what many cells say together ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: means over the cells of a comparison: by policy, by amount of fast
// memory, under the conditions of each paper, and of predictions.
// Not here: how they are shown (BenchTables, BenchReport).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_BENCHSUMMARY_H
#define EVENKEEL_UTILS_CLI_BENCHSUMMARY_H

#include "BenchData.h"
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace evenkeel::cli {

/// They say what more or less memory would give and place nothing themselves.
bool isWhatIf(const std::string &Policy);

/// The rows of one cell, by policy.
using Cell = std::map<std::string, const BenchRow *>;

std::vector<Cell> cellsOf(const BenchData &D, bool WithVariants);

double makespan(const Cell &C, const std::string &Policy);

struct Mean {
  double Sum = 0, Most = -1e300, Least = 1e300;
  unsigned Count = 0;
  void add(double V) {
    Sum += V;
    Most = std::max(Most, V);
    Least = std::min(Least, V);
    ++Count;
  }
  double value() const { return Count ? Sum / Count : 0; }
};

/// Makespan of \p Policy against \p Against in one cell, less 1.
std::optional<double> excess(const Cell &C, const std::string &Policy,
                             const std::string &Against);

std::vector<std::string> policiesOf(const BenchData &D);

bool inGroup(const Cell &C, const std::string &Group);

/// The conditions of a paper: workloads, machine, amount of fast memory.
struct PaperTable {
  const char *Key, *Group, *Machine, *Fast;
  std::vector<const char *> Rivals;
  bool Reduction; // time reduction (Tahoe) instead of improvement
};

const std::vector<PaperTable> &paperTables();

/// Names of the papers for policies that have another name here.
std::string policyName(const std::string &Name);

bool hasVariants(const BenchData &D);

std::string keyOf(const BenchRow &R);

/// Ours against a rival, by cell without variant.
struct Wins {
  unsigned Cells = 0;         // in which both ran
  std::set<std::string> Won;  // faster on the machine as it is
  std::set<std::string> Lost; // of those, not in every variant of it
};

Wins winsOver(const BenchData &D, const std::string &Rival);

std::set<std::string> winsThatDoNotHold(const BenchData &D);

struct PaperRow {
  std::string Rival;
  Mean Gain, AcvReduction;
  Mean OracleGain, OracleAcvReduction; // the oracle's, in ours' place
  Mean LeastAcvReduction;     // of the smallest A.C.V. that the oracle found
  unsigned Won = 0, Held = 0; // cells; Held: in every variant, too
};

bool isOn(const BenchRow &R, const PaperTable &T);

std::vector<PaperRow> paperRows(const BenchData &D, const PaperTable &T);

struct PredictionSummary {
  Mean Error, ByTime, Worst, Pearson;
};

/// By policy and when the prediction was made.
std::map<std::pair<std::string, std::string>, PredictionSummary>
predictionsOf(const BenchData &D);

/// How far best placements are above what is proven, with and without
/// migration.
std::pair<Mean, Mean> boundGaps(const BenchData &D);

/// Cells in which a policy was faster than the best placement found.
unsigned timesAboveOracle(const BenchData &D, const std::string &Policy);

/// Ours with one amount of fast memory.
struct AmountSummary {
  Mean Gap, First;
  unsigned Cells = 0, Kept = 0; // first touch
  unsigned Worth = 0;           // the oracle gains more than WorthGain
  unsigned KeptThere = 0;
};

/// From here on keeping first touch is hiding behind it.
inline constexpr double WorthGain = 0.05;

/// By amount of fast memory, as a share of the peak.
std::map<double, AmountSummary> byAmount(const BenchData &D);

} // namespace evenkeel::cli

#endif
