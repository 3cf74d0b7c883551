//===- Run.cpp - evenkeel run ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: start a rewritten program with a plan: the runtime reads it from
// EVENKEEL_PLAN. The exit status is the program's own.
//===----------------------------------------------------------------------===//
#include "Cli.h"
#include "Process.h"
#include "Siblings.h"
#include "format/Plan.h"
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;
using namespace evenkeel;
using namespace evenkeel::cli;

static int run(const Args &A) {
  std::string PlanPath = A.require("--plan");
  if (A.Command.empty())
    fail("no program; write it after --, as in: evenkeel run --plan plan.json "
         "-- ./solver input");
  Plan P = orFail(readPlan(PlanPath));
  std::string Program = findProgram(A.Command[0]);
  if (Program.empty())
    fail("no program '" + A.Command[0] + "'");
  std::string Bytes = readTextFile(Program);
  if (Bytes.compare(0, 4,
                    "\x7f"
                    "ELF") == 0 &&
      Bytes.find("ek_abi_v1") == std::string::npos)
    fail("'" + A.Command[0] +
         "' was not rewritten, a plan means nothing to "
         "it; rewrite it with evenkeel rewrite and link libevenkeel");
  Job J{A.Command, "", {}, false, false};
  J.Argv[0] = Program;
  // The program may change its working directory before the runtime reads it.
  J.Env = {{"EVENKEEL_PLAN", fs::absolute(PlanPath).string()}};
  if (A.has("--provider"))
    J.Env.push_back({"EVENKEEL_PROVIDER", A.text("--provider")});
  if (A.has("--summary"))
    J.Env.push_back({"EVENKEEL_SUMMARY", "1"});
  if (!A.has("--json"))
    becomeJob(J);
  TempDir Temp;
  std::string Summary = Temp.path() + "/summary.json";
  J.Env.push_back({"EVENKEEL_SUMMARY_JSON", Summary});
  J.StdoutToStderr = true;
  JobResult R = runJob(J);
  nlohmann::json Doc = {{"schema", "evenkeel.run/1"},
                        {"program_status", R.Status},
                        {"summary", nullptr}};
  std::error_code E;
  if (fs::exists(Summary, E))
    Doc["summary"] =
        nlohmann::json::parse(readTextFile(Summary), nullptr, false);
  printJson(Doc);
  return R.Status;
}

namespace evenkeel::cli {
const Subcommand &runCommand() {
  static const Subcommand C = {
      "run",
      "start a rewritten program with a plan",
      "run --plan plan.json [--provider P] [--summary] -- CMD...",
      "evenkeel run --plan plan.json --summary -- ./solver large.mtx",
      {{"--plan", nullptr, "FILE", "plan to carry out"},
       {"--provider", nullptr, "P",
        "posix, numa or emulated; else the "
        "runtime chooses"},
       {"--summary", nullptr, nullptr, "end-of-run summary on stderr"}},
      run};
  return C;
}
} // namespace evenkeel::cli
