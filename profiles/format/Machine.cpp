//===- Machine.cpp - find, read and check machine files -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the JSON of Machine.h; DataFolder.h finds the files.
//===----------------------------------------------------------------------===//
#include "Machine.h"
#include "DataFolder.h"
#include "File.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using nlohmann::json;

static const char *const Remedy =
    "see `evenkeel machine show optane-6252n` for a good one";

namespace {

constexpr double MostCache = 1e12, MostCapacity = 1e18; // bytes
constexpr double MostLatency = 1e6;                     // ns
constexpr double MostBandwidth = 1e6;                   // GB/s
constexpr double MostPage = 1e6;                        // us
constexpr double MostUtilisation = 100, MostFactor = 1e4;

const DataFolder Machines = {"machine", "machines", "EVENKEEL_MACHINES"};

/// Reads figures {"value": N, "source"|"assumed": "..."}.
class FigureReader {
  JsonReader &R;
  Machine &M;

public:
  FigureReader(JsonReader &R, Machine &M) : R(R), M(M) {}

  /// Records the origin of a figure if it is assumed.
  void origin(const json &O, const std::string &Where) {
    if (R.failed())
      return;
    if (O.contains("source")) {
      R.string(O, Where, "source");
      return;
    }
    if (!O.contains("assumed")) {
      R.fail(Where, "has neither 'source' nor 'assumed'");
      return;
    }
    M.Assumed.push_back(Where + ": " + R.string(O, Where, "assumed"));
  }

  /// \p Most is far beyond any real machine; it keeps replays finite.
  double figure(const json &O, const std::string &Where, const char *Name,
                double Least, double Most) {
    const json *F = R.member(O, Where, Name);
    std::string W = Where.empty() ? Name : Where + "." + Name;
    if (!F)
      return Least;
    double V = R.number(*F, W, "value");
    origin(*F, W);
    if (!R.failed() && (V < Least || V > Most)) {
      char Text[64];
      std::snprintf(Text, sizeof Text, "must be from %g to %g", Least, Most);
      R.fail(W, Text);
    }
    return V;
  }

  uint64_t whole(const json &O, const std::string &Where, const char *Name,
                 double Least, double Most) {
    double V = figure(O, Where, Name, Least, Most);
    if (!R.failed() && V != std::floor(V))
      R.fail(Where.empty() ? Name : Where + "." + Name,
             "must be a whole number");
    return R.failed() ? 0 : static_cast<uint64_t>(V);
  }
};

} // namespace

Expected<Machine> evenkeel::readMachine(const std::string &NameOrPath) {
  Expected<std::string> Path = locateDataFile(Machines, NameOrPath);
  if (!Path)
    return Path.takeError();
  Expected<json> J = readJsonFile(*Path, "machine", 1, Remedy);
  if (!J)
    return J.takeError();
  return machineFromJson(*J, *Path);
}

Expected<Machine> evenkeel::readMachineToPlan(const std::string &NameOrPath) {
  Expected<Machine> M = readMachine(NameOrPath);
  if (M && M->hasRequiredTier())
    return Error{"machine '" + M->Name + "' has a required tier (" +
                 M->Tiers[0].Name +
                 "): all data of a task must be in it, so there are no shares "
                 "to plan; choose a machine whose tiers are merely faster"};
  return M;
}

/// "copies": missing only where no tier is required.
static void readCopies(const json &J, JsonReader &R, FigureReader &F,
                       Machine &M) {
  const json *C = R.member(J, "", "copies", !M.hasRequiredTier());
  if (!C)
    return;
  M.Copies.InGBps = F.figure(*C, "copies", "in_gbps", 0.001, MostBandwidth);
  M.Copies.OutGBps = F.figure(*C, "copies", "out_gbps", 0.001, MostBandwidth);
  M.Copies.StartUs = F.figure(*C, "copies", "start_us", 0, MostPage);
}

