//===- Import.cpp - evenkeel import ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the files of ecoHMEM as files of ours: what Extrae sampled as a
// profile (and facts, where the program was not analysed), its list of tiers as
// a machine file, and the locations that its advisor wrote as a plan; and what
// MemProf counted as a profile. Not here: what the files mean
// (profiles/format/ecohmem/, profiles/format/memprof/), records of damo
// (touches/ImportDamo.h), touched pages (touches/ImportTouches.h).
//===----------------------------------------------------------------------===//
#include "cli/common/Cli.h"
#include "cli/common/Siblings.h"
#include "cli/programs/CodeLines.h"
#include "cli/programs/ElfFile.h"
#include "cli/programs/Process.h"
#include "cli/touches/ImportDamo.h"
#include "cli/touches/ImportTouches.h"
#include "format/File.h"
#include "format/Identity.h"
#include "format/Machine.h"
#include "format/NewFile.h"
#include "format/ecohmem/Locations.h"
#include "format/ecohmem/MemoryConfig.h"
#include "format/ecohmem/Numbers.h"
#include "format/ecohmem/Trace.h"
#include "format/memprof/MemProfRun.h"
#include "text/Reasons.h"
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;
using namespace evenkeel;
using namespace evenkeel::cli;
using namespace evenkeel::ecohmem;

/// The value of a positive option.
static double positive(const Args &A, const char *Name, double Most) {
  std::optional<double> V = readFloat(A.text(Name));
  if (!V || !(*V > 0) || !(*V <= Most))
    fail(std::string(Name) + " '" + A.text(Name) +
         "': expected a number above 0");
  return *V;
}

/// A hash of what the files hold: two traces of one run are one input.
static std::string identityOf(const std::vector<std::string> &Paths) {
  uint64_t H = detail::EmptyHash;
  for (const std::string &Path : Paths)
    detail::mixString(H, readTextFile(Path));
  return idToString(detail::avalanche(H));
}

static std::string leftText(const LeftOut &Left) {
  std::string Out;
  for (const auto &[Why, Of] : Left)
    Out += "left out   " + std::to_string(Of.first) + " objects with " +
           percentText(Of.second) + " of the samples (" + Why +
           "): " + meaningOf(Why, {Reason::Trace}) + "\n";
  return Out;
}

static nlohmann::json leftJson(const LeftOut &Left) {
  nlohmann::json Out = nlohmann::json::object();
  for (const auto &[Why, Of] : Left)
    Out[Why] = {{"objects", Of.first}, {"samples_share", Of.second}};
  return Out;
}

/// Latencies are weights times the latency of the first tier, bandwidths the
/// other way round: the list of tiers says no more.
static Machine machineOf(const std::vector<MemoryTier> &Tiers, double LatencyNs,
                         unsigned Cores) {
  static const double FirstGBps = 100;
  Machine M;
  M.Name = "memory-configuration";
  M.Title = "from a memory configuration of ecoHMEM";
  M.Cores = std::max(1u, Cores);
  M.GHz = 2;
  M.RobInstructions = 224;
  M.PrefetchDepth = 20;
  M.L1Bytes = 32 << 10, M.L1Ways = 8;
  M.L2Bytes = 1 << 20, M.L2Ways = 16;
  M.LlcBytes = uint64_t(M.Cores) << 20, M.LlcWays = 16;
  M.LoadedLatency = {{0, 1}, {0.7, 1.1}, {0.9, 2}, {1, 4}};
  M.MigrationPageUs = 1;
  M.MigrationBandwidthGBps = 5;
  for (const MemoryTier &T : Tiers) {
    if (T.LoadWeight < 1 || T.StoreWeight < 1 || T.Bytes < 1)
      fail("tier " + oneLine(T.Name) +
           ": weights and sizes have to be positive for a machine file");
    double Loads = double(T.LoadWeight) / double(Tiers[0].LoadWeight),
           Stores = double(T.StoreWeight) / double(Tiers[0].StoreWeight);
    M.Tiers.push_back({T.Name, uint64_t(T.Bytes), LatencyNs * Loads,
                       LatencyNs * Stores, FirstGBps / Loads,
                       FirstGBps / Stores});
  }
  if (M.Tiers.size() < 2)
    fail("a machine file needs two tiers or more");
  return M;
}

