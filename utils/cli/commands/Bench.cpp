//===- Bench.cpp - evenkeel bench -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the cells of a comparison: workloads x targets x machines x amounts of
// fast memory, and variants of the machine on request.
// Not here: running cells (BenchCells), their summary (BenchReport), and
// recording (utils/make-suite).
//===----------------------------------------------------------------------===//
#include "cli/bench/BenchCells.h"
#include "cli/bench/BenchReport.h"
#include "cli/common/Cli.h"
#include "format/Machine.h"
#include "format/Suite.h"
#include "simulator/Replay.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <thread>

using namespace evenkeel;
using namespace evenkeel::cli;

/// A result counts only if it holds with 30 % more and less latency, and with
/// last levels of 4 to 32 MB, because a program's part of a shared last level
/// is not known in advance.
static const std::vector<Variant> SweepVariants = {
    {"latency-30", 0.7, ""},   {"latency+30", 1.3, ""},
    {"llc-4M", 1.0, "4MiB"},   {"llc-8M", 1.0, "8MiB"},
    {"llc-16M", 1.0, "16MiB"}, {"llc-32M", 1.0, "32MiB"}};
/// The machines and amounts of --quick.
static const char QuickMachines[] = "ddr5-cxl,hbm-ddr5,optane-6252n";
static const char QuickFast[] = "12.5%";

template <typename T>
static void keepNamed(std::vector<T> &All, const std::string &List,
                      const char *What) {
  if (List.empty())
    return;
  std::vector<T> Out;
  for (const std::string &Name : splitList(List, ',')) {
    auto At = std::find_if(All.begin(), All.end(),
                           [&](const T &X) { return X.Name == Name; });
    if (At == All.end()) {
      std::string Names;
      for (const T &X : All)
        Names += (Names.empty() ? "" : ", ") + X.Name;
      fail(std::string("no ") + What + " '" + Name + "' in the suite; it has " +
           Names);
    }
    Out.push_back(*At);
  }
  All = std::move(Out);
}

static double fileBytes(const std::string &Path) {
  struct stat S;
  return stat(Path.c_str(), &S) == 0 ? double(S.st_size) : 0;
}

/// A percentage as a fraction; 0 for sizes.
static double shareOf(const std::string &Fast) {
  return !Fast.empty() && Fast.back() == '%' ? std::atof(Fast.c_str()) / 100
                                             : 0;
}

static std::vector<BenchCell> cellsOf(const Suite &S, const Args &A) {
  bool Quick = A.has("--quick");
  std::vector<std::string> Machines = splitList(
      A.has("--machines") || !Quick ? A.text("--machines") : QuickMachines,
      ',');
  std::vector<std::string> Shares =
      splitList(A.has("--fast") || !Quick ? A.text("--fast") : QuickFast, ',');
  if (Machines.size() == 1 && Machines[0] == "all")
    Machines = machinesToPlan();
  for (const std::string &M : Machines)
    orFail(readMachineToPlan(M));
  std::vector<Variant> Variants = {{}};
  if (A.has("--sweep"))
    Variants.insert(Variants.end(), SweepVariants.begin(), SweepVariants.end());
  std::vector<BenchCell> Out;
  for (const SuiteWorkload &W : S.Workloads)
    for (const SuiteTarget &T : W.Targets) {
      for (const std::string &M : Machines)
        for (const std::string &F : Shares)
          for (const Variant &V : Variants)
            Out.push_back({&W, &T, M, F, V});
      if (Quick && !A.has("--targets"))
        break; // --quick: one input each
    }
  return Out;
}

