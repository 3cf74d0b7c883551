//===- Imbalance.cpp - what ranks lose at collectives ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Imbalance.h.
//===----------------------------------------------------------------------===//
#include "Imbalance.h"
#include "format/File.h"
#include "format/Identity.h"
#include <cmath>
#include <nlohmann/json.hpp>

using nlohmann::json;

namespace evenkeel {

double Imbalance::seconds() const {
  double Sum = 0;
  for (const CollectiveImbalance &C : Collectives)
    Sum += C.seconds();
  return Sum;
}

static double shareOf(const Imbalance &I, double CollectiveImbalance::*Part) {
  double Sum = 0;
  for (const CollectiveImbalance &C : I.Collectives)
    Sum += double(C.Times) * C.*Part;
  const double All = I.seconds();
  return All > 0 ? Sum / All : 0;
}

double Imbalance::systematicShare() const {
  return shareOf(*this, &CollectiveImbalance::Systematic);
}

double Imbalance::dynamicShare() const {
  return shareOf(*this, &CollectiveImbalance::Dynamic);
}

json imbalanceToJson(const Imbalance &I) {
  json Rows = json::array();
  for (const CollectiveImbalance &C : I.Collectives)
    Rows.push_back({{"sync", idToString(C.Sync)},
                    {"call", C.Call},
                    {"times", C.Times},
                    {"sampled", C.Sampled},
                    {"mean_s", C.Mean},
                    {"interval_spread", C.IntervalSpread},
                    {"rank_spread", C.RankSpread},
                    {"slowest", C.Slowest},
                    {"systematic_s", C.Systematic},
                    {"dynamic_s", C.Dynamic}});
  json Work = json::array();
  for (const std::vector<double> &P : I.Work) {
    json Row = json::array();
    for (double Seconds : P)
      Row.push_back(uint64_t(std::llround(Seconds * 1e9)));
    Work.push_back(Row);
  }
  return {{"schema", "evenkeel.imbalance/1"},
          {"build", I.Build},
          {"ranks", I.Ranks},
          {"collectives", Rows},
          {"work_ns", Work},
          {"left_out", I.LeftOut}};
}

static void readWork(JsonReader &R, const json &J, Imbalance &I) {
  size_t N = 0;
  for (const json &Row : R.array(J, "", "work_ns")) {
    const std::string At = "work_ns[" + std::to_string(N++) + "]";
    if (!Row.is_array() || Row.size() != I.Ranks)
      return R.fail(At, "is not a list of a number for each rank");
    I.Work.emplace_back();
    for (const json &X : Row) {
      if (!X.is_number_unsigned())
        return R.fail(At, "is not a list of a number for each rank");
      I.Work.back().push_back(double(X.get<uint64_t>()) * 1e-9);
    }
  }
}

Expected<Imbalance> readImbalance(const std::string &Path) {
  Expected<json> J =
      readJsonFile(Path, "imbalance", 1, "run the program once more");
  if (!J)
    return J.takeError();
  JsonReader R(Path);
  Imbalance I;
  I.Build = R.string(*J, "", "build");
  I.Ranks = R.unsigned32(*J, "", "ranks");
  I.LeftOut = R.unsignedInt(*J, "", "left_out");
  size_t N = 0;
  for (const json &X : R.array(*J, "", "collectives")) {
    const std::string At = "collectives[" + std::to_string(N++) + "]";
    CollectiveImbalance C;
    C.Sync = R.id(X, At, "sync");
    C.Call = R.string(X, At, "call");
    C.Times = R.unsignedInt(X, At, "times");
    C.Sampled = R.unsignedInt(X, At, "sampled");
    C.Slowest = R.unsigned32(X, At, "slowest");
    auto Figure = [&](const char *Name) {
      const double Value = R.number(X, At, Name);
      if (!std::isfinite(Value) || Value < 0)
        R.fail(At + "." + Name, "is not a figure of 0 or more");
      return Value;
    };
    C.Mean = Figure("mean_s");
    C.IntervalSpread = Figure("interval_spread");
    C.RankSpread = Figure("rank_spread");
    C.Systematic = Figure("systematic_s");
    C.Dynamic = Figure("dynamic_s");
    I.Collectives.push_back(C);
  }
  readWork(R, *J, I);
  if (R.failed())
    return R.error();
  return I;
}

} // namespace evenkeel
