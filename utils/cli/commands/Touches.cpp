//===- Touches.cpp - evenkeel touches -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what there is to see of touches.json.
//===----------------------------------------------------------------------===//
#include "cli/common/Cli.h"
#include "cli/touches/CurveJson.h"
#include "cli/touches/CurvePictures.h"
#include "cli/touches/Damo.h"
#include "cli/touches/TouchMap.h"
#include "cli/touches/TouchTable.h"
#include "cli/touches/TouchText.h"
#include "cli/touches/curves/Recency.h"
#include "cli/touches/curves/Scatter.h"
#include "cli/touches/curves/WorkingSet.h"
#include "format/File.h"
#include "format/touches/TouchRecord.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using namespace evenkeel::cli;

/// The process that --process names, or the busiest.
static uint32_t processOf(const Args &A, const TouchRecord &R) {
  if (!A.has("--process"))
    return busiestProcess(R);
  const std::string Text = A.text("--process");
  char *End = nullptr;
  const unsigned long N = std::strtoul(Text.c_str(), &End, 10);
  if (Text.empty() || Text[0] < '0' || Text[0] > '9' || *End ||
      N >= R.Processes.size())
    fail("--process is a number below " + std::to_string(R.Processes.size()) +
         ", not '" + Text + "'");
  return static_cast<uint32_t>(N);
}

/// Columns and rows of points that a picture has room for.
static constexpr size_t PointColumns = 160, PointRows = 240;
/// Rows of a map, and source lines of a table, in the terminal.
static constexpr size_t TextRows = 24, TextObjects = 9;

static bool isOneOf(const std::string &Text,
                    std::initializer_list<const char *> Of) {
  return std::find(Of.begin(), Of.end(), Text) != Of.end();
}

/// What a picture or drawing shows.
static const char *pictureTitle(const std::string &What) {
  return What == "object"        ? "touched pages by object"
         : What == "address"     ? "touched pages by address"
         : What == "scatter"     ? "touched chunks by address and time"
         : What == "working-set" ? "working set"
                                 : "time since the last touch, in the second "
                                   "half of the run";
}

/// What is drawn: --map or --curve.
static std::string wantedPicture(const Args &A) {
  if (A.has("--map") &&
      !isOneOf(A.text("--map"), {"object", "address", "scatter"}))
    fail("--map is object, address or scatter, not '" + A.text("--map") + "'");
  if (A.has("--curve") &&
      !isOneOf(A.text("--curve"), {"working-set", "recency"}))
    fail("--curve is working-set or recency, not '" + A.text("--curve") + "'");
  return A.text(A.has("--map") ? "--map" : "--curve");
}

static void checkHasTouches(const TouchRecord &R, uint32_t Process) {
  for (const TouchRow &X : R.Rows)
    if (R.Passes[X.Pass].Process == Process && usedPages(X) > 0)
      return;
  fail("the record has no touched page of this process");
}

/// A map or curve with characters.
static int drawText(const Args &A, const TouchRecord &R, uint32_t Process) {
  const std::string What = wantedPicture(A);
  const TextStyle S = styleOf(A);
  const size_t Rows = A.has("--verbose") ? SIZE_MAX : TextRows,
               Objects = A.has("--verbose") ? SIZE_MAX : TextObjects;
  const bool Single = A.text("--by") == "object";
  std::string Text;
  if (What == "object")
    Text = heatView(heatByObject(R, Process, Rows, mapColumns(S)), S);
  else if (What == "address")
    Text = heatView(heatByAddress(R, Process, A.has("--verbose") ? 200 : Rows,
                                  mapColumns(S)),
                    S);
  else if (What == "scatter")
    fail("--map scatter is a picture; --map address --text draws the same "
         "memory with characters");
  else if (What == "working-set")
    Text = workingSetView(workingSetOf(R, Process, Single), S, Objects);
  else
    Text = recencyView(recencyOf(R, Process, Single), S, Objects);
  const std::string Title = brokenLines(
      processTitle(R, Process) + ": " + pictureTitle(What), S.Width, 0);
  std::printf(
      "%s\n%s%s\n", (S.Ascii ? asciiText(Title) : Title).c_str(), Text.c_str(),
      brokenLines("(" + std::string(TouchesAre) + ")", S.Width, 0).c_str());
  return 0;
}

static int writePicture(const Args &A, const std::string &Path,
                        const TouchRecord &R) {
  const std::string What = wantedPicture(A);
  const uint32_t Process = processOf(A, R);
  checkHasTouches(R, Process);
  if (A.has("--text"))
    return drawText(A, R, Process);
  const std::string Out =
      A.has("--output") ? A.text("--output") : "touches.svg";
  refuseInput(Out, {Path});
  const std::string Title = processTitle(R, Process);
  nlohmann::json J = {{"schema", "evenkeel.touched/1"}, {"picture", Out}};
  std::string Says = pictureTitle(What), Svg;
  if (What == "object" || What == "address") {
    const HeatGrid G = What == "object" ? heatByObject(R, Process, 40)
                                        : heatByAddress(R, Process, 200);
    Svg = heatSvg(G);
    Says = std::to_string(G.Rows.size()) + " rows by " + What;
    J["rows"] = G.Rows.size();
  } else if (What == "scatter") {
    Svg = scatterPicture(scatterOf(R, Process, PointColumns, PointRows), Title,
                         "touches")
              .file();
  } else {
    const bool Single = A.text("--by") == "object";
    Svg = What == "recency"
              ? recencyPicture(recencyOf(R, Process, Single), Title, "touches")
                    .file()
              : workingSetPicture(workingSetOf(R, Process, Single), Title,
                                  "touches")
                    .file();
    addCurves(R, Process, Single, SIZE_MAX, J);
  }
  writeFile(Out, Svg);
  if (A.has("--json"))
    printJson(J);
  else
    std::printf("%s: %s (%s)\n", Out.c_str(), Says.c_str(), TouchesAre);
  return 0;
}

