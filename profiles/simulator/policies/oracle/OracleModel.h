//===- OracleModel.h - a fast estimate that guides the oracle ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the true misses of a record per unit (a 256th of an instance) and
// task, and from them phase times as maxima over rows that are linear in the
// fast shares: the busy time of each worker (thread tasks), work / workers and
// the longest path (explicit tasks), and bytes / bandwidth of each tier and
// direction. Latencies carry a load factor per phase from the phase's mean
// utilisation, and each task a correction learned from replays.
// Makes: row weights that follow the maxima (multiplicative weights, Arora,
// Hazan, Kale 2012, section 3.2), values of units under such weights, and
// greedy placements by value per byte that fit the fast tier at every time.
// Not here: the truth. Whatever it proposes is replayed before it counts.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_POLICIES_ORACLE_ORACLEMODEL_H
#define EVENKEEL_PROFILES_SIMULATOR_POLICIES_ORACLE_ORACLEMODEL_H

#include "simulator/PreparedRecord.h"
#include "simulator/Replay.h"

namespace evenkeel {

class OracleModel {
public:
  /// Per global page: 1 = fast. Pages that are never touched stay 0.
  using Table = std::vector<uint8_t>;
  using Shares = std::vector<double>; // fast share per unit

  OracleModel(const PreparedRecord &R, const Machine &M, uint64_t FastBytes);

  /// Searches by multiplicative weights; the best placements by estimate, best
  /// first, at most \p Keep, without equals.
  std::vector<Table> propose(unsigned Keep);
  /// Corrects each task's estimate by what a replay of \p T measured.
  void learn(const Table &T, const PolicyResult &Replayed);
  /// A placement near \p T: drops the least valuable fast units, about \p Part
  /// of the fast bytes, and fills up with the most valuable others; values are
  /// taken where the replayed times of \p T say that they matter.
  Table exchange(const Table &T, const PolicyResult &Replayed,
                 double Part) const;
  /// The same for tasks that take alike: what brings a phase's tasks nearer to
  /// their mean counts beside what makes the phase shorter.
  Table exchangeForEvenness(const Table &T, const PolicyResult &Replayed,
                            double Part) const;
  using Moves = std::vector<std::pair<uint64_t, uint8_t>>; // page, 1 = fast
  struct Schedule {
    Table First;               // as allocated
    std::vector<Moves> Before; // by phase that they come before
    bool movesAny() const;
  };
  struct Moving {
    unsigned Ahead = 1; // phases that count, at least 1
    double Now = 1;     // part of the first of them that is left after moves
    double Margin = 1;  // saved time over what both moves take
    bool Fresh = false; // starts from what is best for the first phases
  };
  /// Placements that change between phases: at the end of a phase a unit comes
  /// in for another when, over the phases ahead, it saves more than the margin.
  /// Copies overlap with tasks, so that margins below 1 may pay. Values are
  /// those of \p T, from which it starts unless it is to start afresh.
  Schedule moving(const Table &T, const PolicyResult &Replayed,
                  const Moving &How) const;

private:
  struct Unit {
    uint64_t FirstPage, EndPage; // global
    uint64_t Bytes;              // of touched pages
    uint32_t FirstEpoch, EndEpoch;
  };
  struct Use { // of a unit by a task
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
  std::vector<PhaseRows> Start; // rows before any weight was learned
  uint32_t Epochs = 1;

  bool hasExplicit(uint32_t Phase) const {
    return R.FirstTask[Phase] != R.FirstTask[Phase + 1] &&
           R.isExplicit(R.FirstTask[Phase + 1] - 1);
  }
  void collectUnits();
  void collectUses();
  double curve(double Utilisation) const;
  /// Fills Rows[*].Ns from task times; marks tasks on longest paths.
  void measureRows(const Shares &X, Estimate &E,
                   std::vector<PhaseRows> &Rows) const;
  /// Task times under \p X at the load factors in \p Rows, and new factors.
  Estimate estimate(const Shares &X, std::vector<PhaseRows> &Rows) const;
  void unitPrices(const std::vector<PhaseRows> &Rows, const Estimate &E,
                  std::vector<double> &PerWeight, std::vector<double> &PerRead,
                  std::vector<double> &PerWrite) const;
  /// What each unit would save per phase row, by the rows' weights, in ns.
  std::vector<double> unitValues(const std::vector<PhaseRows> &Rows,
                                 const Estimate &E) const;
  /// What each unit, in the fast tier, takes off the sum over phases of the
  /// standard deviation of task times, relative to their mean, times what the
  /// phase takes; in ns, in linear approximation.
  std::vector<double> evenness(const PolicyResult &Replayed,
                               const std::vector<PhaseRows> &Rows) const;
  /// Estimate of \p T as replayed, with rows that weigh by it.
  Estimate settledOn(const Table &T, const PolicyResult &Replayed,
                     std::vector<PhaseRows> &Rows) const;
  Table exchangeBy(const std::vector<double> &Value, const Table &T,
                   double Part) const;
  /// Units by value per byte, best first.
  std::vector<uint32_t> ranked(const std::vector<double> &Value) const;
  Shares greedy(const std::vector<double> &Value) const;
  Shares sharesOf(const Table &T) const;
  Table round(const Shares &X) const;
  /// Bytes that still fit while \p U lives.
  uint64_t room(const Unit &U, const std::vector<uint64_t> &Used) const;
  void occupy(const Unit &U, uint64_t Bytes, std::vector<uint64_t> &Used) const;
};

} // namespace evenkeel

#endif
