//===- Imbalance.h - what ranks lose at collectives -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the file that the ranks of a node leave together in the workspace
// ("evenkeel.imbalance/1"): for each collective of all ranks, how long the
// ranks worked before it, and what they lost by waiting.
//   {"schema","build","ranks",
//    "collectives":[{"sync","call","times","sampled","mean_s",
//      "interval_spread","rank_spread","slowest","systematic_s",
//      "dynamic_s"},..],"left_out",
//    "work_ns":[[N of each rank],..]}
// Seconds are those of one passage of the collective.
// Not here: how the figures are made (collectives/Decompose.h), and where the
// file lies (utils/cli/workspace).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_INPUTS_IMBALANCE_H
#define EVENKEEL_PROFILES_FORMAT_INPUTS_IMBALANCE_H

#include "format/Error.h"
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace evenkeel {

/// Of one collective that all ranks pass.
struct CollectiveImbalance {
  uint64_t Sync = 0;    // the sync point, or the hash of Call
  std::string Call;     // "MPI_Allreduce"; "": Sync says where it is
  uint64_t Times = 0;   // passages
  uint64_t Sampled = 0; // of these, passages whose times were kept
  double Mean = 0;      // time of work before it, mean of ranks and passages
  /// (Slowest - fastest) / mean: of each passage, on average; and of the ranks'
  /// own means. The second above 1 means that there are two kinds of ranks.
  double IntervalSpread = 0, RankSpread = 0;
  uint32_t Slowest = 0; // the rank with the largest mean
  /// What an average rank waits for the slowest one, in seconds a passage:
  /// because one rank is slower than others each time, and because another rank
  /// is late from time to time. Together, the mean wait.
  double Systematic = 0, Dynamic = 0;

  /// The time that all passages took, from one to the next.
  double seconds() const {
    return double(Times) * (Mean + Systematic + Dynamic);
  }
};

struct Imbalance {
  std::string Build; // of the workspace; "" outside
  uint32_t Ranks = 0;
  std::vector<CollectiveImbalance> Collectives; // the costliest first
  /// The time that each rank worked before the first collective of the list: of
  /// at most MostPassages passages, evenly chosen.
  std::vector<std::vector<double>> Work;
  static constexpr size_t MostPassages = 64;
  uint64_t LeftOut = 0; // passages of collectives with too few samples

  double seconds() const;
  /// Shares of seconds(); 0 if there are none.
  double systematicShare() const;
  double dynamicShare() const;
};

nlohmann::json imbalanceToJson(const Imbalance &I);
/// Errors: another schema, missing fields, negative or infinite figures.
Expected<Imbalance> readImbalance(const std::string &Path);

} // namespace evenkeel

#endif
