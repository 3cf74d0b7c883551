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
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using namespace evenkeel::cli;

static TextStyle styleOf(const Args &A) {
  TextStyle S = terminalStyle();
  S.Ascii |= A.has("--ascii");
  if (!A.has("--width"))
    return S;
  const std::string Text = A.text("--width");
  char *End = nullptr;
  errno = 0;
  const long N = std::strtol(Text.c_str(), &End, 10);
  if (Text.empty() || *End || errno || N < 40 || N > 1000)
    fail("--width: '" + Text + "' is not a number of columns from 40 to 1000");
  S.Width = size_t(N);
  return S;
}

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
  All.push_back({"--width", nullptr, "COLUMNS",
                 "columns to draw in (default: those of the terminal)"});
  All.push_back({"--ascii", nullptr, nullptr,
                 "draw with ASCII only (default: if the locale is not UTF-8)"});
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
