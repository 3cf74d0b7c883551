//===- Whatif.cpp - evenkeel whatif ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: one recorded program on several machines with several amounts of fast
// memory: its time with and without placement, and the cheapest choice that is
// fast enough.
// Not here: replay, which evenkeel simulate does (BenchCells).
//===----------------------------------------------------------------------===//
#include "cli/bench/BenchCells.h"
#include "cli/common/Cli.h"
#include "format/Machine.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

using namespace evenkeel;
using namespace evenkeel::cli;

namespace {
/// One machine with one amount of fast memory.
struct Choice {
  std::string Machine, Fast;
  uint64_t FastBytes = 0, PeakBytes = 0;
  double Slow = 0, FirstTouch = 0, Placed = 0, AllFast = 0; // seconds
  std::optional<double> Price; // of the memory that the program uses
};

/// Price of a GiB by tier name, in any unit.
using Prices = std::map<std::string, double>;
} // namespace

static Prices readPrices(const Args &A) {
  Prices Out;
  for (const std::string &Item : splitList(A.text("--price"), ',')) {
    size_t Equals = Item.find('=');
    char *End = nullptr;
    double V = Equals == std::string::npos
                   ? -1
                   : std::strtod(Item.c_str() + Equals + 1, &End);
    if (!(V >= 0) || !std::isfinite(V) || (End && *End))
      fail("--price '" + Item + "': expected TIER=PRICE, as in dram=4");
    Out[Item.substr(0, Equals)] = V;
  }
  return Out;
}

/// The price of the tiers that hold the program's peak, the fast part first.
static std::optional<double> priceOf(const Choice &C, const Machine &M,
                                     const Prices &P) {
  auto Fast = P.find(M.Tiers[0].Name), Slow = P.find(M.Tiers[1].Name);
  if (Fast == P.end() || Slow == P.end())
    return std::nullopt;
  double GiB = 1024.0 * 1024 * 1024;
  double Held = std::min<double>(double(C.FastBytes), double(C.PeakBytes));
  return Fast->second * Held / GiB +
         Slow->second * (double(C.PeakBytes) - Held) / GiB;
}

/// "10%" as 0.1.
static double slowDown(const std::string &Text) {
  char *End = nullptr;
  double V = std::strtod(Text.c_str(), &End);
  if (End == Text.c_str() || std::string(End) != "%" || !(V >= 0) || V > 1e6)
    fail("--within '" + Text + "': expected a percentage, as in 10%");
  return V / 100;
}

/// The result of a replayed \p Cell.
static Choice choiceOf(const BenchCell &Cell, const CellResult &Result) {
  if (Result.Json.empty())
    fail(Cell.Machine + ", " + Cell.Fast + ": " + Result.Error);
  nlohmann::json J = nlohmann::json::parse(Result.Json);
  Choice C;
  C.Machine = Cell.Machine;
  C.Fast = Cell.Fast;
  C.FastBytes = J.at("fast_bytes").get<uint64_t>();
  C.PeakBytes = J.at("peak_bytes").get<uint64_t>();
  for (const nlohmann::json &P : J.at("policies")) {
    std::string Name = P.at("name").get<std::string>();
    double Seconds = P.at("makespan_s").get<double>();
    (Name == "slow-only"     ? C.Slow
     : Name == "first-touch" ? C.FirstTouch
     : Name == "fast-only"   ? C.AllFast
                             : C.Placed) = Seconds;
  }
  return C;
}

namespace {
/// All choices, and the cheapest one that is fast enough.
struct Comparison {
  std::vector<Choice> Choices;
  double Within = 0; // allowed slow-down from the fastest, as a fraction
  double Best = 0;   // seconds
  bool AllPriced = true;
  const Choice *Cheapest = nullptr;

  Comparison(std::vector<Choice> All, double Within);
};
} // namespace

Comparison::Comparison(std::vector<Choice> All, double Within)
    : Choices(std::move(All)), Within(Within), Best(Choices[0].Placed) {
  for (const Choice &C : Choices) {
    Best = std::min(Best, C.Placed);
    AllPriced &= C.Price.has_value();
  }
  // Without prices: the least fast memory, then the shortest time.
  auto Cost = [&](const Choice &C) {
    return std::make_pair(AllPriced ? *C.Price : double(C.FastBytes), C.Placed);
  };
  for (const Choice &C : Choices)
    if (C.Placed <= Best * (1 + Within) &&
        (!Cheapest || Cost(C) < Cost(*Cheapest)))
      Cheapest = &C;
}

static void printChoicesJson(const Comparison &All) {
  nlohmann::json J = {{"schema", "evenkeel.whatif/1"},
                      {"rows", nlohmann::json::array()},
                      {"within", All.Within}};
  for (const Choice &C : All.Choices) {
    J["rows"].push_back({{"machine", C.Machine},
                         {"fast", C.Fast},
                         {"fast_bytes", C.FastBytes},
                         {"slow_only_s", C.Slow},
                         {"first_touch_s", C.FirstTouch},
                         {"balanced_s", C.Placed},
                         {"fast_only_s", C.AllFast},
                         {"slow_down", C.Placed / All.Best - 1}});
    if (C.Price)
      J["rows"].back()["price"] = *C.Price;
  }
  J["cheapest"] = {{"machine", All.Cheapest->Machine},
                   {"fast", All.Cheapest->Fast}};
  J["cheapest_by"] = All.AllPriced ? "price" : "fast_bytes";
  printJson(J);
}

