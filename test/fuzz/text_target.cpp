//===- text_target.cpp - the texts behind --for and --fast ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a value that was accepted, written out again, is accepted again and
// the same; a share is never more than the whole.
//===----------------------------------------------------------------------===//
#include "Target.h"
#include "format/Machine.h"
#include "planner/Planner.h"
#include "predict/TargetPredictor.h"
#include "predict/symbols/Given.h"
#include <cmath>
#include <cstdio>

using namespace evenkeel;
using namespace ekfuzz;

/// Arguments end at the first NUL.
static std::string argument(const std::string &Input) { return Input.c_str(); }

bool ekfuzz::runGiven(const std::string &Input) {
  Expected<Given> G = parseGiven(argument(Input));
  if (!G)
    return false;
  EK_HOLDS(std::isfinite(G->Value) && !G->Name.empty(), "an empty --for");
  char Value[64];
  std::snprintf(Value, sizeof Value, "=%.17g", G->Value);
  std::string Text = G->Name;
  if (G->Task)
    Text += "@" + std::to_string(*G->Task);
  Expected<Given> Again = parseGiven(Text + Value);
  EK_HOLDS(bool(Again), "--for is refused when written again");
  EK_HOLDS(Again->Name == G->Name && Again->Task == G->Task &&
               Again->Value == G->Value,
           "--for differs after a round trip");
  return true;
}

bool ekfuzz::runFastSize(const std::string &Input) {
  std::string Text = argument(Input);
  if (!checkFastSize(Text) && Text.back() == '%')
    EK_HOLDS(*parseFastSize(Text, 1000) <= 1000, "more than all of it");
  bool Accepted = false;
  for (uint64_t Whole : {uint64_t(0), uint64_t(1), uint64_t(12345678901),
                         uint64_t(1) << 52, UINT64_MAX}) {
    Expected<uint64_t> Bytes = parseFastSize(Text, Whole);
    if (!Bytes)
      continue;
    Accepted = true;
    Expected<uint64_t> Again = parseFastSize(std::to_string(*Bytes), Whole);
    EK_HOLDS(Again && *Again == *Bytes, "a size differs when written again");
    if (Text.back() == '%' && std::stod(Text) <= 100 && Whole <= 1ull << 52)
      EK_HOLDS(*Bytes <= Whole, "a share of more than the whole");
  }
  return Accepted;
}