/// Marks each figure of \p J as assumed, except for capacities.
static void markAssumed(nlohmann::json &J, const std::string &Key) {
  if (J.is_object() && J.contains("source") && Key != "capacity_bytes") {
    J.erase("source");
    J["assumed"] = "a memory configuration of ecoHMEM gives weights only";
  }
  if (J.is_object())
    for (auto &[Name, Value] : J.items())
      markAssumed(Value, Name);
  else if (J.is_array())
    for (nlohmann::json &Value : J)
      markAssumed(Value, Key);
}

static void writeMachine(const Args &A, unsigned Cores) {
  const std::string Out = A.text("--machine-output");
  if (Out.empty())
    return;
  Machine M = machineOf(orFail(readMemoryConfig(A.require("--mem-config"))),
                        positive(A, "--latency", 1e6), Cores);
  nlohmann::json J = machineToJson(M, "the memory configuration");
  markAssumed(J, "");
  orFail(machineFromJson(J, Out));
  writeFile(Out, J.dump(1) + "\n");
}

static std::vector<std::string> inputsOf(const Args &A) {
  std::vector<std::string> Out;
  for (const char *Name : {"--loads", "--sizes", "--stores", "--allocs-info",
                           "--memprof", "--program"})
    if (A.has(Name))
      Out.push_back(A.text(Name));
  return Out;
}

/// Fails if one of \p Outputs is an input, another output, a file of the user's
/// own, or cannot be written: then nothing is. Empty names are left out.
static void checkOutputs(const Args &A,
                         const std::vector<std::string> &Outputs) {
  std::vector<std::string> Taken = inputsOf(A);
  for (const char *Name : {"--facts", "--mem-config"})
    if (A.has(Name))
      Taken.push_back(A.text(Name));
  std::error_code E;
  for (size_t I = 0; I < Outputs.size(); ++I) {
    if (Outputs[I].empty())
      continue;
    refuseInput(Outputs[I], Taken);
    refuseForeign(Outputs[I]);
    orFail(NewFile::canBeWritten(Outputs[I]));
    for (size_t J = 0; J < I; ++J)
      if (fs::weakly_canonical(Outputs[I], E) ==
          fs::weakly_canonical(Outputs[J], E))
        fail("'" + Outputs[I] +
             "' is named for two outputs; give each a name "
             "of its own");
  }
}

/// The profile and the facts that a run is written to.
static std::pair<std::string, std::string> runFiles(const Args &A) {
  if (A.has("--facts") && A.has("--facts-output"))
    fail("with --facts, objects are sites of the analysis, and no other facts "
         "are written; leave out --facts-output");
  const std::string Out = A.text("--output"), Facts = A.text("--facts-output");
  return {Out.empty() ? "base.ekdb" : Out,
          Facts.empty() ? "facts.json" : Facts};
}

/// Writes \p R, and facts unless the user gave some; prints it if --json asks
/// for that, which the result tells.
static bool writeRun(const Args &A, const TracedRun &R, const std::string &Out,
                     const std::string &FactsOut) {
  if (!A.has("--facts"))
    writeFile(FactsOut, factsToJson(R.Sites));
  orFail(writeProfile(Out, R.Record));
  if (A.has("--json"))
    printJson({{"schema", "evenkeel.import/1"},
               {"objects", R.Objects},
               {"processes", R.Processes},
               {"seconds", R.Seconds},
               {"left_out", leftJson(R.Left)}});
  return A.has("--json");
}

static void sayNext(const Args &A, const std::string &Out,
                    const std::string &FactsOut) {
  std::printf("next       evenkeel plan --facts %s --base %s --machine NAME "
              "--fast SIZE -o plan.json\n",
              (A.has("--facts") ? A.text("--facts") : FactsOut).c_str(),
              Out.c_str());
}

