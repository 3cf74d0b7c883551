//===- Export.cpp - evenkeel export ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: files of ours as those of ecoHMEM: a profile as histograms and
// allocsinfo.json, touched pages as histograms, a machine as a list of tiers, a
// plan as FlexMalloc's locations and memory definitions. Not here: how the
// files look (profiles/format/ecohmem/).
//===----------------------------------------------------------------------===//
#include "cli/common/Cli.h"
#include "format/Facts.h"
#include "format/File.h"
#include "format/Machine.h"
#include "format/ecohmem/FromProfile.h"
#include "format/ecohmem/FromTouches.h"
#include "format/ecohmem/Histogram.h"
#include "format/ecohmem/MemoryConfig.h"
#include "format/ecohmem/StackLog.h"
#include "text/Reasons.h"
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;
using namespace evenkeel;
using namespace evenkeel::cli;
using namespace evenkeel::ecohmem;

using Files = std::vector<std::pair<std::string, std::string>>;

/// Writes all of \p Out into \p Folder, none of them over another file.
static void writeFiles(const std::string &Folder, const Files &Out) {
  std::error_code E;
  for (const auto &[Name, Text] : Out)
    if (fs::exists(fs::path(Folder) / Name, E))
      fail("'" + Folder + "/" + Name +
           "' exists; remove it or choose another folder");
  fs::create_directories(Folder, E);
  if (E)
    fail("'" + Folder + "' cannot be made: " + E.message());
  for (const auto &[Name, Text] : Out)
    orFail(writeWholeFile(Folder + "/" + Name, Text));
}

static void addMachine(const Args &A, uint64_t PeakBytes, Files &Out) {
  if (!A.has("--machine"))
    return;
  const Machine M = orFail(readMachine(A.text("--machine")));
  std::vector<MemoryTier> Tiers;
  for (const Tier &T : M.Tiers)
    Tiers.push_back({Tiers.empty() ? "DRAM" : T.Name,
                     Tiers.empty() ? A.text("--fast-allocator")
                                   : A.text("--slow-allocator"),
                     std::max<int64_t>(1, std::llround(T.ReadLatencyNs)),
                     std::max<int64_t>(1, std::llround(T.WriteLatencyNs)),
                     int64_t(T.CapacityBytes)});
  if (A.has("--fast"))
    Tiers[0].Bytes =
        int64_t(orFail(parseFastSize(A.text("--fast"), PeakBytes)));
  Out.emplace_back("tiers.csv", memoryConfigText(Tiers));
}

/// The histograms of either kind of tables.
template <typename T> static Files histogramsOf(const T &Of) {
  return {{"loads.csv", histogramText(Of.Stacks, Of.Loads)},
          {"stores.csv", histogramText(Of.Stacks, Of.Stores)},
          {"sizes.csv", histogramText(Of.Stacks, Of.Bytes)}};
}

static int exportProfile(const Args &A) {
  const Profile P = orFail(readProfile(A.require("--base")));
  const Facts F = orFail(readFacts(A.require("--facts")));
  const ProfileTables T = orFail(tablesOf(P, F));
  Files Out = histogramsOf(T);
  Out.emplace_back("allocsinfo.json",
                   allocsInfoText(T.Stacks, T.Allocations, 1));
  addMachine(A, T.PeakBytes, Out);
  const std::string Folder = A.require("--output");
  writeFiles(Folder, Out);
  if (A.has("--json")) {
    printJson({{"schema", "evenkeel.export/1"},
               {"objects", T.Stacks.size()},
               {"allocations", T.Allocations.size()}});
    return 0;
  }
  std::printf("%s: %zu objects, %zu allocations\n"
              "not said  phases, tasks, and which part of an object is used\n",
              Folder.c_str(), T.Stacks.size(), T.Allocations.size());
  return 0;
}

static int exportTouches(const Args &A) {
  const std::string Path = A.text("--touches");
  const TouchTables T = orFail(ecohmem::tablesOf(orFail(readTouches(Path))));
  Files Out = histogramsOf(T);
  addMachine(A, T.PeakBytes, Out);
  const std::string Folder = A.require("--output");
  writeFiles(Folder, Out);
  if (A.has("--json")) {
    printJson({{"schema", "evenkeel.export/1"},
               {"objects", T.Stacks.size()},
               {"left_out", {{"no-call-stack", T.LeftOut}}},
               {"about", TouchesAre}});
    return 0;
  }
  std::printf("%s: %zu objects by call stack; %zu without one are left out\n"
              "loads     touched pages, summed over all passes (%s)\n",
              Folder.c_str(), T.Stacks.size(), T.LeftOut, TouchesAre);
  return 0;
}

