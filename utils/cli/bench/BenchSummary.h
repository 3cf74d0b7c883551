//===- BenchSummary.h - means over the cells of a comparison ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: means over the cells of a comparison: by policy, by amount of fast
// memory, under the conditions of each paper, and of predictions.
// Improvement over a rival = its makespan / ours - 1 (Merchandiser, PPoPP 2023,
// section 7); time reduction = 1 - ours / its makespan (Tahoe, SC 2018).
// Not here: the output (BenchTables.cpp, BenchReport.cpp).
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

/// Whether the policy only shows the effect of more or less fast memory,
/// without placing anything.
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

/// The makespan of \p Policy over that of \p Against in one cell, minus 1.
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

/// The name in our tables of a policy that has another name in the papers.
std::string policyName(const std::string &Name);

bool hasVariants(const BenchData &D);

std::string keyOf(const BenchRow &R);

/// Ours against a rival, over cells without variant.
struct Wins {
  unsigned Cells = 0;         // cells with both policies
  std::set<std::string> Won;  // cells in which ours is faster
  std::set<std::string> Lost; // those of them where it is not in every variant
};

Wins winsOver(const BenchData &D, const std::string &Rival);

std::set<std::string> winsThatDoNotHold(const BenchData &D);

struct PaperRow {
  std::string Rival;
  Mean Gain, AcvReduction;
  Mean OracleGain, OracleAcvReduction; // with the oracle in place of ours
  Mean LeastAcvReduction;     // for the smallest A.C.V. that the oracle found
  unsigned Won = 0, Held = 0; // cells; Held: also in every variant
};

bool isOn(const BenchRow &R, const PaperTable &T);

std::vector<PaperRow> paperRows(const BenchData &D, const PaperTable &T);

struct PredictionSummary {
  Mean Error, ByTime, Worst, Pearson;
};

/// By policy and time of the prediction.
std::map<std::pair<std::string, std::string>, PredictionSummary>
predictionsOf(const BenchData &D);

/// How far the best placements found are above the lower bounds, with and
/// without migration.
std::pair<Mean, Mean> boundGaps(const BenchData &D);

/// The number of cells in which a policy is faster than the best placement
/// found.
unsigned timesAboveOracle(const BenchData &D, const std::string &Policy);

/// Results of ours with one amount of fast memory.
struct AmountSummary {
  Mean Gap, First;
  unsigned Cells = 0, Kept = 0; // Kept: first touch was kept
  unsigned Worth = 0;           // the oracle gains more than WorthGain
  unsigned KeptThere = 0;
};

/// If the oracle gains more than this, keeping first touch is counted as a
/// failure.
inline constexpr double WorthGain = 0.05;

/// By amount of fast memory, relative to the peak.
std::map<double, AmountSummary> byAmount(const BenchData &D);

} // namespace evenkeel::cli

#endif
