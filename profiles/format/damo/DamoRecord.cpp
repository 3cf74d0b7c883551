//===- DamoRecord.cpp - what damo records ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See DamoRecord.h. Numbers are JSON's, or texts that damo made for people:
// "1,048,576".
//===----------------------------------------------------------------------===//
#include "DamoRecord.h"
#include "PerfScript.h"
#include "ZlibStream.h"
#include "format/File.h"
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

namespace evenkeel::damo {

using nlohmann::json;

/// A text of digits with commas between them, and maybe a fraction.
static std::optional<double> numberOf(const json &J) {
  if (J.is_number())
    return J.get<double>();
  if (!J.is_string())
    return {};
  std::string Digits = J.get<std::string>();
  Digits.erase(std::remove(Digits.begin(), Digits.end(), ','), Digits.end());
  char *End = nullptr;
  const double N = std::strtod(Digits.c_str(), &End);
  if (Digits.empty() || *End || !std::isfinite(N))
    return {};
  return N;
}

/// An address, all of its bits.
static std::optional<uint64_t> addressOf(const json &J) {
  if (J.is_number_unsigned())
    return J.get<uint64_t>();
  if (!J.is_string())
    return {};
  std::string Digits = J.get<std::string>();
  Digits.erase(std::remove(Digits.begin(), Digits.end(), ','), Digits.end());
  if (Digits.empty() ||
      Digits.find_first_not_of("0123456789") != std::string::npos)
    return {};
  errno = 0;
  const unsigned long long N = std::strtoull(Digits.c_str(), nullptr, 10);
  if (errno)
    return {};
  return N;
}

static std::optional<double> memberNumber(const json &J, const char *Name) {
  auto It = J.is_object() ? J.find(Name) : J.end();
  return It == J.end() || !J.is_object() ? std::nullopt : numberOf(*It);
}

static const json *member(const json &J, const char *Name) {
  if (!J.is_object())
    return nullptr;
  auto It = J.find(Name);
  return It == J.end() ? nullptr : &*It;
}

/// Null where the region has no number of accesses.
static std::optional<Region> readRegion(const json &J, double MostSamples) {
  const json *Start = member(J, "start"), *End = member(J, "end"),
             *Accesses = member(J, "nr_accesses");
  if (!Start || !End || !Accesses)
    return {};
  const std::optional<uint64_t> From = addressOf(*Start), To = addressOf(*End);
  std::optional<double> Share;
  if (std::optional<double> N = memberNumber(*Accesses, "samples"))
    Share = *N / MostSamples;
  else if ((N = memberNumber(*Accesses, "percent")))
    Share = *N / 100;
  if (!From || !To || *To <= *From || !Share || !(*Share >= 0))
    return {};
  return Region{*From, *To, std::min(1.0, *Share)};
}

static MaybeError readSnapshot(const json &J, const std::string &W,
                               double MostSamples, Target &To) {
  const std::optional<double> Start = memberNumber(J, "start_time"),
                              End = memberNumber(J, "end_time");
  const json *Regions = member(J, "regions");
  if (!Start || !End || !(*Start >= 0) || !(*End > *Start) || *End > 1e19 ||
      !Regions || !Regions->is_array())
    return Error{W + " has no times or no regions"};
  Snapshot S;
  S.StartNs = *Start;
  S.EndNs = *End;
  for (size_t I = 0; I < Regions->size(); ++I) {
    std::optional<Region> R = readRegion((*Regions)[I], MostSamples);
    if (!R)
      return Error{W + ".regions[" + std::to_string(I) +
                   "] is no address range with a number of accesses"};
    S.Regions.push_back(*R);
  }
  if (!S.Regions.empty())
    To.Snapshots.push_back(std::move(S));
  return {};
}

static Expected<Target> readTarget(const json &J, const std::string &W) {
  const json *Intervals = member(J, "intervals"),
             *Snapshots = member(J, "snapshots"), *Id = member(J, "target_id");
  if (!Snapshots || !Snapshots->is_array())
    return Error{W + " has no snapshots"};
  Target T;
  if (Id)
    T.Id = Id->is_string() ? Id->get<std::string>() : Id->dump();
  double Sample = DefaultSampleUs, Aggregation = DefaultAggregationUs;
  T.Assumed = !Intervals || Intervals->is_null();
  if (!T.Assumed) {
    const std::optional<double> S = memberNumber(*Intervals, "sample_us"),
                                A = memberNumber(*Intervals, "aggr_us");
    if (!S || !A || !(*S > 0) || !(*A >= *S) || *A > 1e12)
      return Error{W + ".intervals has no sample_us and aggr_us"};
    Sample = *S;
    Aggregation = *A;
  }
  T.SampleNs = Sample * 1000;
  for (size_t I = 0; I < Snapshots->size(); ++I)
    if (MaybeError E = readSnapshot((*Snapshots)[I],
                                    W + ".snapshots[" + std::to_string(I) + "]",
                                    Aggregation / Sample, T))
      return *E;
  return T;
}

static Expected<std::vector<Target>> parseJson(const std::string &Text) {
  const json J = json::parse(Text, nullptr, false);
  if (!J.is_array())
    return Error{"is no list of records as damo 2 and 3 write them"};
  std::vector<Target> Out;
  for (size_t I = 0; I < J.size(); ++I) {
    Expected<Target> T = readTarget(J[I], "[" + std::to_string(I) + "]");
    if (!T)
      return T.takeError();
    Out.push_back(std::move(*T));
  }
  return Out;
}

/// Puts snapshots and regions in order. False if regions overlap.
static bool sort(Target &T) {
  std::sort(T.Snapshots.begin(), T.Snapshots.end(), [](auto &A, auto &B) {
    return std::pair(A.StartNs, A.EndNs) < std::pair(B.StartNs, B.EndNs);
  });
  for (Snapshot &S : T.Snapshots) {
    std::sort(S.Regions.begin(), S.Regions.end(),
              [](auto &A, auto &B) { return A.Start < B.Start; });
    for (size_t I = 1; I < S.Regions.size(); ++I)
      if (S.Regions[I].Start < S.Regions[I - 1].End)
        return false;
  }
  return true;
}

/// Of what kind a file is: by its first bytes, as damo does.
static Expected<std::vector<Target>> parseKind(const std::string &Bytes) {
  if (isZlib(Bytes)) {
    constexpr size_t Most = size_t(1) << 30;
    Expected<std::string> Text = inflated(Bytes, Most);
    if (!Text)
      return Text.takeError();
    return parseJson(*Text);
  }
  if (Bytes.rfind("PERFILE", 0) == 0)
    return Error{"is data of perf, which only perf reads; write it anew with "
                 "`damo convert_record_format --format json`"};
  const size_t First = Bytes.find_first_not_of(" \t\r\n");
  if (First != std::string::npos &&
      (Bytes[First] == '[' || Bytes[First] == '{'))
    return parseJson(Bytes);
  return parsePerfScript(Bytes);
}

Expected<std::vector<Target>> parseRecord(const std::string &Bytes,
                                          const std::string &Path) {
  auto Named = [&](const std::string &What) {
    return Error{oneLine(Path + ": " + What)};
  };
  Expected<std::vector<Target>> All = parseKind(Bytes);
  if (!All)
    return Named(All.message());
  std::vector<Target> Out;
  for (Target &T : *All) {
    if (!sort(T))
      return Named("has regions that overlap");
    if (!T.Snapshots.empty())
      Out.push_back(std::move(T));
  }
  if (Out.empty())
    return Named("has no snapshot with regions");
  return Out;
}

} // namespace evenkeel::damo
