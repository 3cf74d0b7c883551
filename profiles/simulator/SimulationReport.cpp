//===- SimulationReport.cpp - results of replay as text -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SimulationReport.h.
//===----------------------------------------------------------------------===//
#include "SimulationReport.h"
#include "text/Units.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace evenkeel {

/// The oracle's result, if it was replayed and its time is not 0.
static const PolicyResult *oracleOf(const std::vector<PolicyResult> &Results) {
  for (const PolicyResult &R : Results)
    if (R.Oracle && R.MakespanSeconds > 0)
      return &R;
  return nullptr;
}

std::string simulationToJson(const Machine &M, uint64_t FastBytes,
                             const std::vector<PolicyResult> &Results) {
  nlohmann::ordered_json J;
  J["schema"] = "evenkeel.simulation/1";
  J["machine"] = M.Name;
  J["fast_bytes"] = FastBytes;
  J["policies"] = nlohmann::ordered_json::array();
  for (const PolicyResult &R : Results)
    J["policies"].push_back({{"name", R.Name},
                             {"makespan_s", R.MakespanSeconds},
                             {"acv", R.Acv},
                             {"barrier_wait_s", R.BarrierWaitSeconds},
                             {"fast_access_share", R.FastAccessShare},
                             {"migrated_bytes", R.MigratedBytes},
                             {"promoted_bytes", R.PromotedBytes},
                             {"demoted_bytes", R.DemotedBytes},
                             {"faults", R.Faults},
                             {"samples", R.Samples},
                             {"peak_fast_bytes", R.PeakFastBytes},
                             {"refused_bytes", R.RefusedBytes}});
  if (const PolicyResult *O = oracleOf(Results)) {
    for (size_t I = 0; I < Results.size(); ++I)
      J["policies"][I]["oracle_gap"] =
          Results[I].MakespanSeconds / O->MakespanSeconds - 1;
    J["oracle"] = {{"makespan_s", O->MakespanSeconds},
                   {"static_makespan_s", O->Oracle->StaticSeconds},
                   {"lower_bound_s", O->Oracle->LowerBound},
                   {"static_lower_bound_s", O->Oracle->StaticLowerBound},
                   {"static_bound_exact", O->Oracle->StaticBoundExact},
                   {"least_acv", O->Oracle->LeastAcv}};
  }
  J["assumed"] = M.Assumed;
  return J.dump(1) + "\n";
}

std::string simulationToTable(const Machine &M, uint64_t FastBytes,
                              const std::vector<PolicyResult> &Results) {
  std::vector<std::vector<std::string>> Rows{
      {"policy", "makespan", "imbalance", "waiting", "accesses in fast",
       "migrated", "peak in fast", "did not fit"}};
  const PolicyResult *Oracle = oracleOf(Results);
  if (Oracle)
    Rows[0].push_back("behind best found");
  for (const PolicyResult &R : Results) {
    Rows.push_back({R.Name, secondsToText(R.MakespanSeconds),
                    percentToText(R.Acv), secondsToText(R.BarrierWaitSeconds),
                    percentToText(R.FastAccessShare),
                    bytesToText(R.MigratedBytes), bytesToText(R.PeakFastBytes),
                    bytesToText(R.RefusedBytes)});
    if (Oracle)
      Rows.back().push_back(
          percentToText(R.MakespanSeconds / Oracle->MakespanSeconds - 1));
  }
  std::vector<size_t> Width(Rows[0].size(), 0);
  for (auto &Row : Rows)
    for (size_t C = 0; C < Row.size(); ++C)
      Width[C] = std::max(Width[C], Row[C].size());

  std::string Out =
      "machine " + M.Name + ", fast memory " + bytesToText(FastBytes) + "\n";
  for (auto &Row : Rows) {
    std::string Line = Row[0] + std::string(Width[0] - Row[0].size(), ' ');
    for (size_t C = 1; C < Row.size(); ++C)
      Line += std::string(2 + Width[C] - Row[C].size(), ' ') + Row[C];
    Out += Line + "\n";
  }
  Out += "imbalance: how far task times of a phase lie apart (standard "
         "deviation over mean); waiting: of all tasks for the slowest\n";
  for (const PolicyResult &R : Results)
    if (R.UnsettledEvents)
      Out += "note: " + R.Name + ": in " + std::to_string(R.UnsettledEvents) +
             " intervals the tasks' bandwidth did not settle, so their times "
             "are less certain\n";
  if (Oracle) {
    const OracleReport &B = *Oracle->Oracle;
    Out += "oracle: the best placement found takes " +
           secondsToText(Oracle->MakespanSeconds) + ", without migration " +
           secondsToText(B.StaticSeconds) +
           "; proven: no placement takes less than " +
           secondsToText(B.LowerBound) + ", without migration " +
           secondsToText(B.StaticLowerBound) +
           (B.StaticBoundExact ? " (exact linear program)\n"
                               : " (Lagrange multipliers)\n");
    Out += "oracle: smallest imbalance found within " +
           percentToText(figures().LeastAcvWithin - 1) +
           " more time: " + percentToText(B.LeastAcv) + "\n";
  }
  for (const std::string &A : M.Assumed)
    Out += "assumed: " + A + "\n";
  return Out;
}

} // namespace evenkeel