Expected<Machine> evenkeel::machineFromJson(const json &J,
                                            const std::string &Path) {
  JsonReader R(Path);
  Machine M;
  FigureReader F(R, M);
  M.Name = R.string(J, "", "name");
  M.Title = R.string(J, "", "title", true);
  M.Cores = static_cast<unsigned>(F.whole(J, "", "cores", 1, 1e6));
  M.GHz = F.figure(J, "", "ghz", 0.01, 1000);
  M.RobInstructions =
      static_cast<unsigned>(F.whole(J, "", "rob_instructions", 1, 1e6));
  static const json None = json::object();
  const json *Caches = R.member(J, "", "caches");
  const json &C = Caches ? *Caches : None;
  M.L1Bytes = F.whole(C, "caches", "l1_bytes", 64, MostCache);
  M.L1Ways = static_cast<unsigned>(F.whole(C, "caches", "l1_ways", 1, 4096));
  M.L2Bytes = F.whole(C, "caches", "l2_bytes", 64, MostCache);
  M.L2Ways = static_cast<unsigned>(F.whole(C, "caches", "l2_ways", 1, 4096));
  M.LlcBytes = F.whole(C, "caches", "llc_bytes", 64, MostCache);
  M.LlcWays = static_cast<unsigned>(F.whole(C, "caches", "llc_ways", 1, 4096));
  M.PrefetchDepth =
      static_cast<unsigned>(F.whole(J, "", "prefetch_depth", 0, 4096));

  const json &Tiers = R.array(J, "", "tiers");
  if (!R.failed() && Tiers.size() < 2)
    R.fail("tiers", "has " + std::to_string(Tiers.size()) +
                        " tier(s), at least 2 are needed, fastest first");
  for (size_t I = 0; I < Tiers.size() && !R.failed(); ++I) {
    std::string W = "tiers[" + std::to_string(I) + "]";
    Tier T;
    T.Name = R.string(Tiers[I], W, "name");
    T.CapacityBytes = F.whole(Tiers[I], W, "capacity_bytes", 1, MostCapacity);
    T.ReadLatencyNs =
        F.figure(Tiers[I], W, "read_latency_ns", 0.1, MostLatency);
    T.WriteLatencyNs =
        F.figure(Tiers[I], W, "write_latency_ns", 0.1, MostLatency);
    T.ReadBandwidthGBps =
        F.figure(Tiers[I], W, "read_bandwidth_gbps", 0.001, MostBandwidth);
    T.WriteBandwidthGBps =
        F.figure(Tiers[I], W, "write_bandwidth_gbps", 0.001, MostBandwidth);
    T.Required = R.boolean(Tiers[I], W, "required", false, true);
    if (T.Required && I > 0)
      R.fail(W + ".required", "only tiers[0], the fastest, can be required");
    M.Tiers.push_back(std::move(T));
  }

  if (const json *L = R.member(J, "", "loaded_latency")) {
    double LastU = -1, LastF = 1;
    for (const json &P : R.array(*L, "loaded_latency", "points")) {
      bool Good =
          P.is_array() && P.size() == 2 && P[0].is_number() && P[1].is_number();
      double U = Good ? P[0].get<double>() : 0;
      double X = Good ? P[1].get<double>() : 0;
      if (!Good || U <= LastU || U < 0 || X < LastF || U > MostUtilisation ||
          X > MostFactor) {
        R.fail("loaded_latency.points",
               "must be [utilisation, factor] pairs, both rising, factors from "
               "1 to 10000");
        break;
      }
      LastU = U;
      LastF = X;
      M.LoadedLatency.emplace_back(U, X);
    }
    if (!R.failed() && M.LoadedLatency.empty())
      R.fail("loaded_latency.points", "must not be empty");
    F.origin(*L, "loaded_latency");
  }
  if (const json *G = R.member(J, "", "migration")) {
    M.MigrationPageUs = F.figure(*G, "migration", "page_us", 0, MostPage);
    M.MigrationBandwidthGBps =
        F.figure(*G, "migration", "bandwidth_gbps", 0.001, MostBandwidth);
  }
  readCopies(J, R, F, M);
  if (R.failed())
    return R.error();
  return M;
}

json evenkeel::machineToJson(const Machine &M, const std::string &Source) {
  auto Figure = [&](double V) -> json {
    return {{"value", V}, {"source", Source}};
  };
  json Tiers = json::array(), Points = json::array();
  for (const Tier &T : M.Tiers) {
    Tiers.push_back({{"name", T.Name},
                     {"capacity_bytes", Figure(double(T.CapacityBytes))},
                     {"read_latency_ns", Figure(T.ReadLatencyNs)},
                     {"write_latency_ns", Figure(T.WriteLatencyNs)},
                     {"read_bandwidth_gbps", Figure(T.ReadBandwidthGBps)},
                     {"write_bandwidth_gbps", Figure(T.WriteBandwidthGBps)}});
    if (T.Required)
      Tiers.back()["required"] = true;
  }
  for (auto [U, F] : M.LoadedLatency)
    Points.push_back({U, F});
  json Out = {
      {"schema", "evenkeel.machine/1"},
      {"name", M.Name},
      {"title", M.Title},
      {"cores", Figure(M.Cores)},
      {"ghz", Figure(M.GHz)},
      {"rob_instructions", Figure(M.RobInstructions)},
      {"caches",
       {{"l1_bytes", Figure(double(M.L1Bytes))},
        {"l1_ways", Figure(M.L1Ways)},
        {"l2_bytes", Figure(double(M.L2Bytes))},
        {"l2_ways", Figure(M.L2Ways)},
        {"llc_bytes", Figure(double(M.LlcBytes))},
        {"llc_ways", Figure(M.LlcWays)}}},
      {"prefetch_depth", Figure(M.PrefetchDepth)},
      {"tiers", std::move(Tiers)},
      {"loaded_latency", {{"points", std::move(Points)}, {"source", Source}}},
      {"migration",
       {{"page_us", Figure(M.MigrationPageUs)},
        {"bandwidth_gbps", Figure(M.MigrationBandwidthGBps)}}}};
  if (M.hasRequiredTier())
    Out["copies"] = {{"in_gbps", Figure(M.Copies.InGBps)},
                     {"out_gbps", Figure(M.Copies.OutGBps)},
                     {"start_us", Figure(M.Copies.StartUs)}};
  return Out;
}

