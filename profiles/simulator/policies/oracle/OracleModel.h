//===- OracleModel.h - a fast estimate that guides the oracle ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the true misses of a record per unit (a 256th of an instance) and
// task, and phase times as maxima over rows that are linear in the fast shares:
// the busy time of each worker (thread tasks), work / workers and the longest
// path (explicit tasks), and bytes / bandwidth of each tier and direction.
// Latencies have a load factor per phase, from the phase's mean utilisation,
// and each task has a correction learned from replays.
// Makes: row weights that follow the maxima (multiplicative weights, Arora,
// Hazan, Kale 2012, section 3.2), the values of units under these weights, and
// greedy placements by value per byte that fit the fast tier at every time.
// Not here: the truth. All proposals are replayed before they count.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_POLICIES_ORACLE_ORACLEMODEL_H
#define EVENKEEL_PROFILES_SIMULATOR_POLICIES_ORACLE_ORACLEMODEL_H

#include "simulator/PreparedRecord.h"
#include "simulator/Replay.h"

namespace evenkeel {

class OracleModel {
public:
  /// By global page: 1 = fast. Pages that are never touched have 0.
  using Table = std::vector<uint8_t>;
  using Shares = std::vector<double>; // fast share per unit

  OracleModel(const PreparedRecord &R, const Machine &M, uint64_t FastBytes);

  /// Searches by multiplicative weights. Returns the best placements by
  /// estimate, best first, without duplicates, at most \p Keep.
  std::vector<Table> propose(unsigned Keep);
  /// Corrects the estimate of each task by the measured times of a replay of \p
  /// T.
  void learn(const Table &T, const PolicyResult &Replayed);
  /// A placement near \p T: drops the least valuable fast units, about \p Part
  /// of the fast bytes, and fills up with the most valuable others. The values
  /// are based on the replayed times of \p T.
  Table exchange(const Table &T, const PolicyResult &Replayed,
                 double Part) const;
  /// The same, but also values what brings the tasks of a phase nearer to their
  /// mean, for more even task times.
  Table exchangeForEvenness(const Table &T, const PolicyResult &Replayed,
                            double Part) const;
  using Moves = std::vector<std::pair<uint64_t, uint8_t>>; // page, 1 = fast
  struct Schedule {
    Table First;               // as allocated
    std::vector<Moves> Before; // by the phase they precede
    bool movesAny() const;
  };
  struct Moving {
    unsigned Ahead = 1; // number of phases that count, at least 1
    double Now = 1;     // part of the first phase that is left after moves
    double Margin = 1;  // least saved time, relative to the cost of both moves
    bool Fresh = false; // starts from the best placement for the first phases
  };
  /// Placements that change between phases: at the end of a phase, one unit
  /// replaces another if it saves more than the margin over the next phases.
  /// Copies overlap with tasks, so margins below 1 may pay. The values are
  /// those of \p T, which is also the start unless \p How.Fresh is set.
  Schedule moving(const Table &T, const PolicyResult &Replayed,
                  const Moving &How) const;

private:
  struct Unit {
    uint64_t FirstPage, EndPage; // global
    uint64_t Bytes;              // of touched pages
    uint32_t FirstEpoch, EndEpoch;
  };
  struct Use { // a unit's use by a task
    uint32_t Task;
    double Weight, Reads, Writes; // reads and writes in bytes
  };
  /// Rows of a phase: workers, or {work, path}; then the four bandwidths.
  struct PhaseRows {
    std::vector<double> Ns, LogWeight;
    double FastFactor = 1, SlowFactor = 1; // on latencies
  };
  struct Estimate {
    double TotalNs = 0;
    std::vector<double> TaskNs;
    std::vector<bool> OnPath;
  };

  const PreparedRecord &R;
  const Machine &M;
  uint64_t FastBytes;
  std::vector<bool> Touched; // by global page
  std::vector<uint64_t> PageBytes;
  std::vector<Unit> Units;
  std::vector<uint32_t> FirstUse;
  std::vector<Use> Uses; // of unit U: FirstUse[U] .. FirstUse[U+1]
  std::vector<double> CoreNs, Correction;
  std::vector<PhaseRows> Start; // the initial rows, before weights are learned
  uint32_t Epochs = 1;

  bool hasExplicit(uint32_t Phase) const {
    return R.FirstTask[Phase] != R.FirstTask[Phase + 1] &&
           R.isExplicit(R.FirstTask[Phase + 1] - 1);
  }
  void collectUnits();
  void collectUses();
  double curve(double Utilisation) const;
  /// Sets Rows[*].Ns from task times; marks the tasks on longest paths.
  void measureRows(const Shares &X, Estimate &E,
                   std::vector<PhaseRows> &Rows) const;
  /// Task times under \p X at the load factors in \p Rows, and new factors.
  Estimate estimate(const Shares &X, std::vector<PhaseRows> &Rows) const;
  void unitPrices(const std::vector<PhaseRows> &Rows, const Estimate &E,
                  std::vector<double> &PerWeight, std::vector<double> &PerRead,
                  std::vector<double> &PerWrite) const;
  /// The ns that each unit would save, by the rows' weights.
  std::vector<double> unitValues(const std::vector<PhaseRows> &Rows,
                                 const Estimate &E) const;
  /// The ns by which each unit, in the fast tier, would reduce the sum over
  /// phases of std/mean of task times times the phase's length; a linear
  /// approximation.
  std::vector<double> evenness(const PolicyResult &Replayed,
                               const std::vector<PhaseRows> &Rows) const;
  /// The estimate of \p T as replayed, with row weights that fit it: the higher
  /// \p Sharpness, the less rows count that are shorter than the longest one.
  Estimate settledOn(const Table &T, const PolicyResult &Replayed,
                     double Sharpness, std::vector<PhaseRows> &Rows) const;
  Table exchangeBy(const std::vector<double> &Value, const Table &T,
                   double Part) const;
  /// Units by value per byte, best first.
  std::vector<uint32_t> ranked(const std::vector<double> &Value) const;
  Shares greedy(const std::vector<double> &Value) const;
  Shares sharesOf(const Table &T) const;
  Table round(const Shares &X) const;
  /// The bytes that still fit throughout the life of \p U.
  uint64_t room(const Unit &U, const std::vector<uint64_t> &Used) const;
  void occupy(const Unit &U, uint64_t Bytes, std::vector<uint64_t> &Used) const;
};

} // namespace evenkeel

#endif
