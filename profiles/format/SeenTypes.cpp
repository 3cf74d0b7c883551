//===- SeenTypes.cpp - measured times of task types -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SeenTypes.h"
#include "File.h"
#include "Identity.h"
#include <cmath>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using nlohmann::json;

json evenkeel::seenTypesToJson(const SeenTypes &T) {
  json Rows = json::array();
  for (const SeenType &X : T.Rows)
    Rows.push_back({idToString(X.Region), idToString(X.Sync), X.Explicit,
                    X.Kind, X.Owner, X.CoreSeconds, X.Lines, X.Took, X.Said});
  return {{"base", T.Base}, {"rows", std::move(Rows)}};
}

Expected<SeenTypes> evenkeel::seenTypesFromJson(const json &J,
                                                const std::string &Where,
                                                const std::string &Path) {
  JsonReader R(Path);
  SeenTypes T;
  if (!J.is_object()) {
    R.fail(Where, "must be an object");
    return R.error();
  }
  T.Base = R.string(J, Where, "base");
  for (const json &X : R.array(J, Where, "rows")) {
    bool Good = X.is_array() && X.size() == 9 && X[0].is_string() &&
                X[1].is_string() && X[2].is_boolean() &&
                X[3].is_number_unsigned() && X[4].is_number_unsigned();
    for (size_t K = 5; Good && K < 9; ++K)
      Good = X[K].is_number() && std::isfinite(X[K].get<double>()) &&
             X[K].get<double>() >= 0;
    if (!Good || X[7].get<double>() <= 0 || X[8].get<double>() <= 0) {
      R.fail(Where + ".rows", "must be of [region, sync, explicit, kind, "
                              "owner, core seconds, lines, seconds taken, "
                              "seconds said]");
      break;
    }
    T.Rows.push_back({idFromString(X[0].get<std::string>()),
                      idFromString(X[1].get<std::string>()), X[2].get<bool>(),
                      X[3].get<uint32_t>(), X[4].get<uint32_t>(),
                      X[5].get<double>(), X[6].get<double>(),
                      X[7].get<double>(), X[8].get<double>()});
  }
  if (R.failed())
    return R.error();
  return T;
}
