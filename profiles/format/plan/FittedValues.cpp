//===- FittedValues.cpp - growth by fits over several base inputs ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FittedValues.h.
//===----------------------------------------------------------------------===//
#include "FittedValues.h"
#include "format/File.h"
#include "format/Identity.h"
#include <cmath>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using nlohmann::json;

/// The number of values that name an object.
static constexpr size_t NameParts = 5;

static json nameToJson(const InstanceName &N) {
  return {idToString(N.Site), idToString(N.Context), N.Creator, N.Ordinal,
          N.InContext};
}

static json growthToJson(const std::optional<FittedGrowth> &G) {
  return G ? json{G->Times, G->Off} : json(nullptr);
}

json evenkeel::fittedToJson(const FittedValues &V) {
  json Sizes = json::array(), Tasks = json::array();
  for (const FittedSize &S : V.Sizes) {
    json Row = nameToJson(S.Of);
    Row.push_back(S.Bytes.Times);
    Row.push_back(S.Bytes.Off);
    Sizes.push_back(std::move(Row));
  }
  for (const FittedTasks &T : V.Tasks) {
    json Objects = json::array();
    for (const FittedTasks::Object &O : T.Objects) {
      json Row = nameToJson(O.Of);
      Row.push_back(growthToJson(O.Accesses));
      Row.push_back(growthToJson(O.Lines));
      Row.push_back(O.Than);
      Objects.push_back(std::move(Row));
    }
    Tasks.push_back({idToString(T.Region), idToString(T.Sync), T.Explicit,
                     growthToJson(T.Core), T.CoreDetermined,
                     std::move(Objects)});
  }
  return {{"sizes", std::move(Sizes)}, {"tasks", std::move(Tasks)}};
}

static bool isGrowth(const json &Times, const json &Off) {
  return Times.is_number() && Off.is_number() &&
         std::isfinite(Times.get<double>()) && Times.get<double>() > 0 &&
         std::isfinite(Off.get<double>()) && Off.get<double>() >= 0;
}

/// False if \p J is neither null nor a growth.
static bool readGrowth(const json &J, std::optional<FittedGrowth> &Out) {
  if (J.is_null())
    return true;
  if (!J.is_array() || J.size() != 2 || !isGrowth(J[0], J[1]))
    return false;
  Out = FittedGrowth{J[0].get<double>(), J[1].get<double>()};
  return true;
}

/// False if \p J does not begin with an object's name and has not \p Size
/// values.
static bool readName(const json &J, size_t Size, InstanceName &Out) {
  if (!J.is_array() || J.size() != Size || !J[0].is_string() ||
      !J[1].is_string())
    return false;
  for (size_t K = 2; K < NameParts; ++K)
    if (!J[K].is_number_unsigned())
      return false;
  Out = {idFromString(J[0].get<std::string>()),
         idFromString(J[1].get<std::string>()), J[2].get<uint64_t>(),
         J[3].get<uint32_t>(), J[4].get<uint32_t>()};
  return true;
}

static bool readTasks(const json &J, FittedTasks &Out) {
  if (!J.is_array() || J.size() != 6 || !J[0].is_string() ||
      !J[1].is_string() || !J[2].is_boolean() || !readGrowth(J[3], Out.Core) ||
      !J[4].is_boolean() || !J[5].is_array())
    return false;
  Out.Region = idFromString(J[0].get<std::string>());
  Out.Sync = idFromString(J[1].get<std::string>());
  Out.Explicit = J[2].get<bool>();
  Out.CoreDetermined = J[4].get<bool>();
  for (const json &Row : J[5]) {
    FittedTasks::Object &O = Out.Objects.emplace_back();
    if (!readName(Row, NameParts + 3, O.Of) ||
        !readGrowth(Row[NameParts], O.Accesses) ||
        !readGrowth(Row[NameParts + 1], O.Lines) ||
        !Row[NameParts + 2].is_number_unsigned())
      return false;
    O.Than = Row[NameParts + 2].get<unsigned>();
  }
  return true;
}

Expected<FittedValues> evenkeel::fittedFromJson(const json &J,
                                                const std::string &Where,
                                                const std::string &Path) {
  JsonReader R(Path);
  FittedValues V;
  if (!J.is_object()) {
    R.fail(Where, "must be an object");
    return R.error();
  }
  for (const json &Row : R.array(J, Where, "sizes")) {
    FittedSize &S = V.Sizes.emplace_back();
    if (!readName(Row, NameParts + 2, S.Of) ||
        !isGrowth(Row[NameParts], Row[NameParts + 1])) {
      R.fail(Where + ".sizes", "must be of [site, context, creator, ordinal, "
                               "ordinal in context, growth, error]");
      break;
    }
    S.Bytes = {Row[NameParts].get<double>(), Row[NameParts + 1].get<double>()};
  }
  for (const json &Row : R.array(J, Where, "tasks"))
    if (!readTasks(Row, V.Tasks.emplace_back())) {
      R.fail(Where + ".tasks", "must be of [region, sync, explicit, core time, "
                               "determined, objects]");
      break;
    }
  if (R.failed())
    return R.error();
  return V;
}
