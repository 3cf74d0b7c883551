//===- Burst.cpp - short stretches of a sampled run, in full --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Burst.h.
//===----------------------------------------------------------------------===//
#include "Burst.h"
#include "Frame.h"
#include "Recorder.h"
#include "core/tuning.h"
#include "record/host/Report.h"
#include <algorithm>
#include <tuple>

using namespace ekrec;

bool Burst::init(const Options &Sampled, bool Early) {
  MayBeEarly = Early;
  Full = Sampled;
  Full.Rate = 1;
  for (uint32_t &Size : Full.LlcSize) // counted by the sampled caches
    Size = 0;
  return Caches.init(Full) && Sums.extend(64);
}

Burst::RegionState *Burst::stateOf(uint64_t Which) {
  for (RegionState &R : Regions)
    if (R.Region == Which)
      return &R;
  return Regions.push({Which, 0, 0, 0, 0, 0}) ? &Regions.back() : nullptr;
}

bool Burst::isEarly(const RegionState &R) const {
  return MayBeEarly && R.Bursts < MostEarly && Reported < EarlyReported;
}

/// When the fraction of reported lines, including another burst, is small
/// enough.
uint64_t Burst::due(uint64_t Events) const {
  return std::max((Reported + MostReported) * OneIn / SampledRate, Events + 1);
}

uint64_t Burst::taskBegins(uint64_t Which, uint64_t Events) {
  RegionState *R = stateOf(Which);
  if (!R)
    return UINT64_MAX;
  R->Began = Events;
  R->InTask = 0;
  if (isEarly(*R)) // at another place of the region each time
    return Events + 1 + R->Length * R->Bursts / MostEarly;
  return due(Events);
}

uint64_t Burst::burstEnded(uint64_t Which, uint64_t Events) {
  Ended = Events;
  const RegionState *R = stateOf(Which);
  if (!R)
    return due(Events);
  if (isEarly(*R) && R->InTask < MostInTask)
    return Events + EarlyGap;
  // What a task does after it has run for twice as long may be different. Once
  // for each length, as tasks of a region are mostly alike; and for tasks that
  // are longer than a burst.
  const uint64_t Twice = std::max(2 * (Events - R->Began), LongTask);
  if (MayBeEarly && Reported < EarlyReported && Twice > R->Longest)
    return std::min(R->Began + Twice, due(Events));
  return due(Events);
}

void Burst::taskEnds(uint64_t Which, uint64_t Events) {
  if (RegionState *R = stateOf(Which)) {
    R->Length = Events - R->Began;
    R->Longest = std::max(R->Longest, R->Length);
  }
  if (Running) {
    settle();
    Shared = true;
  } else {
    stretchEnds(Events);
  }
}

void Burst::begin(uint64_t Which, uint64_t Events) {
  stretchEnds(Events);
  StretchBegan = Events;
  Running = true;
  Counts = Stale = Shared = false;
  BurstReported = BurstMisses = 0;
  if (RegionState *R = stateOf(Which)) {
    ++R->Bursts;
    if (!R->InTask++)
      StretchBegan = R->Began;
    // The caches' contents are useless after as many other lines. A shorter
    // task finds the lines of other tasks in the caches anyway.
    Stale = (Events - Ended) * SampledRate > Warming &&
            std::max(R->Length, Events - R->Began) * SampledRate > Warming;
  }
}

void Burst::settle() { Caches.endTask(*this); }

bool Burst::line(uint64_t Line, bool Read, bool Write, bool Dependent,
                 uint64_t Position, uint64_t Of) {
  ++Reported;
  ++BurstReported;
  if (!Caches.hitsFirst(Line, Write)) {
    Region = Of;
    // An atomic update waits for its line, like a load.
    BurstMisses +=
        Caches.access(Line, Write && !Read, Dependent, Position, *this);
    if (Read && Write)
      Caches.access(Line, true, false, Position, *this);
  }
  const bool Again = Warm && (!Stale || BurstReported >= RewarmReported);
  const uint64_t Misses = Counts ? Counting : Again ? Rewarming : Warming;
  if (BurstMisses < Misses && BurstReported < MostReported)
    return true;
  if (!Counts) { // warm enough
    Counts = Warm = true;
    BurstReported = BurstMisses = 0;
    return true;
  }
  settle();
  Running = false;
  CountedLines = Shared ? 0 : BurstReported;
  return false;
}

void Burst::stretchEnds(uint64_t Events) {
  if (!Fetched) {
    CountedLines = 0;
    return;
  }
  Fetched = false;
  // Within the length of a burst, all lines count alike; and those of a burst
  // that several tasks share.
  const uint64_t Stretch = Events - StretchBegan;
  const double Times =
      CountedLines && Stretch >= LongTask
          ? std::max(1.0, double(Stretch * SampledRate) / double(CountedLines))
          : 1;
  for (Sum &S : Sums)
    if (S.Instance && S.NewLines > 0) {
      S.StretchLines += S.NewLines * Times;
      S.StretchWeight += S.NewWeight * Times;
      S.NewLines = S.NewWeight = 0;
    }
  CountedLines = 0;
}

bool Burst::grow() {
  Vec<Sum> Larger;
  if (!Larger.extend(Sums.size() * 2))
    return false;
  Vec<Sum> Old = Sums;
  Sums = Larger;
  Used = 0;
  for (const Sum &S : Old)
    if (S.Instance) {
      Region = S.Region;
      *sumOf(S.Instance) = S;
    }
  Old.release();
  return true;
}

