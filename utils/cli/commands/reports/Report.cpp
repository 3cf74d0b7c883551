//===- Report.cpp - evenkeel report ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the formats of a report, and where each goes.
// Makes: one HTML file, pictures, or traces for other viewers.
// Not here: what a report is made from (ReportSources), what the page shows
// (report/), other formats (views/).
//===----------------------------------------------------------------------===//
#include "ReportSources.h"
#include "cli/common/Cli.h"
#include "cli/report/MakeData.h"
#include "cli/report/Page.h"
#include "cli/report/ReportJson.h"
#include "cli/touches/TouchedView.h"
#include "cli/views/SvgPictures.h"
#include "cli/views/Traces.h"
#include "cli/workspace/RankWaits.h"
#include "cli/workspace/Workspace.h"
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

using namespace evenkeel;
using namespace evenkeel::cli;

static bool isTrace(const std::string &Format) {
  return Format == "perfetto" || Format == "speedscope";
}

/// The file that the user names, or one with the name of its format; "":
/// standard output.
static std::string chooseOutput(const Args &A, const ReportWork &W) {
  const std::string Format = A.text("--format");
  if (Format == "text")
    fail("evenkeel show draws in the terminal; --format is for files");
  if (Format != "html" && Format != "svg" && !isTrace(Format))
    fail("--format must be html, svg, perfetto or speedscope");
  if (A.has("--json") && Format != "html")
    fail("--json prints the figures of the page; leave out --format");
  if (A.has("--output")) {
    const std::string Output = A.text("--output");
    if (Format == "svg" &&
        (Output.size() <= 4 || Output.substr(Output.size() - 4) != ".svg"))
      fail("--format svg writes pictures; name them with -o NAME.svg, not '" +
           Output + "'");
    return Output;
  }
  if (A.has("--json"))
    return "";
  if (Format == "html")
    return W.Tuned.empty() ? "report.html" : W.Tuned;
  return Format == "svg"        ? "report.svg"
         : Format == "perfetto" ? "trace.json"
                                : "trace.speedscope.json";
}

/// "report-tasks.svg" for "report.svg".
static std::string pictureFile(const std::string &Output,
                               const std::string &Name) {
  const size_t Folder = Output.rfind('/') + 1, Dot = Output.rfind('.');
  const size_t End =
      Dot == std::string::npos || Dot <= Folder ? Output.size() : Dot;
  return Output.substr(0, End) + "-" + Name + Output.substr(End);
}

/// Fails if an output is one of the files that \p A names.
static void refuseOutput(const Args &A, const std::string &Output) {
  std::vector<std::string> Files;
  if (A.text("--format") == "svg")
    for (const char *Name : pictureNames())
      Files.push_back(pictureFile(Output, Name));
  else if (!Output.empty())
    Files.push_back(Output);
  std::vector<std::string> Inputs = reportFiles(A);
  if (A.has("--touches"))
    Inputs.push_back(A.text("--touches"));
  for (const std::string &File : Files) {
    refuseInput(File, Inputs);
    refuseForeign(File);
  }
}

/// Amounts of fast memory to compare.
static std::vector<std::string> amountsOf(const Args &A) {
  if (A.text("--amounts") == "none" || isTrace(A.text("--format")))
    return {};
  return A.has("--amounts") ? splitList(A.text("--amounts"), ',')
                            : usualAmounts();
}

static void writePictures(const ReportInput &In, const ReportData &D,
                          const Headlines &Says, const std::string &Output) {
  std::string Files;
  for (const Picture &P : svgPictures(In, D, Says)) {
    const std::string File = pictureFile(Output, P.Name);
    writeFile(File, P.Svg);
    Files += (Files.empty() ? "" : " ") + shownPath(File);
  }
  std::printf("%s\nnext: open %s in a browser, or place them in a document\n",
              plainText(Says.gain()).c_str(), Files.c_str());
}

/// "a.c" of "src/a.c".
static std::string fileName(const std::string &Path) {
  return Path.substr(Path.rfind('/') + 1);
}