static int exportPlan(const Args &A) {
  Allocators Use;
  Use.Fast = A.text("--fast-allocator");
  Use.Slow = A.text("--slow-allocator");
  for (const std::string &Name : {Use.Fast, Use.Slow})
    orFail(checkAllocator(Name));
  if (Use.Fast == Use.Slow)
    fail("--fast-allocator and --slow-allocator have to differ");
  if (Use.Fast == "memkind/pmem")
    fail("memkind/pmem has no size in FlexMalloc's definitions, so it cannot "
         "be the fast memory");
  Use.SlowFolders = A.all("--pmem");
  if ((Use.Slow == "memkind/pmem") == Use.SlowFolders.empty())
    fail("--pmem FOLDER is needed for memkind/pmem, and only there");
  const Plan P = orFail(readPlan(A.text("--plan")));
  const FlexMallocFiles Made =
      orFail(filesOf(P, orFail(readStackLog(A.require("--stack-log"))), Use));
  const std::string Folder = A.require("--output");
  writeFiles(Folder, {{"locations", Made.Locations},
                      {"definitions", Made.Definitions}});
  if (A.has("--json")) {
    printJson({{"schema", "evenkeel.export/1"},
               {"fast_stacks", Made.Fast},
               {"slow_stacks", Made.Slow},
               {"left_out", Made.Left}});
    return 0;
  }
  std::printf("%s: %u call stacks in fast memory, %u in slow memory\n",
              Folder.c_str(), Made.Fast, Made.Slow);
  for (const auto &[Why, N] : Made.Left)
    std::printf("left out  %llu (%s): %s\n", static_cast<unsigned long long>(N),
                Why.c_str(), meaningOf(Why, {Reason::Trace}).c_str());
  std::printf("next      flexmalloc.sh %s/definitions %s/locations PROGRAM\n",
              Folder.c_str(), Folder.c_str());
  return 0;
}

static int run(const Args &A) {
  if (A.has("--fast") && !A.has("--machine"))
    fail("--fast is the size of the first tier of --machine M");
  if (A.has("--plan") + A.has("--base") + A.has("--touches") != 1)
    fail("give either --base with --facts, or --touches, or --plan with "
         "--stack-log");
  if (A.has("--touches"))
    return exportTouches(A);
  return A.has("--plan") ? exportPlan(A) : exportProfile(A);
}

namespace evenkeel::cli {
const Subcommand &exportCommand() {
  static const Subcommand C = {
      "export",
      "How do ecoHMEM's advisor and FlexMalloc take a profile or a plan?",
      "export --base BASE.ekdb --facts FILE [--machine M [--fast SIZE]] -o "
      "FOLDER | export --touches touches.json [--machine M [--fast SIZE]] -o "
      "FOLDER | export --plan FILE --stack-log FILE [--pmem FOLDER] -o FOLDER",
      "evenkeel export --base base.ekdb --facts facts.json \\\n"
      "  --machine optane-6252n --fast 25% -o for-ecohmem",
      {{"--base", nullptr, "FILE", "profile: what record wrote"},
       {"--facts", nullptr, "FILE", "with --base: what analyze wrote"},
       {"--machine", nullptr, "M",
        "with --base or --touches: also write its tiers, with latencies as "
        "weights"},
       {"--touches", nullptr, "FILE",
        "touched pages: what record --pages wrote; touches, not misses, are "
        "the loads then"},
       {"--fast", nullptr, "SHARE",
        "with --machine: size of the first tier, a share of the peak (25%) or "
        "a "
        "size (16GiB)"},
       {"--plan", nullptr, "FILE", "plan: what plan or tune wrote"},
       {"--stack-log", nullptr, "FILE",
        "with --plan: call stacks that a run logged (EVENKEEL_STACK_LOG)"},
       {"--fast-allocator", nullptr, "NAME",
        "FlexMalloc's allocator of fast memory: posix or memkind/hbwmalloc",
        "posix"},
       {"--slow-allocator", nullptr, "NAME",
        "FlexMalloc's allocator of slow memory: posix or memkind/pmem",
        "memkind/pmem"},
       {"--pmem", nullptr, "FOLDER",
        "where memory of memkind/pmem is mounted; repeatable"},
       {"--output", "-o", "FOLDER", "folder to write the files to"}},
      run};
  return C;
}
} // namespace evenkeel::cli
