//===- Advise.cpp - evenkeel advise ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: ecoHMEM's advisor as a command, with the options and the output of
// hmem_advisor.
// Not here: what it decides (profiles/advisor/).
//===----------------------------------------------------------------------===//
#include "advisor/Advisor.h"
#include "cli/common/Cli.h"
#include "format/File.h"
#include "format/ecohmem/Numbers.h"
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using namespace evenkeel::cli;
using namespace evenkeel::advisor;

static Options optionsOf(const Args &A) {
  advisor::Options O;
  const std::string Algorithm = A.text("--algo");
  auto IsDigit = [](unsigned char C) { return std::isdigit(C); };
  if (Algorithm == "precise")
    O.Algorithm = Options::Precise;
  else if (!Algorithm.empty() &&
           std::all_of(Algorithm.begin(), Algorithm.end(), IsDigit))
    O.Algorithm = Options::Percent;
  else if (Algorithm != "greedy")
    fail("--algo '" + Algorithm +
         "': expected greedy, precise, or a percentage as in 5");
  O.PercentText = Algorithm;
  const std::string Metric = A.text("--metric");
  if (Metric != "latencies" && Metric != "misses")
    fail("--metric '" + Metric + "': expected latencies or misses");
  O.ByMisses = Metric == "misses";
  O.Worst = A.has("--worst");
  O.BandwidthAware = !A.has("--disable-bw-aware");
  if (O.BandwidthAware && !A.has("--allocs-info"))
    fail("the bandwidth step needs --allocs-info FILE; --disable-bw-aware "
         "leaves it out");
  std::optional<int64_t> Page = ecohmem::readBytes(A.text("--page"));
  if (!Page || *Page <= 0)
    fail("--page '" + A.text("--page") +
         "': expected a number of bytes, as in 4096b or 2M");
  O.PageBytes = *Page;
  if (A.text("--rank-statistics") == "Average") {
    std::optional<int64_t> Ranks = ecohmem::readInteger(A.text("--num-ranks"));
    if (!Ranks || *Ranks < 1)
      fail("--rank-statistics Average divides the tiers among ranks; say how "
           "many with --num-ranks N");
    O.Ranks = Ranks;
  }
  return O;
}

/// Fails for an existing file that is no result of an advisor.
static void refuseOthers(const std::string &Path) {
  std::error_code Ignored;
  if (!std::filesystem::is_regular_file(Path, Ignored) ||
      std::filesystem::file_size(Path, Ignored) == 0)
    return;
  const std::string Old = readTextFile(Path);
  if (Old.compare(0, 2, "# ") != 0 && Old.compare(0, 3, "-- ") != 0)
    fail("'" + Path + "' exists and was not written by an advisor; remove it " +
         "or choose another name");
}

static nlohmann::json jsonOf(const Distribution &D) {
  nlohmann::json Tiers = nlohmann::json::array();
  for (size_t T = 0; T < D.Tiers.size(); ++T) {
    nlohmann::json Objects = nlohmann::json::array();
    for (uint32_t I : D.InTier[T]) {
      const Object &O = D.Objects[I];
      Objects.push_back({{"stack", O.Stack},
                         {"bytes", O.Bytes},
                         {"loads", O.Loads},
                         {"stores", O.Stores},
                         {"values", O.Value}});
    }
    Tiers.push_back({{"name", D.Tiers[T].Name},
                     {"allocator", D.Tiers[T].Allocator},
                     {"bytes", D.Tiers[T].Bytes},
                     {"objects", std::move(Objects)}});
  }
  return {{"schema", "evenkeel.advice/1"}, {"tiers", std::move(Tiers)}};
}

