//===- Rewrite.cpp - evenkeel rewrite -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the rewriter is a separate program (it links Clang; this command does
// not) with the same options.
//===----------------------------------------------------------------------===//
#include "cli/common/Cli.h"
#include "cli/common/Siblings.h"
#include "cli/programs/BuiltProgram.h"
#include "cli/programs/CompileDb.h"
#include "cli/programs/Process.h"
#include "cli/programs/StripNotes.h"
#include "format/plan/Plan.h"
#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace fs = std::filesystem;
using namespace evenkeel;
using namespace evenkeel::cli;

[[noreturn]] static void report(const Args &A) {
  Job J;
  J.Argv = {siblingProgram("evenkeel-rewrite"), "--report", A.text("--report")};
  J.Argv.insert(J.Argv.end(), A.Positional.begin(), A.Positional.end());
  if (A.has("--json"))
    J.Argv.push_back("--json");
  becomeJob(J);
}

static int run(const Args &A) {
  if (A.has("--report"))
    report(A);
  std::vector<std::string> Units = A.Positional;
  // For a program that evenkeel-cc built: a database of its units.
  std::optional<TempDir> Made;
  std::string Folder, Root;
  if (!A.has("--build") && !Units.empty())
    refuseStrippedFile(Units[0]);
  if (!A.has("--build") && !Units.empty())
    if (std::optional<BuiltProgram> P = readBuiltProgram(Units[0])) {
      noteMove(*P);
      const CompileDb Db = databaseOf(*P, Units[0]);
      Made.emplace();
      Folder = Made->path();
      writeFile(Folder + "/compile_commands.json", databaseText(Db));
      Root = P->namedRoot().empty() ? projectRoot(Db) : P->namedRoot();
      Units.erase(Units.begin());
    }
  if (!Made && !A.has("--build") && !Units.empty())
    fail("'" + Units[0] +
         "' was not built by evenkeel-cc; build it so, or name the build "
         "folder with -p");
  if (!Made)
    Folder = fs::path(readCompileDb(A.require("--build")).Path)
                 .parent_path()
                 .string();
  int Forms = A.has("--diff") + A.has("--output") + A.has("--in-place");
  if (Forms != 1)
    fail("choose one of --diff, -o DIR and --in-place");
  if (A.has("--plan"))
    orFail(readPlan(A.text("--plan")));
  Job J;
  J.Argv = {siblingProgram("evenkeel-rewrite"), "-p", Folder};
  auto Pass = [&](const char *Name, const char *As) {
    if (A.has(Name)) {
      J.Argv.push_back(As);
      J.Argv.push_back(A.text(Name));
    }
  };
  Pass("--plan", "--plan");
  Pass("--style", "--style");
  Pass("--machine", "--machine");
  Pass("--whole-plan", "--whole-plan");
  Pass("--root", "--root"); // else EVENKEEL_ROOT, which it reads as well
  if (!A.has("--root") && !Root.empty())
    J.Env.push_back({"EVENKEEL_ROOT", Root});
  Pass("--wrapper", "--wrapper");
  Pass("--output", "-o");
  for (const char *Flag : {"--priorities", "--acquire", "--diff", "--in-place",
                           "--json", "--keep-going"})
    if (A.has(Flag))
      J.Argv.push_back(Flag);
  for (const std::string &Unit : Units)
    J.Argv.push_back(Unit);
  if (!Made)
    becomeJob(J);
  J.Quiet = false;
  return runJob(J).Status;
}

namespace evenkeel::cli {
const Subcommand &rewriteCommand() {
  static const Subcommand C = {
      "rewrite",
      "What has to change in the sources, so that the program can carry out a "
      "plan?",
      "rewrite (PROGRAM | -p BUILD) [--plan plan.json | --style kept | --style "
      "(omp | memkind) --plan plan.json] (--diff | -o DIR | --in-place) "
      "[UNIT...] | rewrite --report FILE...",
      "evenkeel-cc -O2 -fopenmp solver.c -o solver\n"
      "evenkeel rewrite solver --plan plan.json --diff",
      {{"--build", "-p", "BUILD",
        "the build folder, which holds compile_commands.json; for programs "
        "that "
        "evenkeel-cc did not build"},
       {"--plan", nullptr, "FILE",
        "write the shares of this plan into the allocation calls; a plan given "
        "to run takes precedence over them"},
       {"--style", nullptr, "STYLE",
        "numbers (default): ids as numbers, and every place keeps its line; "
        "kept: for sources that the project keeps, with names, lines of their "
        "own, and one generated header; omp, memkind: calls of OpenMP or "
        "memkind place the plan's objects, without Evenkeel"},
       {"--machine", nullptr, "NAME|FILE",
        "with --style omp and memkind: the plan's machine, where the plan's "
        "name for it is not enough; with --acquire: a machine with a required "
        "tier"},
       {"--whole-plan", nullptr, "FILE",
        "with --style omp and memkind: write the plan as these calls have it, "
        "each object whole and without moves, for simulate"},
       {"--priorities", nullptr, nullptr,
        "add priority clauses to tasks with depend clauses, so that tasks that "
        "continue what has been begun go first; OMP_MAX_TASK_PRIORITY puts "
        "them into force"},
       {"--acquire", nullptr, nullptr,
        "tasks acquire the data that their depend and map clauses name while "
        "they run, for a tier that must hold it (EVENKEEL_REQUIRED); clauses "
        "that name less than the task accesses are reported by line"},
       {"--diff", nullptr, nullptr,
        "print the changes as a unified diff; no file is changed"},
       {"--output", "-o", "DIR",
        "write the changed files below DIR, in folders as in the project; the "
        "sources stay as they are"},
       {"--in-place", nullptr, nullptr, "change the source files themselves"},
       {"--report", nullptr, "FILE",
        "show what evenkeel-cc rewrote, left alone and skipped in a program, "
        "library or object file that it built"},
       {"--root", nullptr, "DIR", "the project's root folder, as for analyze"},
       {"--wrapper", nullptr, "NAME,...",
        "functions of yours that allocate for their callers, where no source "
        "file of the build shows it"},
       {"--keep-going", nullptr, nullptr,
        "count entries of the plan that match no source, instead of failing"}},
      run,
      Subcommand::Names};
  return C;
}
} // namespace evenkeel::cli
