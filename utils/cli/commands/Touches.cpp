//===- Touches.cpp - evenkeel touches -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what there is to see of touches.json.
//===----------------------------------------------------------------------===//
#include "cli/common/Cli.h"
#include "cli/touches/Damo.h"
#include "cli/touches/TouchMap.h"
#include "cli/touches/TouchTable.h"
#include "format/File.h"
#include "format/touches/TouchRecord.h"
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

static int writeMap(const Args &A, const std::string &Path,
                    const TouchRecord &R) {
  const std::string By = A.text("--map");
  if (By != "object" && By != "address")
    fail("--map is object or address, not '" + By + "'");
  const uint32_t Process = processOf(A, R);
  const HeatGrid G = By == "object" ? heatByObject(R, Process, 40)
                                    : heatByAddress(R, Process, 200);
  if (G.Rows.empty())
    fail("the record has no touched page of this process");
  const std::string Out =
      A.has("--output") ? A.text("--output") : "touches.svg";
  refuseInput(Out, {Path});
  writeFile(Out, heatSvg(G));
  if (A.has("--json"))
    printJson({{"schema", "evenkeel.touched/1"},
               {"picture", Out},
               {"rows", G.Rows.size()}});
  else
    std::printf("%s: %zu rows by %s (%s)\n", Out.c_str(), G.Rows.size(),
                By.c_str(), TouchesAre);
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
  if (A.has("--map") && A.has("--damo"))
    fail("choose one of --map and --damo");
  if (A.has("--map"))
    return writeMap(A, Path, R);
  if (A.has("--damo"))
    return writeDamo(A, R);
  if (A.has("--output") || A.has("--process"))
    fail("--output and --process are for --map and --damo");
  const std::vector<TouchedObject> Objects = touchedObjects(R, By == "object");
  if (A.has("--json")) {
    nlohmann::json J = touchesSummary(R, Objects);
    J["schema"] = "evenkeel.touched/1";
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

namespace evenkeel::cli {
const Subcommand &touchesCommand() {
  static const Subcommand C = {
      "touches",
      "Which memory does a program touch, and when?",
      "touches [--by line|object] [--map object|address|--damo [-o FILE] "
      "[--process "
      "N]] [touches.json]",
      "cc -g -O2 -fopenmp solver.c -o plain\n"
      "evenkeel record --pages --overhead 5% -- ./plain 3000 200\n"
      "evenkeel touches",
      {{"--by", nullptr, "WHAT",
        "one line for all objects that a source line allocates (line), or for "
        "each object (object)",
        "line"},
       {"--map", nullptr, "BY",
        "draw a heat map instead: time to the right, and downwards the hottest "
        "objects (object) or all touched memory (address)"},
       {"--damo", nullptr, nullptr,
        "write the record in the format of damo, DAMON's tool, for damo report "
        "heatmap and the like"},
       {"--output", "-o", "FILE",
        "the picture or record (default: touches.svg, damon.data)"},
       {"--process", nullptr, "N",
        "the process to draw, in the order of the file (default: the busiest)"},
       {"--verbose", "-v", nullptr, "all objects, not only the hottest"}},
      run,
      Subcommand::Names};
  return C;
}
} // namespace evenkeel::cli
