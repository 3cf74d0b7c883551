//===- Plan.cpp - evenkeel plan -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to pass facts, base profile and machine to the planner, and to
// show objects, predicted task times and reasons.
// Makes: plan.json, complete or not at all.
// Not here: planning; and any file of the target, none of which is opened.
//===----------------------------------------------------------------------===//
#include "format/plan/Plan.h"
#include "cli/planning/Planned.h"
#include "cli/programs/BuiltProgram.h"
#include "cli/tables/ExplainPrinter.h"
#include "cli/tables/FitsTable.h"
#include "cli/tables/InputTies.h"
#include "cli/tables/PlanJson.h"
#include "cli/tables/PlanTables.h"
#include "cli/tables/PlannedObjects.h"
#include "cli/tables/SourceNames.h"
#include "cli/workspace/RankWaits.h"
#include "cli/workspace/Tuned.h"
#include "format/Machine.h"
#include "predict/symbols/Ungiven.h"
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using namespace evenkeel::cli;

static void printUnmeasured(const std::vector<std::string> &Names) {
  if (Names.empty())
    return;
  std::string Some;
  const size_t Most = 5;
  for (size_t I = 0; I < Names.size() && I < Most; ++I)
    Some += (I ? ", " : "") + Names[I];
  if (Names.size() > Most)
    Some += " and " + std::to_string(Names.size() - Most) + " more";
  std::printf("not measured in the base run, so estimated: %zu sizes of the "
              "formulas (%s); was the program recorded file by file, or built "
              "from other sources?\n",
              Names.size(), Some.c_str());
}

static int listNames(const std::vector<std::string> &Names, bool Json) {
  if (Json)
    printJson(Names);
  else
    for (const std::string &N : Names)
      std::puts(N.c_str());
  return 0;
}

/// Prints the machine file's figures that have no source.
static void printAssumed(const Plan &P, bool All) {
  if (All)
    for (const std::string &X : P.Assumed)
      std::printf("assumed: %s\n", X.c_str());
  else if (!P.Assumed.empty())
    std::printf("assumed: %zu figures of the machine, which 'evenkeel machine "
                "show %s' lists\n",
                P.Assumed.size(), P.Machine.c_str());
}

/// Prints the tables, followed by their assumptions.
static void printPlan(const Args &A, const PlanInputs &In, const Plan &P,
                      const Problem &Pr,
                      const std::vector<UngivenSymbol> &Ungiven,
                      const std::vector<std::string> &Unmeasured) {
  const bool Verbose = A.has("--verbose");
  std::printf(
      "planner %s, model %s, machine %s: %s of fast memory, %s of data at the "
      "predicted peak\n\n",
      P.Planner.c_str(), P.Model.c_str(), P.Machine.c_str(),
      bytesText(double(P.FastBytes)).c_str(), bytesText(Pr.PeakBytes).c_str());
  std::fputs(objectsText(In.F, P, Pr, Verbose).c_str(), stdout);
  std::fputs(tasksText(P, Verbose).c_str(), stdout);
  if (Verbose || !A.Command.empty())
    std::fputs(inputsText(In.told(), Verbose).c_str(), stdout);
  // Without --for, the target is the base input.
  if (!In.For.empty())
    std::fputs(ungivenText(Ungiven).c_str(), stdout);
  std::puts("");
  if (Verbose)
    std::fputs(methodsText(Pr.Methods).c_str(), stdout);
  printUnmeasured(Unmeasured);
  for (const std::string &X : P.Notes)
    std::printf("note: %s\n", X.c_str());
  printAssumed(P, Verbose);
}

/// For the variables of --explain: the sources of the program after "--" if
/// evenkeel-cc built it, or else those below EVENKEEL_ROOT or here.
static SourceNames namesFor(const Args &Given) {
  if (!Given.has("--explain"))
    return SourceNames("");
  if (!Given.Command.empty())
    if (const std::optional<BuiltCommand> Its = builtIn(Given.Command))
      return SourceNames(sourcesRoot(Its->Built));
  const char *Root = std::getenv("EVENKEEL_ROOT");
  return SourceNames(Root && *Root ? Root : ".");
}

