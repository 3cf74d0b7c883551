//===- Options.cpp - the simulated core and caches ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: Options from the environment (table in Options.h).
//===----------------------------------------------------------------------===//
#include "Options.h"
#include "record/host/Report.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace ekrec;

static bool badValue(const char *Name, const char *Text) {
  report("%s='%s' is not a usable value; the default stays", Name, Text);
  return false;
}

static bool number(const char *Name, uint64_t Low, uint64_t High,
                   uint64_t &Out) {
  const char *Text = getenv(Name);
  if (!Text || !*Text)
    return false;
  char *End = nullptr;
  unsigned long long V = strtoull(Text, &End, 10);
  if (*End || *Text == '-' || V < Low || V > High)
    return badValue(Name, Text);
  Out = V;
  return true;
}

static void number32(const char *Name, uint64_t Low, uint64_t High,
                     uint32_t &Out) {
  uint64_t V;
  if (number(Name, Low, High, V))
    Out = static_cast<uint32_t>(V);
}

static void cacheSize(const char *Name, uint32_t &Bytes, uint32_t &Ways) {
  const char *Text = getenv(Name);
  if (!Text || !*Text)
    return;
  char *End = nullptr;
  unsigned long long B = strtoull(Text, &End, 10), W = Ways;
  if (*End == '/')
    W = strtoull(End + 1, &End, 10);
  if (*End || *Text == '-' || W < 1 || W > 64 || B < W * LineBytes ||
      B > (1ull << 31)) {
    badValue(Name, Text);
    return;
  }
  Bytes = static_cast<uint32_t>(B);
  Ways = static_cast<uint32_t>(W);
}

static uint32_t wholeSets(uint64_t Bytes, uint32_t Ways) {
  uint64_t Set = uint64_t(Ways) * LineBytes;
  uint64_t Sets = (Bytes + Set / 2) / Set;
  // Many sets become a multiple of 64, for sampled lines (Sampling.h). Rounded
  // up: data of exactly this size must fit.
  if (Sets >= 32 * SampledRate)
    Sets = (Sets + SampledRate - 1) / SampledRate * SampledRate;
  return static_cast<uint32_t>((Sets ? Sets : 1) * Set);
}

/// Many sets become a multiple of 8 (CurveSets).
static uint32_t evenSets(uint64_t Bytes, uint32_t Ways) {
  const uint64_t Set = uint64_t(Ways) * LineBytes,
                 Sets = wholeSets(Bytes, Ways) / Set;
  return static_cast<uint32_t>(
      (Sets < 16 * CurveSets ? Sets
                             : (Sets + CurveSets - 1) / CurveSets * CurveSets) *
      Set);
}

void Options::normalise() {
  L1Bytes = wholeSets(L1Bytes, L1Ways);
  L2Bytes = wholeSets(L2Bytes, L2Ways);
  LlcBytes = wholeSets(LlcBytes, LlcWays);
  bool Given = false;
  for (uint32_t S : LlcSize)
    Given |= S != 0;
  for (unsigned I = 0; I < LlcSizes; ++I) {
    uint64_t Size = (uint64_t(LlcBytes) << I) / 16;
    if (Rate != 1) // small ones would have only a few simulated lines
      Size = I < 4 ? (uint64_t(LlcBytes) << I) / 8 : 1ull << (18 + I);
    if (!Given) // up to what 32 bits can hold
      LlcSize[I] = Size < 0xf0000000u ? evenSets(Size, LlcWays) : 0;
    else if (LlcSize[I])
      LlcSize[I] = evenSets(LlcSize[I], LlcWays);
  }
  if (!Given)
    std::sort(LlcSize, LlcSize + LlcSizes);
}

Options ekrec::optionsFromEnvironment(uint32_t Rate, bool Counts) {
  Options O;
  O.Rate = Rate;
  O.Counts = Counts;
  if (Rate != 1)
    O.Rows = SampledRows;
  O.Races =
      Rate == 1; // with one line in 64, too few races are found for the cost
  cacheSize("EVENKEEL_RECORD_L1", O.L1Bytes, O.L1Ways);
  cacheSize("EVENKEEL_RECORD_L2", O.L2Bytes, O.L2Ways);
  cacheSize("EVENKEEL_RECORD_LLC", O.LlcBytes, O.LlcWays);
  const char *SizesName = "EVENKEEL_RECORD_LLC_SIZES";
  if (const char *Text = getenv(SizesName); Text && *Text) {
    uint32_t Sizes[LlcSizes] = {};
    unsigned N = 0;
    const char *At = Text;
    bool Good = true;
    while (Good && *At) {
      char *End = nullptr;
      unsigned long long V = strtoull(At, &End, 10);
      Good = End != At && (*End == ',' || !*End) && V >= LineBytes &&
             V <= (1ull << 31) && N < LlcSizes;
      if (Good)
        Sizes[N++] = static_cast<uint32_t>(V);
      At = *End ? End + 1 : End;
    }
    if (Good && N)
      memcpy(O.LlcSize, Sizes, sizeof Sizes);
    else
      badValue(SizesName, Text);
  }
  number32("EVENKEEL_RECORD_LLC_CYCLES", 0, 10000, O.LlcCycles);
  number32("EVENKEEL_RECORD_ROB", 1, 1 << 20, O.Rob);
  number32("EVENKEEL_RECORD_FILL_BUFFERS", 1, 64, O.FillBuffers);
  number32("EVENKEEL_RECORD_PREFETCH", 0, 1000, O.PrefetchDepth);
  number32("EVENKEEL_RECORD_RACES", 0, 1, O.Races);
  number32("EVENKEEL_RECORD_BURSTS", 0, 1, O.Bursts);
  number32("EVENKEEL_RECORD_LOOKUPS", 0, 1, O.LookUps);
  number32("EVENKEEL_RECORD_LEAST", 0, 3600000, O.LeastMs);
  if (Counts) // no access is reported by itself
    O.Races = 0;
  number("EVENKEEL_RECORD_ROWS", 1000, 1ull << 32, O.Rows);
  number("EVENKEEL_RECORD_QUANTUM", 1000, 1ull << 60, O.QuantumCycles);
  const char *GhzName = "EVENKEEL_RECORD_GHZ";
  if (const char *Text = getenv(GhzName); Text && *Text) {
    char *End = nullptr;
    double V = strtod(Text, &End);
    if (*End || !(V > 0) || V > 100)
      badValue(GhzName, Text);
    else
      O.Ghz = V;
  }
  O.normalise();
  return O;
}
