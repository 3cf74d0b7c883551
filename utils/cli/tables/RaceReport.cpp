//===- RaceReport.cpp - data races of a recorded program ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: source lines from llvm-symbolizer's JSON. The innermost inlined frame
// counts, because the access is written there.
//===----------------------------------------------------------------------===//
#include "RaceReport.h"
#include "cli/common/Cli.h"
#include "cli/common/Siblings.h"
#include "cli/programs/Process.h"
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <map>
#include <tuple>

namespace fs = std::filesystem;

namespace evenkeel::cli {

static std::string hex(uint64_t N) {
  char Text[24];
  std::snprintf(Text, sizeof Text, "0x%" PRIx64, N);
  return Text;
}

/// The source places of \p Offsets in an image; those without a line are
/// missing.
static std::map<uint64_t, RacePlace>
symbolise(const std::string &Image, const std::vector<uint64_t> &Offsets) {
  std::map<uint64_t, RacePlace> Out;
  std::string Tool;
  try {
    Tool = llvmTool("llvm-symbolizer");
  } catch (const Failure &) {
    return Out; // offsets are shown instead
  }
  Job J;
  J.Argv = {Tool, "--output-style=JSON", "--relative-address",
            "--obj=" + Image};
  for (uint64_t O : Offsets)
    J.Argv.push_back(hex(O));
  JobResult Ran = runJob(J);
  nlohmann::json All = nlohmann::json::parse(Ran.Out, nullptr, false);
  for (size_t I = 0; All.is_array() && I < All.size() && I < Offsets.size();
       ++I) {
    const nlohmann::json &One = All[I];
    if (!One.is_object() || !One.contains("Symbol") ||
        !One["Symbol"].is_array() || One["Symbol"].empty())
      continue;
    const nlohmann::json &S = One["Symbol"][0];
    std::string File = S.value("FileName", "");
    if (File.empty() || !S.value("Line", 0))
      continue;
    Out[Offsets[I]] = {shownPath(File) + ":" +
                           std::to_string(S.value("Line", 0)),
                       S.value("FunctionName", ""), false};
  }
  return Out;
}

std::vector<Race> racesOf(const MissRecord &R) {
  std::vector<std::vector<uint64_t>> Wanted(R.Images.size());
  for (const ek_raw_race &X : R.RaceRows)
    for (int I : {0, 1})
      if (X.image[I] != EK_NO_TASK)
        Wanted[X.image[I]].push_back(X.place[I]);
  std::vector<std::map<uint64_t, RacePlace>> Known;
  for (size_t I = 0; I < Wanted.size(); ++I) {
    std::sort(Wanted[I].begin(), Wanted[I].end());
    Wanted[I].erase(std::unique(Wanted[I].begin(), Wanted[I].end()),
                    Wanted[I].end());
    // Command lines have a maximum length.
    Wanted[I].resize(std::min<size_t>(Wanted[I].size(), 5000));
    Known.push_back(symbolise(R.Images[I].path, Wanted[I]));
  }
  auto PlaceOf = [&](const ek_raw_race &X, int I) {
    RacePlace P;
    if (X.image[I] == EK_NO_TASK) {
      P.Where = "an unknown place";
    } else if (auto At = Known[X.image[I]].find(X.place[I]);
               At != Known[X.image[I]].end()) {
      P = At->second;
    } else {
      P.Where = fs::path(R.Images[X.image[I]].path).filename().string() + "+" +
                hex(X.place[I]);
    }
    P.Writes = X.flags >> I & 1;
    return P;
  };
  // Unrolled and inlined code has several addresses for one line.
  using Key = std::tuple<bool, std::string, bool, std::string, bool, uint64_t,
                         uint32_t>;
  std::map<Key, Race> Joined;
  for (const ek_raw_race &X : R.RaceRows) {
    Race One;
    One.Places[0] = PlaceOf(X, 0);
    One.Places[1] = PlaceOf(X, 1);
    if (std::tie(One.Places[1].Where, One.Places[0].Writes) <
        std::tie(One.Places[0].Where, One.Places[1].Writes))
      std::swap(One.Places[0], One.Places[1]);
    One.Region = X.region;
    if (X.inst != EK_NO_TASK) {
      One.Site = R.Instances[X.inst].site;
      One.Ordinal = R.Instances[X.inst].ordinal;
      if (EK_RAW_IS_SMALL(One.Ordinal)) // stands for all of them
        One.Ordinal = EK_RAW_SMALL;
    }
    One.Doubtful = X.flags & 4;
    Race &All = Joined
                    .try_emplace({One.Doubtful, One.Places[0].Where,
                                  One.Places[0].Writes, One.Places[1].Where,
                                  One.Places[1].Writes, One.Site, One.Ordinal},
                                 One)
                    .first->second;
    All.Lines += X.lines;
  }
  std::vector<Race> Out;
  for (auto &[K, One] : Joined)
    Out.push_back(One);
  return Out;
}

std::string raceText(const std::vector<Race> &Races, size_t Most) {
  std::string Out;
  auto Does = [](const RacePlace &P) {
    return P.Where + (P.Writes ? " writes" : " reads");
  };
  size_t Told = 0;
  for (const Race &X : Races) {
    if (Told++ == Most) {
      Out += "evenkeel: and " + std::to_string(Races.size() - Most) +
             " more; --json lists all\n";
      break;
    }
    Out += std::string("evenkeel: ") +
           (X.Doubtful ? "possible data race" : "data race") + ": " +
           Does(X.Places[0]) + " and " + Does(X.Places[1]) +
           " the same bytes of " +
           (X.Site ? "object " + hex(X.Site) + " #" + std::to_string(X.Ordinal)
                   : std::string("memory without a known object")) +
           " on another thread, in " + countText(X.Lines) +
           (X.Lines == 1 ? " line" : " lines") +
           (X.Doubtful ? "; atomic operations or flushes may order them"
                       : "; nothing orders them") +
           "\n";
  }
  if (std::any_of(Races.begin(), Races.end(),
                  [](const Race &X) { return !X.Doubtful; }))
    Out +=
        "evenkeel: the program has data races: a second run may give another "
        "record and other results\n";
  return Out;
}

nlohmann::json raceJson(const std::vector<Race> &Races) {
  nlohmann::json Out = nlohmann::json::array();
  for (const Race &X : Races) {
    nlohmann::json One = {
        {"region", hex(X.Region)}, {"site", X.Site ? hex(X.Site) : ""},
        {"ordinal", X.Ordinal},    {"lines", X.Lines},
        {"certain", !X.Doubtful},  {"places", nlohmann::json::array()}};
    for (const RacePlace &P : X.Places)
      One["places"].push_back({{"at", P.Where},
                               {"function", P.Function},
                               {"does", P.Writes ? "write" : "read"}});
    Out.push_back(One);
  }
  return Out;
}

} // namespace evenkeel::cli
