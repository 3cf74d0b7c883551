//===- damo_target.cpp - records of damo and what lay where -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what was accepted has snapshots whose regions are in order; the record
// of touched pages made of it is one that touches.json takes.
//===----------------------------------------------------------------------===//
#include "Target.h"
#include "format/damo/DamoRecord.h"
#include "format/damo/FromDamo.h"

using namespace evenkeel;
using namespace evenkeel::damo;
using namespace ekfuzz;

static void touchesMade(const std::vector<damo::Target> &Targets,
                        const std::vector<Mapping> &Of) {
  Expected<TouchRecord> R = touchesOf(Targets, Of);
  if (!R)
    return checkError(R.message());
  Expected<TouchRecord> Again =
      readTouches(scratchFile("out", touchesToJson(*R)));
  EK_HOLDS(bool(Again), "a made record is refused: " + Again.message());
}

bool ekfuzz::runDamo(const std::string &Input) {
  Expected<std::vector<damo::Target>> All = parseRecord(Input, "in");
  if (!All) {
    checkError(All.message());
    return false;
  }
  for (const damo::Target &T : *All) {
    EK_HOLDS(!T.Snapshots.empty(), "a target without snapshots");
    for (const Snapshot &S : T.Snapshots)
      for (size_t I = 0; I < S.Regions.size(); ++I) {
        const Region &R = S.Regions[I];
        EK_HOLDS(R.Start < R.End && R.Share >= 0 && R.Share <= 1, "a region");
        EK_HOLDS(!I || S.Regions[I - 1].End <= R.Start, "regions overlap");
      }
  }
  touchesMade(*All, {});
  touchesMade(*All, {{0x1000, 0x2000, "heap", "h"}, {0x2800, ~0ull, "file", "f"}});
  return true;
}

bool ekfuzz::runMappings(const std::string &Input) {
  Expected<std::vector<Mapping>> M = parseMappings(Input, "in");
  if (!M) {
    checkError(M.message());
    return false;
  }
  for (size_t I = 0; I < M->size(); ++I)
    EK_HOLDS((*M)[I].Start < (*M)[I].End &&
                 (!I || (*M)[I - 1].End <= (*M)[I].Start),
             "mappings out of order");
  return true;
}