static int importTrace(const Args &A) {
  A.requireAll({"--loads", "--sizes", "--period"});
  const auto [Out, FactsOut] = runFiles(A);
  const std::vector<std::string> Inputs = inputsOf(A);
  checkOutputs(A, {Out, A.has("--facts") ? std::string() : FactsOut,
                   A.text("--machine-output")});
  if (A.has("--mem-config") && !A.has("--machine-output"))
    fail("--mem-config is for --machine-output FILE");
  TraceOptions O;
  const double Period = positive(A, "--period", 1e9);
  O.Period = uint32_t(Period);
  if (O.Period != Period)
    fail("--period '" + A.text("--period") + "': expected a whole number");
  O.LatencyNs = positive(A, "--latency", 1e6);
  if (A.has("--seconds"))
    O.Seconds = positive(A, "--seconds", 1e8);
  Facts Analysis;
  if (A.has("--facts")) {
    Analysis = orFail(readFacts(A.text("--facts")));
    O.Analysis = &Analysis;
  }
  const std::string Row = A.text("--rank-statistics");
  Trace T;
  T.Loads = orFail(readHistogram(A.text("--loads"), Row));
  T.Sizes = orFail(readHistogram(A.text("--sizes"), Row));
  if (A.has("--stores"))
    T.Stores = orFail(readHistogram(A.text("--stores"), Row));
  if (A.has("--allocs-info"))
    T.Allocs = orFail(readAllocsInfo(A.text("--allocs-info")));
  if (O.Analysis)
    O.Lines = linesOfCode(T.Loads.Stacks);
  TracedRun R = orFail(readTrace(T, O));
  R.Record.Input = identityOf(Inputs);
  R.Record.Command = "(a trace of Extrae)";
  R.Record.Ran = {};
  writeMachine(A, R.Processes);
  if (writeRun(A, R, Out, FactsOut))
    return 0;
  std::printf("profile    %s: %llu objects, %u process%s, %s\n"
              "not known  phases (the run is one), tasks (processes share all "
              "accesses evenly),\n"
              "           how counts grow (the plan is for this input), how "
              "loads overlap\n%s",
              Out.c_str(), static_cast<unsigned long long>(R.Objects),
              R.Processes, R.Processes == 1 ? "" : "es",
              secondsText(R.Seconds).c_str(), leftText(R.Left).c_str());
  sayNext(A, Out, FactsOut);
  return 0;
}

/// Fails if \p Program is not one of those in the profile \p Path, of which
/// llvm-profdata shows \p Text: addresses would mean other lines.
static void checkWroteIt(const std::string &Program, const std::string &Path,
                         const std::string &Text) {
  constexpr size_t Head = 16; // sizes, type, "GNU"
  const std::string Note = ElfFile(Program).section(".note.gnu.build-id");
  std::string Id;
  for (size_t I = Head; I < Note.size(); ++I)
    for (const int Shift : {4, 0})
      Id +=
          "0123456789abcdef"[static_cast<unsigned char>(Note[I]) >> Shift & 15];
  if (!Id.empty() && Text.find("BuildId: " + Id) == std::string::npos)
    fail("'" + Program + "' is not the program that wrote '" + Path +
         "': the profile does not have its build id, " + Id);
}

/// The text of a profile of MemProf: the file's own, or what llvm-profdata
/// shows of it.
static std::string memProfText(const Args &A) {
  const std::string Path = A.text("--memprof");
  std::string Raw = readTextFile(Path);
  if (Raw.rfind("MemprofProfile:", 0) == 0)
    return Raw;
  static const std::string Merged = "\xfflprofi\x81", Own = "\x81rforpm\xff";
  if (Raw.rfind(Merged, 0) == 0)
    fail("'" + Path +
         "' is a merged profile, of which llvm-profdata shows no call stacks; "
         "give a .profraw that it was made of");
  if (Raw.rfind(Own, 0) != 0)
    fail("'" + Path + "' is no profile of MemProf (clang -fmemory-profile)");
  if (!A.has("--program"))
    fail("call stacks of '" + Path +
         "' are addresses; name the program that wrote it with --program");
  const JobResult R = runJob({{llvmTool("llvm-profdata"), "show", "--memory",
                               Path, "--profiled-binary", A.text("--program")},
                              "",
                              {}});
  if (R.Status != 0)
    fail(
        "llvm-profdata cannot show '" + Path + "': " + firstError(R.Err) +
        "; was the program built with -gmlt -fdebug-info-for-profiling -no-pie "
        "-Wl,-z,noseparate-code, and not since?");
  checkWroteIt(A.text("--program"), Path, R.Out);
  return R.Out;
}

