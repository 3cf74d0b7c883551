//===- Replan.cpp - a plan's data for planning again ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Replan.h.
//===----------------------------------------------------------------------===//
#include "Replan.h"
#include "File.h"
#include "Identity.h"
#include <nlohmann/json.hpp>

using namespace evenkeel;
using nlohmann::json;

/// A program reads its plan before main; a few megabytes take a tenth of a
/// second.
static constexpr size_t MostBytes = 8 << 20;

using KnownSizes = std::vector<std::pair<InstanceName, double>>;

static json sizesToJson(const KnownSizes &Sizes) {
  json Out = json::array();
  for (const auto &[Name, Bytes] : Sizes)
    Out.push_back({idToString(Name.Site), idToString(Name.Context),
                   Name.Creator, Name.Ordinal, Name.InContext, Bytes});
  return Out;
}

/// No computer has as much memory.
static constexpr double MostSize = 1ULL << 53;

static void readSizes(const json &J, JsonReader &R, KnownSizes &Out) {
  for (const json &X : R.array(J, "replan", "sizes", true)) {
    bool Good = X.is_array() && X.size() == 6 && X[0].is_string() &&
                X[1].is_string() && X[5].is_number() &&
                X[5].get<double>() >= 0 && X[5].get<double>() <= MostSize;
    for (size_t K = 2; Good && K < 5; ++K)
      Good = X[K].is_number_unsigned() && X[K].get<uint64_t>() <= UINT32_MAX;
    if (!Good) {
      R.fail("replan.sizes", "must be of [site, context, creator, ordinal, "
                             "ordinal in the context, bytes]");
      return;
    }
    Out.push_back({{idFromString(X[0].get<std::string>()),
                    idFromString(X[1].get<std::string>()), X[2].get<uint64_t>(),
                    X[3].get<uint32_t>(), X[4].get<uint32_t>()},
                   X[5].get<double>()});
  }
}

std::string evenkeel::replanToJson(const ReplanData &D,
                                   const std::string &Methods) {
  json Said = json::parse(Methods, nullptr, false);
  if (Said.is_object() && Said.contains("methods"))
    Said = Said["methods"];
  if (!Said.is_object())
    Said = json::object();
  auto Omitted = [&] {
    const json J = {{"omitted", "facts and base profile would take more than " +
                                    std::to_string(MostBytes >> 20) + " MiB"},
                    {"methods", Said}};
    return J.dump(-1, ' ', false, json::error_handler_t::replace);
  };
  if (leastJsonBytes(D.Base) > MostBytes)
    return Omitted(); // before writing much
  json For = json::array();
  for (const auto &[Name, Task, Value] : D.For)
    For.push_back({Name, Task ? json(*Task) : json(nullptr), Value});
  json J = {{"fast", D.Fast},
            {"planner", D.Planner},
            {"model", D.Model},
            {"for", std::move(For)},
            {"facts", json::parse(factsToJson(D.F))},
            {"machine", machineToJson(D.M, "as planned for")},
            {"base", profileToJson(D.Base)}};
  if (!D.Seen.Rows.empty())
    J["seen"] = seenTypesToJson(D.Seen);
  if (!D.Fitted.empty())
    J["fitted"] = fittedToJson(D.Fitted);
  if (!D.Sizes.empty())
    J["sizes"] = sizesToJson(D.Sizes);
  J["methods"] = Said;
  std::string Text = J.dump(-1, ' ', false, json::error_handler_t::replace);
  return Text.size() > MostBytes ? Omitted() : Text;
}

Expected<ReplanData> evenkeel::readReplan(const std::string &Text,
                                          const std::string &Path) {
  json J = json::parse(Text, nullptr, false);
  JsonReader R(Path);
  if (!J.is_object() || !J.contains("base")) {
    std::string Why = "the plan carries no base profile";
    if (J.is_object() && J.contains("omitted") && J["omitted"].is_string())
      Why = oneLine(J["omitted"].get<std::string>());
    return Error{Path + ": " + Why};
  }
  ReplanData D;
  D.Fast = R.string(J, "replan", "fast");
  D.Planner = R.string(J, "replan", "planner");
  D.Model = R.string(J, "replan", "model");
  for (const json &G : R.array(J, "replan", "for", true)) {
    if (!G.is_array() || G.size() != 3 || !G[0].is_string() ||
        !(G[1].is_null() || G[1].is_number_unsigned()) || !G[2].is_number()) {
      R.fail("replan.for", "must be of [name, task, value]");
      break;
    }
    std::optional<uint32_t> Task;
    if (!G[1].is_null())
      Task = G[1].get<uint32_t>();
    D.For.emplace_back(G[0].get<std::string>(), Task, G[2].get<double>());
  }
  const json *F = R.member(J, "replan", "facts");
  const json *M = R.member(J, "replan", "machine");
  const json *B = R.member(J, "replan", "base");
  if (R.failed())
    return R.error();
  for (const auto &[Part, Kind] :
       {std::pair(F, "facts"), {M, "machine"}, {B, "base"}})
    if (!Part->is_object()) {
      R.fail(std::string("replan.") + Kind, "must be an object");
      return R.error();
    }
  Expected<Facts> ReadFacts = factsFromJson(*F, Path);
  if (!ReadFacts)
    return ReadFacts.takeError();
  Expected<Machine> ReadMachine = machineFromJson(*M, Path);
  if (!ReadMachine)
    return ReadMachine.takeError();
  Expected<Profile> ReadBase = profileFromJson(*B, Path);
  if (!ReadBase)
    return ReadBase.takeError();
  if (J.contains("seen")) {
    Expected<SeenTypes> Seen =
        seenTypesFromJson(J["seen"], "replan.seen", Path);
    if (!Seen)
      return Seen.takeError();
    D.Seen = std::move(*Seen);
  }
  if (J.contains("fitted")) {
    Expected<FittedValues> Fitted =
        fittedFromJson(J["fitted"], "replan.fitted", Path);
    if (!Fitted)
      return Fitted.takeError();
    D.Fitted = std::move(*Fitted);
  }
  readSizes(J, R, D.Sizes);
  if (R.failed())
    return R.error();
  D.F = std::move(*ReadFacts);
  D.M = std::move(*ReadMachine);
  D.Base = std::move(*ReadBase);
  return D;
}
