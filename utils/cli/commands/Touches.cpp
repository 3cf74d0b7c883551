//===- Touches.cpp - evenkeel touches -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what there is to see of touches.json.
//===----------------------------------------------------------------------===//
#include "cli/common/Cli.h"
#include "cli/touches/TouchTable.h"
#include "format/touches/TouchRecord.h"
#include <cstdio>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using namespace evenkeel::cli;

static int run(const Args &A) {
  if (A.Positional.size() > 1)
    fail("name one file");
  const std::string Path =
      A.Positional.empty() ? "touches.json" : A.Positional[0];
  const TouchRecord R = orFail(readTouches(Path));
  const std::string By = A.text("--by");
  if (By != "line" && By != "object")
    fail("--by is line or object, not '" + By + "'");
  const std::vector<TouchedObject> Objects = touchedObjects(R, By == "object");
  if (A.has("--json")) {
    nlohmann::json J = touchesSummary(R, Objects);
    J["schema"] = "evenkeel.touched/1";
    printJson(J);
    return 0;
  }
  std::printf(
      "%s: %s\n%s\n%s%s(%s)\n", Path.c_str(), R.Command.c_str(),
      passesText(R).c_str(),
      touchTable(Objects, A.has("--verbose") ? Objects.size() : 9).c_str(),
      touchNotes(R).c_str(), TouchesAre);
  return 0;
}

namespace evenkeel::cli {
const Subcommand &touchesCommand() {
  static const Subcommand C = {
      "touches",
      "Which memory does a program touch, and when?",
      "touches [--by line|object] [touches.json]",
      "cc -g -O2 solver.c -o solver\n"
      "evenkeel record --pages --overhead 50% -- ./solver 500 10\n"
      "evenkeel touches",
      {{"--by", nullptr, "WHAT",
        "one line for all objects that a source line allocates (line), or for "
        "each object (object)",
        "line"},
       {"--verbose", "-v", nullptr, "all objects, not only the hottest"}},
      run,
      Subcommand::Names};
  return C;
}
} // namespace evenkeel::cli