static int run(const Args &Given) {
  const Args A = withTuned(Given);
  if (A.text("--planner") == "list")
    return listNames(plannerNames(), A.has("--json"));
  if (A.text("--model") == "list")
    return listNames(modelNames(), A.has("--json"));
  refuseUntuned(A);
  A.requireAll({"--facts", "--base", "--machine", "--fast"});
  if (A.has("--output"))
    refuseInput(A.text("--output"), {A.text("--facts"), A.text("--machine")});
  for (const std::string &Base : A.all("--base"))
    if (A.has("--output"))
      refuseInput(A.text("--output"), {Base});
  if (A.has("--fits") && A.all("--base").size() < 2)
    fail("--fits needs two base inputs or more (--base)");
  Planned X = makePlanned(A);
  const PlanInputs &In = X.In;
  const Machine &M = X.M;
  const Problem &Pr = X.Pr;
  Plan &P = X.P;
  std::vector<ObjectName> Asked;
  SourceNames Names = namesFor(Given);
  for (const std::string &Text : A.all("--explain"))
    for (const ObjectName &Which : objectsNamed(In.F, Text, Names))
      Asked.push_back(Which);
  for (std::string &Doubt : doubts(In, Pr, M, A.text("--machine")))
    P.Notes.push_back(std::move(Doubt));
  if (A.has("--output"))
    writePlanned(A, X, A.text("--output"));
  std::vector<UngivenSymbol> Ungiven = ungivenSymbols(In.F, In.Base, In.For);
  const std::vector<std::string> Unmeasured = unmeasuredSymbols(In.F, In.Base);
  const Outlook &Ahead = X.Ahead;
  const RankWaits Waits = rankWaits(Given.Command, Given.text("--workspace"));
  if (A.has("--json")) {
    nlohmann::json J = planJson(In.F, P, Pr, M, Ahead);
    J["not_given"] = ungivenJson(Ungiven);
    J["not_measured"] = Unmeasured;
    for (const ObjectName &Which : Asked)
      J["explanations"].push_back(explanationJson(In.F, Pr, P, M, Which));
    J["inputs"] = inputsJson(In.told());
    if (Waits.Its)
      J["imbalance"] = imbalanceToJson(*Waits.Its);
    if (In.Several)
      J["fits"] = fitsJson(*In.Several);
    printJson(J);
    return 0;
  }
  printPlan(A, In, P, Pr, Ungiven, Unmeasured);
  if (A.has("--fits"))
    std::fputs(
        fitsText(In.F, *In.Several, In.BasePaths, A.has("--verbose")).c_str(),
        stdout);
  if (const std::string Text = Waits.text(In.F); !Text.empty())
    std::printf("ranks: %s\n", Text.c_str());
  for (const ObjectName &Which : Asked)
    std::fputs(explanationText(In.F, Pr, P, M, Which).c_str(), stdout);
  std::fputs(
      answerText(P, Ahead, X.isBeginning() ? In.Base.Phases.size() : 0).c_str(),
      stdout);
  if (A.has("--output"))
    std::fputs(nextText(P, A.text("--output")).c_str(), stdout);
  return 0;
}

namespace evenkeel::cli {
const Subcommand &planCommand() {
  static const Subcommand C = {
      "plan",
      "Which data should lie in fast memory, and how long will each task take "
      "then?",
      "plan [--facts F --base BASE.ekdb --machine M --fast 25%|SIZE] [--for "
      "NAME=VALUE...] [-o plan.json] [-- CMD...]",
      "evenkeel plan --facts facts.json --base base.ekdb --machine "
      "optane-6252n \\\n  --fast 25% -o plan.json -- ./solver 1000 10",
      {{"--facts", nullptr, "FILE", "what analyze wrote (facts.json)"},
       {"--base", nullptr, "FILE",
        "what record wrote: a run on a small input, or the beginning of the "
        "very run you plan for (record --sampled); several small inputs show "
        "how quantities grow"},
       {"--machine", nullptr, "M",
        "the machine you plan for: a name that 'evenkeel machine list' shows, "
        "or a machine file"},
       {"--fast", nullptr, "SHARE",
        "fast memory to use: a share of the predicted peak of the program's "
        "data (25%), or a size (16GiB)"},
       {"--for", nullptr, "NAME=VALUE",
        "a size of the input you plan for that its command line (after --) "
        "does not tell, such as n=1000; NAME@TASK=VALUE for one task alone; "
        "repeatable"},
       {"--output", "-o", "FILE", "plan to write (default: none is written)"},
       {"--threads", nullptr, "N",
        "number of threads you plan for (default: as in the base run)"},
       {"--explain", nullptr, "WHAT",
        "why the objects of this variable or allocation site (file.c:LINE, or "
        "its id) lie where they do, what they gain, and what stands in the way "
        "of more; repeatable"},
       {"--fits", nullptr, nullptr,
        "with several --base: show the fits over them, their errors, and the "
        "range in which they were measured"},
       {"--verbose", "-v", nullptr,
        "show each task by itself, and all rows of each table"},
       {"--planner", nullptr, "NAME", "planner to use; list shows their names",
        OwnPlanner},
       {"--model", nullptr, "NAME", "cost model to use; list shows their names",
        "overlap"},
       {"--arenas", nullptr, nullptr,
        "give small blocks of a site pages of their own, an arena, where that "
        "makes the run shorter; needs annotated sources and, in the run, "
        "mimalloc"},
       {"--allow-target-profile", nullptr, nullptr,
        "plan from a profile of role target; such a plan knows the run that "
        "would judge it"},
       {"--workspace", nullptr, "DIR",
        "where evenkeel tune keeps what it knows of the program after --; "
        "without --facts and --base, plan takes facts, base, machine and fast "
        "memory from there (default: "
        "EVENKEEL_WORKSPACE, or .evenkeel beside the program)"}},
      run,
      Subcommand::Program};
  return C;
}
} // namespace evenkeel::cli