/// Whether \p R is of a program without any of the sources of \p F: it names
/// source lines, and none of them is in a file that was analysed.
static bool isOfOtherSources(const TouchRecord &R, const Facts &F) {
  std::set<std::string> Sources;
  for (const std::string &Unit : F.Units)
    Sources.insert(fileName(Unit));
  for (const SiteFact &S : F.Sites)
    Sources.insert(fileName(S.At.substr(0, S.At.find(':'))));
  bool Named = false;
  for (const TouchObject &O : R.Objects) {
    const size_t Colon = O.Name.rfind(':');
    if ((O.Kind != "block" && O.Kind != "mapping") ||
        Colon == std::string::npos)
      continue;
    if (Sources.count(fileName(O.Name.substr(0, Colon))))
      return false;
    Named = true;
  }
  return Named;
}

static int run(const Args &A) {
  ReportWork W;
  findReportPlan(A, "report", W);
  const std::string Output = chooseOutput(A, W), Format = A.text("--format");
  refuseOutput(A, Output);
  if (A.has("--touches") && Format != "html")
    fail(
        "--touches is for the page; evenkeel touches --map draws its pictures");
  std::optional<TouchedPages> Touched;
  TouchRecord R;
  if (A.has("--touches")) {
    R = orFail(readTouches(A.text("--touches")));
    Touched = {touchedFinding(R), touchedHtml(R), touchedJson(R)};
  }
  readReportPlan(A, amountsOf(A), W);
  gatherReport(A, "report", W);
  if (Touched && isOfOtherSources(R, *W.Made->Input.F)) {
    const std::string Warning =
        A.text("--touches") +
        " names no source file that was analysed: it is of another program "
        "than the plan";
    std::fprintf(stderr, "evenkeel: warning: %s\n", Warning.c_str());
    W.Made->Input.Notes.push_back(Warning);
  }
  if (const std::string Text =
          rankWaits(A.Command, A.text("--workspace")).text(*W.Made->Input.F);
      !Text.empty())
    W.Made->Input.Notes.push_back(Text);
  W.Made->Input.Touched = std::move(Touched);
  const ReportInput &In = W.input();
  if (isTrace(Format)) {
    writeFile(Output,
              Format == "perfetto" ? perfettoTrace(In) : speedscopeTrace(In));
    std::printf("next: open %s in %s\n", shownPath(Output).c_str(),
                Format == "perfetto" ? "ui.perfetto.dev" : "speedscope.app");
    return 0;
  }
  const ReportData D = reportData(In);
  const Headlines Says(In, D);
  if (Format == "svg") {
    writePictures(In, D, Says, Output);
    return 0;
  }
  if (A.has("--json")) {
    std::printf("%s\n", reportJson(In, D, Says).dump(1).c_str());
    if (!Output.empty())
      writeReport(In, Output);
    return 0;
  }
  writeReport(In, Output);
  std::printf("%s\n%s\nnext: open %s in a browser\n",
              plainText(Says.gain()).c_str(), plainText(Says.objects()).c_str(),
              shownPath(Output).c_str());
  return 0;
}

static std::vector<Option> options() {
  std::vector<Option> All = reportSourceOptions();
  All.push_back({"--touches", nullptr, "FILE",
                 "what record --pages wrote of a run of the program: the page "
                 "also shows which memory it touches when, by object and by "
                 "address"});
  All.push_back({"--amounts", nullptr, "A,B,..",
                 "amounts of fast memory to compare (default: ten shares of "
                 "the peak); none leaves this view out"});
  All.push_back({"--format", nullptr, "WHAT",
                 "html: one page; svg: its charts as pictures; perfetto, "
                 "speedscope: every task, for these viewers",
                 "html"});
  All.push_back({"--output", "-o", "FILE",
                 "file to write (default: report.html, or for what tune "
                 "planned a file in the workspace; trace.json and "
                 "trace.speedscope.json for traces). Of pictures, X.svg "
                 "becomes X-tasks.svg, X-occupancy.svg and X-amounts.svg "
                 "(default: report.svg)"});
  return All;
}

namespace evenkeel::cli {
const Subcommand &reportCommand() {
  static const Subcommand C = {
      "report",
      "What does a plan gain, and why, as one page with pictures?",
      "report [--plan FILE | --facts F --base B --machine M --fast S [--for "
      "..]] [--record TARGET.ekdb] [-o report.html] [-- CMD...]",
      "evenkeel report --facts facts.json --base base.ekdb --machine "
      "optane-6252n \\\n  --fast 25% -o report.html -- ./solver 1000 10",
      options(),
      run,
      Subcommand::Program};
  return C;
}
} // namespace evenkeel::cli