Burst::Sum *Burst::sumOf(uint32_t Instance) {
  const uint64_t Now = Region;
  if (Used * 2 >= Sums.size() && !grow())
    return nullptr;
  Region = Now;
  size_t I = (Now ^ Instance) * 0x9E3779B97F4A7C15ull >> 20 & (Sums.size() - 1);
  for (; Sums[I].Instance; I = (I + 1) & (Sums.size() - 1))
    if (Sums[I].Instance == Instance && Sums[I].Region == Now)
      return &Sums[I];
  ++Used;
  Sums[I] = {Now, Instance, 0, 0, 0, 0, 0};
  return &Sums[I];
}

void Burst::fetch(uint64_t Line, double Weight, bool) {
  if (!Counts)
    return;
  const uint32_t Instance = lookup(Line * LineBytes).Instance;
  Sum *S = Instance ? sumOf(Instance) : nullptr;
  if (!S)
    return;
  Fetched = true;
  ++S->Lines;
  S->NewLines += 1;
  S->NewWeight += Weight;
}

//===----------------------------------------------------------------------===//
// Correction
//===----------------------------------------------------------------------===//

static std::atomic<Burst *> All;

void ekrec::addBurst(Burst *B) {
  B->Next = All.load();
  while (!All.compare_exchange_weak(B->Next, B)) {
  }
}

namespace {

/// The accesses of one region to the objects of one site, according to bursts
/// and to the sampled lines.
struct Overlap {
  uint64_t Region, Site, Context;
  double Counted; ///< lines that bursts counted
  double BurstLines, BurstWeight, Lines, Weight;
};

bool lies(const Overlap &A, const Overlap &B) {
  return std::tie(A.Region, A.Site, A.Context) <
         std::tie(B.Region, B.Site, B.Context);
}

Overlap keyOf(uint64_t Region, uint32_t Instance) {
  const struct Instance &I = TheSpace.Table[Instance];
  return {Region, I.Site, I.Context, 0, 0, 0, 0, 0};
}

Vec<Overlap> seenInBursts() {
  Vec<Overlap> Rows;
  for (Burst *B = All.load(); B; B = B->Next) {
    B->stretchEnds();
    for (const Burst::Sum &S : B->sums())
      if (S.Instance) {
        Overlap O = keyOf(S.Region, S.Instance);
        O.Counted = double(S.Lines);
        O.BurstLines = S.StretchLines;
        O.BurstWeight = S.StretchWeight;
        Rows.push(O);
      }
  }
  std::sort(Rows.begin(), Rows.end(), lies);
  size_t Kept = 0;
  for (size_t I = 0; I < Rows.size(); ++I)
    if (Kept && !lies(Rows[Kept - 1], Rows[I])) {
      Rows[Kept - 1].Counted += Rows[I].Counted;
      Rows[Kept - 1].BurstLines += Rows[I].BurstLines;
      Rows[Kept - 1].BurstWeight += Rows[I].BurstWeight;
    } else {
      Rows[Kept++] = Rows[I];
    }
  while (Rows.size() > Kept)
    Rows.pop();
  return Rows;
}

/// The rows of one region, summed up: what bursts did not see is assumed to
/// have the same error as what they saw.
Vec<Overlap> byRegion(const Vec<Overlap> &Rows) {
  Vec<Overlap> Sums;
  for (const Overlap &O : Rows) {
    if (Sums.empty() || Sums.back().Region != O.Region)
      Sums.push({O.Region, 0, 0, 0, 0, 0, 0, 0});
    Overlap &S = Sums.back();
    if (O.Counted < EK_BURST_LINES || !(O.Lines > 0))
      continue;
    // Weighted by the actual numbers of lines, not by those in bursts.
    S.BurstLines += O.Lines;
    S.BurstWeight += O.BurstWeight / O.BurstLines * O.Lines;
    S.Lines += O.Lines;
    S.Weight += O.Weight;
  }
  return Sums;
}

/// Nullptr: no burst saw it.
Overlap *find(Vec<Overlap> &Rows, uint32_t Task, uint32_t Instance) {
  if (!Instance)
    return nullptr;
  const Overlap Key = keyOf(TheRecorder.Tasks[Task].Region, Instance);
  Overlap *At = std::lower_bound(Rows.begin(), Rows.end(), Key, lies);
  return At != Rows.end() && !lies(Key, *At) ? At : nullptr;
}

} // namespace

void ekrec::correctWeights() {
  Vec<Overlap> Rows = seenInBursts();
  if (Rows.empty())
    return;
  for (const Log *L = TheRecorder.Logs.load(); L; L = L->NextLog)
    for (const ek_raw_page &P : L->Pages)
      if (Overlap *O = find(Rows, P.task, P.inst)) {
        O->Lines += P.reads;
        O->Weight += double(P.weight);
      }
  Vec<Overlap> Regions = byRegion(Rows);
  auto Factor = [&](uint32_t Task, uint32_t Inst) {
    const Overlap *O = find(Rows, Task, Inst);
    if (!O || O->Counted < EK_BURST_LINES || !(O->Weight > 0)) {
      const Overlap Key = {TheRecorder.Tasks[Task].Region, 0, 0, 0, 0, 0, 0, 0};
      O = std::lower_bound(Regions.begin(), Regions.end(), Key, lies);
      if (O == Regions.end() || O->Region != Key.Region || !(O->Weight > 0))
        return 1.0;
    }
    return O->BurstWeight / O->BurstLines / (O->Weight / O->Lines);
  };
  for (Log *L = TheRecorder.Logs.load(); L; L = L->NextLog) {
    for (ek_raw_page &P : L->Pages)
      P.weight = static_cast<float>(
          std::min(double(P.reads), double(P.weight) * Factor(P.task, P.inst)));
    for (ek_raw_far &F : L->Far)
      F.weight = std::min(double(F.reads), F.weight * Factor(F.task, F.inst));
  }
  Regions.release();
  Rows.release();
}