static void printChoices(const Comparison &All) {
  Table Out({"MACHINE", ">FAST", ">FAST MEMORY", ">SLOW-ONLY", ">FIRST TOUCH",
             ">BALANCED", ">FAST-ONLY", ">SLOW-DOWN", ">PRICE"});
  for (const Choice &C : All.Choices) {
    char PriceText[32] = "-";
    if (C.Price)
      std::snprintf(PriceText, sizeof PriceText, "%.3g", *C.Price);
    Out.row({C.Machine, C.Fast, bytesText(double(C.FastBytes)),
             secondsText(C.Slow), secondsText(C.FirstTouch),
             secondsText(C.Placed), secondsText(C.AllFast),
             percentText(C.Placed / All.Best - 1), PriceText});
  }
  std::fputs(Out.str().c_str(), stdout);
  std::printf("slow-down: of balanced, against the fastest row; caches are "
              "those that the record was made with\n"
              "cheapest within %s: %s with %s of fast memory (%s)\n",
              percentText(All.Within).c_str(), All.Cheapest->Machine.c_str(),
              All.Cheapest->Fast.c_str(),
              All.AllPriced ? "by price"
                            : "by the amount of fast memory; --price "
                              "TIER=PRICE,... compares money");
}

static int run(const Args &A) {
  SuiteWorkload W;
  SuiteTarget T;
  W.Name = "program";
  T.Name = "input";
  T.Record = A.require("--record");
  W.Facts = A.require("--facts");
  W.Base = A.require("--base");
  W.MoreBases = A.all("--base");
  W.MoreBases.pop_back(); // that is Base
  T.For = A.all("--for");
  Prices Price = readPrices(A);
  double Within = slowDown(A.text("--within"));

  std::vector<std::string> Machines = splitList(A.text("--machines"), ',');
  if (Machines.size() == 1 && Machines[0] == "all")
    Machines = machinesToPlan();
  std::vector<std::string> Shares = splitList(A.text("--fast"), ',');
  std::vector<BenchCell> Cells;
  std::vector<Machine> Read;
  for (const std::string &M : Machines) {
    Read.push_back(orFail(readMachineToPlan(M)));
    for (const std::string &F : Shares)
      Cells.push_back({&W, &T, M, F, {}});
  }
  if (Cells.empty())
    fail("give at least one machine and one amount of fast memory");

  TempDir Kept;
  CellOptions O;
  O.Directory = Kept.path() + "/cells";
  O.Policies = {"slow-only,first-touch,fast-only,balanced"};
  O.Parallel = std::max(1u, std::thread::hardware_concurrency());
  std::vector<CellResult> Results = runCells(Cells, O);

  std::vector<Choice> Choices;
  for (size_t I = 0; I < Cells.size(); ++I) {
    Choices.push_back(choiceOf(Cells[I], Results[I]));
    Choices.back().Price =
        priceOf(Choices.back(), Read[I / Shares.size()], Price);
  }
  const Comparison All(std::move(Choices), Within);
  if (A.has("--json"))
    printChoicesJson(All);
  else
    printChoices(All);
  return 0;
}

namespace evenkeel::cli {
const Subcommand &whatifCommand() {
  static const Subcommand C = {
      "whatif",
      "How much fast memory does this program need, and on which machine is "
      "that cheapest?",
      "whatif --record TARGET.ekdb --facts F --base B [--for ..] [--machines "
      "A,B] [--fast 10%,25%] [--within 10%] [--price TIER=PRICE,..]",
      "evenkeel whatif --record target.ekdb --facts facts.json --base "
      "base.ekdb \\\n  --for n=1000 --machines optane-6252n,ddr5-cxl \\\n  "
      "--price dram=8,ddr5=8,optane=3,cxl=5",
      {{"--record", nullptr, "FILE",
        "the run to judge by: a profile of all of it, made by record "
        "--misses"},
       {"--facts", nullptr, "FILE", "what analyze wrote (facts.json)"},
       {"--base", nullptr, "FILE",
        "what record wrote of another input, to plan from; repeatable"},
       {"--for", nullptr, "NAME=VALUE",
        "a size of the recorded run's input, as for plan; repeatable"},
       {"--machines", nullptr, "A,B",
        "machines to compare (names or files), or all", "all"},
       {"--fast", nullptr, "SHARE,..", "amounts of fast memory to compare",
        "10%,25%,50%,100%"},
       {"--within", nullptr, "PERCENT",
        "how much slower than the fastest row still counts as fast enough",
        "10%"},
       {"--price", nullptr, "TIER=PRICE",
        "price of a GiB of each tier, by the tiers' names in the machine "
        "files; without prices, the least fast memory is the cheapest"}},
      run};
  return C;
}
} // namespace evenkeel::cli