static int importMemProf(const Args &A) {
  if (A.all("--memprof").size() > 1)
    fail("--memprof takes one profile; import each, and give plan the one that "
         "is like the run to plan for");
  const auto [Out, FactsOut] = runFiles(A);
  for (const char *Name :
       {"--stores", "--allocs-info", "--period", "--latency",
        "--rank-statistics", "--mem-config", "--machine-output"})
    if (A.has(Name))
      fail(std::string(Name) + " is for histograms of Paramedir; leave it out "
                               "with --memprof");
  checkOutputs(A, {Out, A.has("--facts") ? std::string() : FactsOut});
  const double Seconds = A.has("--seconds") ? positive(A, "--seconds", 1e8) : 0;
  Facts Analysis;
  if (A.has("--facts"))
    Analysis = orFail(readFacts(A.text("--facts")));
  TracedRun R = orFail(memprof::runOfMemProf(
      orFail(memprof::parseMemProf(memProfText(A), A.text("--memprof"))),
      A.has("--facts") ? &Analysis : nullptr, Seconds));
  R.Record.Input = identityOf({A.text("--memprof")});
  R.Record.Command = "(counted by MemProf)";
  if (writeRun(A, R, Out, FactsOut))
    return 0;
  std::printf(
      "profile    %s: %llu objects, %s\n"
      "not known  which accesses reach main memory (plan estimates it), stores "
      "apart from loads,\n"
      "           phases and tasks (the run is one), how counts grow (the plan "
      "is for this input)\n%s",
      Out.c_str(), static_cast<unsigned long long>(R.Objects),
      secondsText(R.Seconds).c_str(), leftText(R.Left).c_str());
  if (!A.has("--seconds"))
    std::printf(
        "           how long the run takes without MemProf, which makes "
        "it slower: --seconds N\n");
  sayNext(A, Out, FactsOut);
  return 0;
}

static int importLocations(const Args &A) {
  const std::string Out =
      A.text("--output").empty() ? "plan.json" : A.text("--output");
  refuseInput(Out, {A.text("--locations"), A.text("--facts")});
  refuseForeign(Out);
  Facts F = orFail(readFacts(A.require("--facts")));
  const Locations Given = orFail(readLocations(A.text("--locations")));
  std::vector<std::string> Stacks;
  for (const Location &X : Given.List)
    Stacks.push_back(X.Stack);
  LocatedPlan L = orFail(planOfLocations(Given, F, linesOfCode(Stacks)));
  writeFile(Out, planToJson(L.Made));
  if (A.has("--json")) {
    nlohmann::json Left = nlohmann::json::object();
    for (const auto &[Why, N] : L.Left)
      Left[Why] = {{"objects", N}};
    printJson({{"schema", "evenkeel.import/1"},
               {"objects", L.Made.Objects.size()},
               {"fast_objects", L.Fast},
               {"left_out", std::move(Left)}});
    return 0;
  }
  std::printf("plan       %s: %zu site%s, %u of them in fast memory\n",
              Out.c_str(), L.Made.Objects.size(),
              L.Made.Objects.size() == 1 ? "" : "s", L.Fast);
  for (const auto &[Why, N] : L.Left)
    std::printf("left out   %llu locations (%s): %s\n",
                static_cast<unsigned long long>(N), Why.c_str(),
                meaningOf(Why, {Reason::Trace}).c_str());
  std::printf("next       evenkeel rewrite -p BUILD --plan %s --diff\n",
              Out.c_str());
  return 0;
}

static int run(const Args &A) {
  if (A.has("--damo"))
    return importDamo(A);
  if (A.has("--touches"))
    return importTouches(A);
  if (A.has("--stacks"))
    fail("--stacks is for --touches");
  if (A.has("--maps"))
    fail("--maps is for --damo");
  const bool Histograms = A.has("--loads") || A.has("--sizes");
  if (A.has("--locations") && (Histograms || A.has("--memprof")))
    fail("--locations makes a plan, --loads, --sizes and --memprof a profile; "
         "give one of them");
  if (A.has("--memprof") && Histograms)
    fail("--memprof and --loads are profiles of two tools; give one of them");
  if (A.has("--program") && !A.has("--memprof"))
    fail("--program is for --memprof");
  return A.has("--locations") ? importLocations(A)
         : A.has("--memprof") ? importMemProf(A)
                              : importTrace(A);
}

