//===- touches_target.cpp - touches.json and streams of watched processes -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a file that was accepted is written and read with equal text; rows of
// an accepted stream lie in their objects.
//===----------------------------------------------------------------------===//
#include "Target.h"
#include "format/touches/RawTouches.h"
#include "format/touches/TouchRecord.h"

using namespace evenkeel;
using namespace ekfuzz;

bool ekfuzz::runTouches(const std::string &Input) {
  Expected<TouchRecord> R = readTouches(scratchFile("in", Input));
  if (!R) {
    checkError(R.message());
    return false;
  }
  const std::string Text = touchesToJson(*R);
  Expected<TouchRecord> Again = readTouches(scratchFile("out", Text));
  EK_HOLDS(bool(Again), "a written file is refused: " + Again.message());
  EK_HOLDS(touchesToJson(*Again) == Text, "a file differs after a round trip");
  return true;
}

bool ekfuzz::runRawTouches(const std::string &Input) {
  Expected<RawTouches> R = readRawTouches(scratchFile("in", Input));
  if (!R) {
    checkError(R.message());
    return false;
  }
  for (const RawTouchPass &P : R->Passes)
    for (const ek_touch_row &X : P.Rows) {
      EK_HOLDS(R->Objects.count(X.object), "a row of no object");
      EK_HOLDS(X.resident <= X.pages, "more resident pages than pages");
    }
  return true;
}
