//===- ImportDamo.cpp - a record of damo as touched pages -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ImportDamo.h.
//===----------------------------------------------------------------------===//
#include "ImportDamo.h"
#include "format/damo/DamoRecord.h"
#include "format/damo/FromDamo.h"
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace evenkeel::cli {

int importDamo(const Args &A) {
  for (const std::pair<const std::string, std::vector<std::string>> &Given :
       A.Values)
    if (Given.first != "--damo" && Given.first != "--maps" &&
        Given.first != "--output" && Given.first != "--json")
      fail(Given.first + " does not go with --damo");
  const std::string Path = A.text("--damo");
  const std::string Out =
      A.text("--output").empty() ? "touches.json" : A.text("--output");
  refuseInput(Out, {Path, A.text("--maps")});
  refuseForeign(Out);
  const std::vector<damo::Target> Targets =
      orFail(damo::parseRecord(readTextFile(Path), Path));
  std::vector<damo::Mapping> Names;
  if (A.has("--maps"))
    Names = orFail(
        damo::parseMappings(readTextFile(A.text("--maps")), A.text("--maps")));
  Expected<TouchRecord> R = damo::touchesOf(Targets, Names);
  if (!R)
    fail("'" + Path + "' " + R.message());
  writeFile(Out, touchesToJson(*R));
  const bool Assumed = std::any_of(Targets.begin(), Targets.end(),
                                   [](auto &T) { return T.Assumed; });
  if (A.has("--json")) {
    printJson({{"schema", "evenkeel.import/1"},
               {"targets", Targets.size()},
               {"snapshots", R->Passes.size()},
               {"objects", R->Objects.size()},
               {"intervals_assumed", Assumed}});
    return 0;
  }
  std::printf(
      "touches    %s: %zu target%s, %zu snapshot%s over %s, %zu object%s\n"
      "not known  which pages are resident (all of a range count), CPU "
      "times, what DAMON cost,\n"
      "           source lines and call stacks%s\n",
      Out.c_str(), Targets.size(), Targets.size() == 1 ? "" : "s",
      R->Passes.size(), R->Passes.size() == 1 ? "" : "s",
      secondsText(double(R->programNs()) / 1e9).c_str(), R->Objects.size(),
      R->Objects.size() == 1 ? "" : "s",
      Names.empty() ? "; what lies where (a copy of /proc/PID/maps tells "
                      "it: --maps FILE)"
                    : "");
  if (Assumed)
    std::printf(
        "           the intervals; DAMON's own are assumed: a sample each 5 "
        "ms, a sum each 100 ms\n");
  std::printf("next       evenkeel touches --map address --text %s\n",
              Out.c_str());
  return 0;
}

} // namespace evenkeel::cli