namespace evenkeel::cli {
const Subcommand &importCommand() {
  static const Subcommand C = {
      "import",
      "What did other tools or record --pages see, and where did ecoHMEM put "
      "it?",
      "import --loads FILE --sizes FILE --period N [--stores FILE] "
      "[--allocs-info FILE] [--facts FILE] [-o base.ekdb] | import --memprof "
      "FILE [--program FILE] [--facts FILE] [-o base.ekdb] | import "
      "--locations "
      "FILE --facts FILE [-o plan.json] | import --damo FILE [--maps FILE] [-o "
      "touches.json] | import --touches touches.json --program FILE [-o "
      "base.ekdb]",
      "printf '\\t[a.c:3]\\t[b.c:9]\\t\\nTotal\\t7\\t900\\t\\n' > loads.csv\n"
      "printf '\\t[a.c:3]\\t[b.c:9]\\t\\nTotal\\t8192\\t8192\\t\\n' > "
      "sizes.csv\n"
      "evenkeel import --loads loads.csv --sizes sizes.csv --period 100000 \\\n"
      "  --seconds 60 --facts-output extrae.json -o extrae.ekdb",
      {{"--loads", nullptr, "FILE", "Paramedir's histogram of sampled loads"},
       {"--sizes", nullptr, "FILE", "Paramedir's histogram of sizes"},
       {"--stores", nullptr, "FILE", "Paramedir's histogram of sampled stores"},
       {"--allocs-info", nullptr, "FILE",
        "times of all allocations, as ecoHMEM's allocs_info writes them"},
       {"--period", nullptr, "N",
        "accesses for which one sample stands, as in Extrae's configuration"},
       {"--latency", nullptr, "NS",
        "latency of the memory that the trace was made on", "100"},
       {"--seconds", nullptr, "N",
        "duration of the run (default: as --allocs-info or --memprof says)"},
       {"--memprof", nullptr, "FILE",
        "a profile of MemProf (clang -fmemory-profile): the .profraw, or what "
        "llvm-profdata show --memory prints of it"},
       {"--program", nullptr, "FILE",
        "the program that wrote the .profraw, or that record --pages watched; "
        "for --touches, with -g, and repeatable for its libraries"},
       {"--rank-statistics", nullptr, "ROW", "row of the histograms", "Total"},
       {"--facts", nullptr, "FILE",
        "what analyze wrote: call stacks are looked up in it by source place "
        "(default: each call stack is a site, and such facts are written)"},
       {"--facts-output", nullptr, "FILE",
        "facts to write without --facts (default: facts.json)"},
       {"--mem-config", nullptr, "FILE", "ecoHMEM's list of tiers"},
       {"--machine-output", nullptr, "FILE",
        "machine file to write from --mem-config; what that does not say is "
        "marked as assumed"},
       {"--locations", nullptr, "FILE",
        "locations that an advisor wrote for FlexMalloc: makes a plan of them, "
        "which rewrite and run take"},
       {"--damo", nullptr, "FILE",
        "a record of damo, DAMON's tool: makes touches.json of it, which "
        "touches "
        "and report show"},
       {"--maps", nullptr, "FILE",
        "a copy of /proc/PID/maps of the program that DAMON watched: names for "
        "its memory (default: memory without gaps is one object)"},
       {"--touches", nullptr, "FILE",
        "touched pages that record --pages wrote: makes facts, a profile and a "
        "table of call stacks of them, which plan and run take, for a program "
        "in any language, without its sources"},
       {"--stacks", nullptr, "FILE",
        "with --touches: where to write the table of call stacks, for run "
        "--stacks (default: stacks.json)"},
       {"--output", "-o", "FILE",
        "profile, plan or record to write (default: base.ekdb, plan.json, "
        "touches.json)"}},
      run};
  return C;
}
} // namespace evenkeel::cli