static int writeDamo(const Args &A, const TouchRecord &R) {
  const std::string Out = A.has("--output") ? A.text("--output") : "damon.data";
  std::error_code E;
  // The format has no mark of ours, so no file is replaced.
  if (std::filesystem::exists(Out, E))
    fail("'" + Out + "' exists; remove it or choose another name");
  orFail(writeWholeFile(Out, orFail(damoRecord(R, processOf(A, R)))));
  if (A.has("--json"))
    printJson({{"schema", "evenkeel.touched/1"}, {"damo", Out}});
  else
    std::printf("%s: for damo report (%s)\n", Out.c_str(), TouchesAre);
  return 0;
}

static int run(const Args &A) {
  if (A.Positional.size() > 1)
    fail("name one file");
  const std::string Path =
      A.Positional.empty() ? "touches.json" : A.Positional[0];
  const TouchRecord R = orFail(readTouches(Path));
  const std::string By = A.text("--by");
  if (By != "line" && By != "object")
    fail("--by is line or object, not '" + By + "'");
  if (A.has("--map") + A.has("--curve") + A.has("--damo") > 1)
    fail("choose one of --map, --curve and --damo");
  const bool Draws = A.has("--map") || A.has("--curve");
  for (const char *Name : {"--text", "--width", "--ascii"})
    if (A.has(Name) && !(Draws && A.has("--text")))
      fail(std::string(Name) +
           (Draws ? " is for --text" : " is for --map and --curve"));
  if (A.has("--text") && (A.has("--output") || A.has("--json")))
    fail("--text draws in the terminal; leave out --output and --json");
  if (Draws)
    return writePicture(A, Path, R);
  if (A.has("--damo"))
    return writeDamo(A, R);
  if (A.has("--output") || A.has("--process"))
    fail("--output and --process are for --map, --curve and --damo");
  const std::vector<TouchedObject> Objects = touchedObjects(R, By == "object");
  if (A.has("--json")) {
    nlohmann::json J = touchesSummary(R, Objects);
    J["schema"] = "evenkeel.touched/1";
    addCurves(R, busiestProcess(R), By == "object", SIZE_MAX, J);
    printJson(J);
    return 0;
  }
  std::printf(
      "%s: %s\n%s\n%s\n%s%s(%s)\n", Path.c_str(), R.Command.c_str(),
      passesText(R).c_str(), workingSetText(Objects).c_str(),
      touchTable(Objects, A.has("--verbose") ? Objects.size() : 9).c_str(),
      touchNotes(R).c_str(), TouchesAre);
  return 0;
}

static std::vector<Option> options() {
  std::vector<Option> All = {
      {"--by", nullptr, "WHAT",
       "one line for all objects that a source line allocates (line), or for "
       "each object (object)",
       "line"},
      {"--map", nullptr, "BY",
       "draw a heat map instead: time to the right, and downwards the hottest "
       "objects (object) or all touched memory (address); or points for the "
       "touched chunks of all memory, in a colour for each source line "
       "(scatter)"},
      {"--curve", nullptr, "WHAT",
       "draw the bytes that windows see touched, over time (working-set), or "
       "memory by the time since its last touch (recency), of all memory and "
       "of the most used source lines"},
      {"--text", nullptr, nullptr,
       "draw with characters in the terminal, not as a picture: maps, or for "
       "curves percentiles and a row for each source line"},
      {"--damo", nullptr, nullptr,
       "write the record in the format of damo, DAMON's tool, for damo report "
       "heatmap and the like"},
      {"--output", "-o", "FILE",
       "the picture or record (default: touches.svg, damon.data)"},
      {"--process", nullptr, "N",
       "the process to draw, in the order of the file (default: the busiest)"},
      {"--verbose", "-v", nullptr, "all objects, not only the hottest"}};
  for (const Option &O : styleOptions())
    All.push_back(O);
  return All;
}

namespace evenkeel::cli {
const Subcommand &touchesCommand() {
  static const Subcommand C = {
      "touches",
      "Which memory does a program touch, and when?",
      "touches [--by line|object] [--map object|address|scatter | --curve "
      "working-set|recency | --damo] [--text | -o FILE] [--process N] "
      "[touches.json]",
      "cc -g -O2 -fopenmp solver.c -o plain\n"
      "evenkeel record --pages --overhead 5% -- ./plain 3000 200\n"
      "evenkeel touches",
      options(),
      run,
      Subcommand::Names};
  return C;
}
} // namespace evenkeel::cli