static int run(const Args &A) {
  A.requireAll({"--mem-config", "--loads", "--sizes"});
  const advisor::Options O = optionsOf(A);
  const std::string Out = A.text("--output");
  if (!Out.empty()) {
    refuseInput(Out,
                {A.text("--mem-config"), A.text("--loads"), A.text("--sizes"),
                 A.text("--stores"), A.text("--allocs-info")});
    refuseOthers(Out);
  }
  Distribution D;
  D.Tiers = orFail(
      tiersOf(orFail(ecohmem::readMemoryConfig(A.text("--mem-config"))), O));
  const std::string Row = A.text("--rank-statistics");
  ecohmem::Histogram Stores;
  if (A.has("--stores"))
    Stores = orFail(ecohmem::readHistogram(A.text("--stores"), Row));
  orFail(readObjects(orFail(ecohmem::readHistogram(A.text("--loads"), Row)),
                     orFail(ecohmem::readHistogram(A.text("--sizes"), Row)),
                     A.has("--stores") ? &Stores : nullptr, O.PageBytes, D));
  ecohmem::AllocsInfo Allocs;
  if (A.has("--allocs-info"))
    Allocs = orFail(ecohmem::readAllocsInfo(A.text("--allocs-info")));
  orFail(advise(O, A.has("--allocs-info") ? &Allocs : nullptr, D));
  if (A.has("--json")) {
    printJson(jsonOf(D));
    return 0;
  }
  Form As = A.has("--verbose")      ? Form::Verbose
            : A.has("--visualizer") ? Form::Visualizer
                                    : Form::Locations;
  const std::string Text = orFail(resultText(D, As, A.has("--stores")));
  if (!Out.empty())
    orFail(writeWholeFile(Out, Text));
  std::fputs(D.Printed.c_str(), stdout);
  if (Out.empty())
    std::fwrite(Text.data(), 1, Text.size(), stdout);
  return 0;
}

namespace evenkeel::cli {
const Subcommand &adviseCommand() {
  static const Subcommand C = {
      "advise",
      "Where would ecoHMEM's advisor put the objects of an Extrae trace?",
      "advise --mem-config FILE --loads FILE --sizes FILE [--stores FILE] "
      "[--allocs-info FILE | --disable-bw-aware] [-o FILE]",
      "printf 'DRAM,1,1,1M,posix\\nPMEM,5,10,1G,memkind/pmem\\n' > tiers.csv\n"
      "printf '\\t[a.c:3]\\t[b.c:9]\\t\\nTotal\\t7\\t900\\t\\n' > loads.csv\n"
      "printf '\\t[a.c:3]\\t[b.c:9]\\t\\nTotal\\t8192\\t8192\\t\\n' > "
      "sizes.csv\n"
      "evenkeel advise --mem-config tiers.csv --loads loads.csv \\\n"
      "  --sizes sizes.csv --disable-bw-aware",
      {{"--mem-config", nullptr, "FILE",
        "tiers, the fastest first: name,load weight,store weight,size,"
        "allocator"},
       {"--loads", nullptr, "FILE", "Paramedir's histogram of sampled loads"},
       {"--sizes", nullptr, "FILE", "Paramedir's histogram of sizes"},
       {"--stores", nullptr, "FILE",
        "Paramedir's histogram of sampled stores (default: loads alone count)"},
       {"--allocs-info", nullptr, "FILE",
        "times of all allocations, as ecoHMEM's allocs_info writes them"},
       {"--algo", nullptr, "NAME",
        "greedy; precise (an exact knapsack of pages); or a percentage of the "
        "total value that an object needs",
        "greedy"},
       {"--metric", nullptr, "NAME",
        "value of an object per page: latencies (weighted loads and stores) or "
        "misses",
        "latencies"},
       {"--worst", nullptr, nullptr, "prefer the objects of least value"},
       {"--page", nullptr, "SIZE", "size of a page", "4096b"},
       {"--rank-statistics", nullptr, "ROW",
        "row of the histograms; Average also divides the tiers among ranks",
        "Total"},
       {"--num-ranks", nullptr, "N", "ranks, for --rank-statistics Average"},
       {"--disable-bw-aware", nullptr, nullptr,
        "leave out the step that lets objects change places by bandwidth"},
       {"--verbose", "-v", nullptr,
        "print figures instead of locations for FlexMalloc"},
       {"--visualizer", nullptr, nullptr,
        "print stack;bytes;loads instead of locations for FlexMalloc"},
       {"--output", "-o", "FILE", "file to write (default: standard output)"}},
      run};
  return C;
}
} // namespace evenkeel::cli
