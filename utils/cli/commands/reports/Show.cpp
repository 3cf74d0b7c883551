//===- Show.cpp - evenkeel show -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the views of a report that a terminal can draw.
// Makes: text, in UTF-8 or ASCII.
// Not here: what is shown (ReportSources), how it is drawn (views/).
//===----------------------------------------------------------------------===//
#include "ReportSources.h"
#include "cli/report/MakeData.h"
#include "cli/report/ReportJson.h"
#include "cli/views/TextView.h"
#include <cstdio>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using namespace evenkeel::cli;

static int run(const Args &A) {
  const std::string View = A.text("--view");
  if (View != "all" && View != "tasks" && View != "memory")
    fail("--view must be all, tasks or memory");
  const TextStyle S = styleOf(A);
  ReportWork W;
  findReportPlan(A, "show", W);
  readReportPlan(A, {}, W);
  gatherReport(A, "show", W);
  const ReportInput &In = W.input();
  const ReportData D = reportData(In);
  const Headlines Says(In, D);
  if (A.has("--json")) {
    std::printf("%s\n", reportJson(In, D, Says).dump(1).c_str());
    return 0;
  }
  std::string Out;
  if (View != "memory")
    Out = tasksView(In, D, Says, S);
  if (View != "tasks")
    Out += (Out.empty() ? "" : "\n") + memoryView(D, Says, S);
  std::string Answer = plainText(Says.gain());
  if (S.Ascii)
    Answer = asciiText(Answer);
  Out += "\n" + brokenLines(Answer, S.Width, 0) + "\n";
  const char *Before = "next: ";
  for (const std::string &Command : In.Next) {
    Out += Before + Command + "\n";
    Before = "      ";
  }
  Out += Before + sameSources(A, "report") + "\n";
  std::fputs(Out.c_str(), stdout);
  return 0;
}

static std::vector<Option> options() {
  std::vector<Option> All = reportSourceOptions();
  All.push_back({"--view", nullptr, "WHAT",
                 "tasks: the tasks of the slowest phases; memory: the traffic "
                 "of each object",
                 "all"});
  for (const Option &O : styleOptions())
    All.push_back(O);
  return All;
}

namespace evenkeel::cli {
const Subcommand &showCommand() {
  static const Subcommand C = {
      "show",
      "Which tasks wait, and which data is used when, drawn in the terminal?",
      "show [--plan FILE | --facts F --base B --machine M --fast S [--for ..]] "
      "[--record TARGET.ekdb] [--view tasks|memory] [-- CMD...]",
      "evenkeel tune -- ./solver 1000 10\nevenkeel show -- ./solver 1000 10",
      options(),
      run,
      Subcommand::Program};
  return C;
}
} // namespace evenkeel::cli