std::vector<std::pair<std::string, std::string>> evenkeel::listMachines() {
  std::vector<std::pair<std::string, std::string>> List;
  for (const auto &[Name, Path] : dataFiles(Machines)) {
    Expected<json> J = readJsonFile(Path, "machine", 1, Remedy);
    std::string Title;
    if (!J)
      Title = "(unreadable: " + J.message() + ")";
    else if (auto It = J->find("title"); It != J->end() && It->is_string())
      Title = It->get<std::string>();
    List.emplace_back(Name, Title);
  }
  return List;
}

std::vector<std::string> evenkeel::machinesToPlan() {
  std::vector<std::string> Out;
  for (const auto &[Name, Title] : listMachines()) {
    // An unreadable one stays in the list, to be named where it is read.
    Expected<Machine> M = readMachine(Name);
    if (!M || !M->hasRequiredTier())
      Out.push_back(Name);
  }
  return Out;
}

Expected<std::string> evenkeel::machineText(const std::string &NameOrPath) {
  Expected<std::string> Path = locateDataFile(Machines, NameOrPath);
  if (!Path)
    return Path.takeError();
  return readWholeFile(*Path);
}

Expected<uint64_t> evenkeel::parseFastSize(const std::string &Text,
                                           uint64_t Whole) {
  Error Bad{"'" + Text + "' is not an amount of fast memory; write a share " +
            "like 12.5% or a size like 512MiB, 1.5GB, 4096B"};
  // strtod would also accept "inf", "nan", hexadecimal and leading blanks.
  if (Text.empty() || Text.find_first_not_of("0123456789.") == 0)
    return Bad;
  size_t End = Text.find_first_not_of("0123456789.");
  std::string Number = Text.substr(0, End);
  std::string Unit = End == std::string::npos ? "" : Text.substr(End);
  if (Number == "." || std::count(Number.begin(), Number.end(), '.') > 1)
    return Bad;
  double V = std::strtod(Number.c_str(), nullptr);
  double Scale = 0;
  static const struct {
    const char *Name;
    double Bytes;
  } Units[] = {{"", 1},
               {"B", 1},
               {"K", 1024.0},
               {"KiB", 1024.0},
               {"kB", 1e3},
               {"KB", 1e3},
               {"M", 1048576.0},
               {"MiB", 1048576.0},
               {"MB", 1e6},
               {"G", 1073741824.0},
               {"GiB", 1073741824.0},
               {"GB", 1e9},
               {"T", 1099511627776.0},
               {"TiB", 1099511627776.0},
               {"TB", 1e12}};
  if (Unit == "%")
    Scale = static_cast<double>(Whole) / 100;
  for (const auto &U : Units)
    if (Unit == U.Name)
      Scale = U.Bytes;
  if (Unit != "%" && Scale == 0)
    return Bad;
  double Bytes = std::floor(V * Scale);
  if (!(Bytes < 9e18))
    return Bad;
  return static_cast<uint64_t>(Bytes);
}

MaybeError evenkeel::checkFastOn(const Machine &M, uint64_t Bytes) {
  const uint64_t Most = M.Tiers.at(0).CapacityBytes;
  if (Bytes <= Most)
    return std::nullopt;
  auto Text = [](uint64_t Size) {
    for (const auto &[Name, Unit] : {std::pair{"TiB", 1ull << 40},
                                     {"GiB", 1ull << 30},
                                     {"MiB", 1ull << 20}})
      if (Size % Unit == 0)
        return std::to_string(Size / Unit) + Name;
    return std::to_string(Size) + "B";
  };
  return Error{Text(Bytes) + " of fast memory is more than machine " + M.Name +
               " has; use " + Text(Most) + " or less"};
}

MaybeError evenkeel::checkFastSize(const std::string &Text) {
  Expected<uint64_t> Bytes = parseFastSize(Text, 0);
  if (!Bytes)
    return Bytes.takeError();
  if (Text.back() == '%' && std::strtod(Text.c_str(), nullptr) > 100)
    return Error{"'" + Text + "' is more than 100 %; write a share up to " +
                 "100%, or a size like 512MiB"};
  bool Zero = Text.find_first_of("123456789") == std::string::npos;
  if (Zero || Text.find_first_not_of("0123456789.") != std::string::npos)
    return std::nullopt;
  return Error{"'" + Text + "' is an amount of fast memory without a unit; " +
               "write " + Text + "% for a share, or a size like " + Text +
               "GiB or " + Text + "B"};
}