static int run(const Args &A) {
  std::string SuitePath = A.text("--suite");
  Suite S = orFail(readSuite(SuitePath));
  keepNamed(S.Workloads, A.text("--workloads"), "workload");
  if (A.has("--targets"))
    for (SuiteWorkload &W : S.Workloads) {
      std::vector<SuiteTarget> Kept;
      for (const std::string &Name : splitList(A.text("--targets"), ','))
        for (const SuiteTarget &T : W.Targets)
          if (T.Name == Name)
            Kept.push_back(T);
      W.Targets = std::move(Kept);
    }
  std::vector<BenchCell> Cells = cellsOf(S, A);
  if (Cells.empty())
    fail("nothing to compare: '" + SuitePath + "' has no such targets");
  for (const BenchCell &C : Cells)
    for (const std::string *P :
         {&C.Target->Record, &C.Workload->Facts, &C.Workload->Base})
      if (fileBytes(*P) == 0)
        fail("workload '" + C.Workload->Name + "': '" + *P +
             "' is missing; make it with utils/make-suite");

  CellOptions O;
  O.Directory =
      A.has("--cells")
          ? A.text("--cells")
          : SuitePath.substr(0, SuitePath.find_last_of('/') + 1) + "cells";
  O.Policies = {A.text("--policy")};
  O.OtherPhases = true; // the data decide the number of levels of a search
  // The oracle takes most of the time, and is not needed to see whether ours
  // beats a rival.
  for (const std::string &P : splitList(A.text("--policy"), ','))
    if (P == "all") {
      for (const std::string &Known : policyNames())
        if (Known != "oracle")
          O.VariantPolicies.push_back(Known);
    } else if (P != "oracle") {
      O.VariantPolicies.push_back(P);
    }
  if (O.VariantPolicies.empty() && A.has("--sweep"))
    fail("--sweep compares policies other than the oracle; name some");
  if (!A.has("--no-target-profiles"))
    O.Extra.push_back("--profile-of-target");
  if (A.has("--tune"))
    O.Extra.push_back("--tune");
  O.Parallel = std::max(1u, std::thread::hardware_concurrency());
  if (A.has("--jobs")) {
    O.Parallel = unsigned(std::atoi(A.text("--jobs").c_str()));
    if (O.Parallel < 1 || O.Parallel > 1024)
      fail("--jobs is a number from 1 to 1024");
  }
  std::vector<size_t> Missing = missingCells(Cells, O);
  double Seconds = estimateSeconds(Cells, Missing, O);
  std::fprintf(stderr,
               "evenkeel: %zu cells, %zu of them done before; about %s on %u "
               "processor%s\n",
               Cells.size(), Cells.size() - Missing.size(),
               durationText(Seconds / O.Parallel).c_str(), O.Parallel,
               O.Parallel == 1 ? "" : "s");
  if (A.has("--estimate"))
    return 0;

  std::vector<CellResult> Results = runCells(Cells, O);
  BenchData D;
  unsigned Failed = 0;
  for (size_t I = 0; I < Cells.size(); ++I) {
    const BenchCell &C = Cells[I];
    if (Results[I].Json.empty()) {
      ++Failed;
      std::fprintf(stderr, "evenkeel: %s: %s\n", C.name().c_str(),
                   Results[I].Error.c_str());
      continue;
    }
    BenchRow Where;
    Where.Workload = C.Workload->Name;
    Where.Target = C.Target->Name;
    Where.Machine = C.Machine;
    Where.Variant = C.V.Name;
    Where.Fast = C.Fast;
    Where.FastShare = shareOf(C.Fast);
    Where.Groups = C.Workload->Groups;
    addCell(D, Where, Results[I].Json);
  }
  if (Failed == Cells.size())
    fail("no cell could be replayed");
  fixSettings(D);
  nlohmann::json J = benchJson(D);
  if (A.has("--output"))
    writeFile(A.text("--output"), J.dump(1) + "\n");
  if (A.has("--json"))
    printJson(J);
  else
    std::fputs(benchTables(D).c_str(), stdout);
  if (Failed)
    fail(std::to_string(Failed) + " of " + std::to_string(Cells.size()) +
         " cells failed and are left out of the tables");
  return 0;
}

namespace evenkeel::cli {
const Subcommand &benchCommand() {
  static const Subcommand C = {
      "bench",
      "Which placement policy is best over many workloads, machines and sizes "
      "of memory?",
      "bench [--suite FILE] [--quick] [--workloads A,B] [--machines A,B] "
      "[--fast 5%,10%] [--policy A,B|all]",
      "evenkeel bench --suite out/suite/suite.json --quick",
      {{"--suite", nullptr, "FILE",
        "list of recorded workloads, which utils/make-suite writes",
        "out/suite/suite.json"},
       {"--quick", nullptr, nullptr,
        "a first table: one input per workload, three machines, one amount of "
        "fast memory"},
       {"--workloads", nullptr, "A,B", "only these workloads"},
       {"--targets", nullptr, "A,B", "only inputs of these names"},
       {"--machines", nullptr, "A,B",
        "machines to simulate (names or files), or all", "all"},
       {"--fast", nullptr, "SHARE,..", "amounts of fast memory to compare",
        "5%,10%,12.5%,25%,50%"},
       {"--policy", nullptr, "A,B", "policies to compare, as for simulate",
        "all"},
       {"--sweep", nullptr, nullptr,
        "judge also on machines that the planner is wrong about: with 30 % "
        "less and more latency, and last-level caches of 4 to 32 MB; wins that "
        "do not hold there are marked"},
       {"--tune", nullptr, nullptr,
        "let each rival use the best of its settings: one for all cells of a "
        "machine, and, as NAME@best, one for each cell"},
       {"--no-target-profiles", nullptr, nullptr,
        "do not replay the planners of papers a second time with a profile of "
        "the judged run itself"},
       {"--jobs", "-j", "N",
        "replays at a time (default: as many as there are processors)"},
       {"--cells", nullptr, "DIR",
        "where results are kept, so that a later call goes on from them "
        "(default: cells/ beside the suite)"},
       {"--estimate", nullptr, nullptr, "say how long it would take, and stop"},
       {"--output", "-o", "FILE", "also write the JSON document to this file"}},
      run};
  return C;
}
} // namespace evenkeel::cli
