//===- imbalance.cpp - what the ranks of a node lose at collectives -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See imbalance.h. Throws nothing: without memory there is no result, which is
// counted.
//===----------------------------------------------------------------------===//
#include "ranks/imbalance.h"
#include "collectives/Decompose.h"
#include "core/names.h"
#include "core/stats.h"

#include <cinttypes>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>

using namespace evenkeel;

namespace {

/// Of the last comparison; a process makes one, or two if other ranks outlive
/// it.
Imbalance *Found;

/// Whether the table is whole: other processes wrote it.
bool isSound(const ek_rank_intervals &R) {
  const size_t Head = offsetof(ek_intervals, sample);
  if (R.bytes < Head || R.its->places > EK_INTERVAL_PLACES ||
      R.its->samples > EK_INTERVAL_SAMPLES ||
      R.bytes < Head + R.its->samples * sizeof(ek_interval))
    return false;
  for (uint32_t I = 0; I < R.its->samples; ++I)
    if (R.its->sample[I].place >= R.its->places)
      return false;
  return true;
}

RankWork workOf(const ek_rank_intervals &R) {
  RankWork W;
  W.Rank = R.rank;
  for (uint32_t P = 0; P < R.its->places; ++P) {
    const ek_interval_place &Place = R.its->place[P];
    W.Collectives[Place.id] = {
        Place.times,
        std::string(Place.call, strnlen(Place.call, sizeof Place.call))};
  }
  for (uint32_t I = 0; I < R.its->samples; ++I) {
    const ek_interval &S = R.its->sample[I];
    W.Samples.push_back(
        {S.number, R.its->place[S.place].id, double(S.ns) * 1e-9});
  }
  return W;
}

const char *nameOf(char (&Out)[EK_NAME_SIZE], const CollectiveImbalance &C) {
  if (C.Call.empty())
    return ek_name_of(Out, "", C.Sync);
  std::snprintf(Out, sizeof Out, "%s", C.Call.c_str());
  return Out;
}

} // namespace

void ek_imbalance_of(const ek_rank_intervals *Ranks, size_t Count) {
  delete Found;
  Found = nullptr;
  try {
    std::vector<RankWork> Work;
    for (size_t R = 0; R < Count; ++R)
      if (isSound(Ranks[R]))
        Work.push_back(workOf(Ranks[R]));
    if (Work.size() > 1)
      Found = new Imbalance(decomposeImbalance(Work));
  } catch (const std::exception &) {
    ek_count(EK_WHY_sum_lost, 1);
  }
}

void ek_imbalance_table(FILE *F) {
  if (!Found || Found->Collectives.empty())
    return;
  std::fprintf(F,
               "  imbalance of %u ranks at collectives: %.1f %% of the time is "
               "systematic (placement can mend it), %.1f %% dynamic (it "
               "cannot)\n",
               Found->Ranks, 100 * Found->systematicShare(),
               100 * Found->dynamicShare());
  std::fprintf(F, "  %-*s %8s %12s %10s %10s %14s %14s %8s\n", EK_NAME_COLUMNS,
               "work before collective", "times", "mean s", "spread",
               "of means", "systematic s", "dynamic s", "slowest");
  char Name[EK_NAME_SIZE];
  for (const CollectiveImbalance &C : Found->Collectives)
    std::fprintf(F,
                 "  %-*s %8" PRIu64 " %12.6f %9.0f%% %9.0f%% %14.6f %14.6f "
                 "%8u\n",
                 EK_NAME_COLUMNS, nameOf(Name, C), C.Times, C.Mean,
                 100 * C.IntervalSpread, 100 * C.RankSpread,
                 C.Systematic * double(C.Times), C.Dynamic * double(C.Times),
                 C.Slowest);
}

void ek_imbalance_json(FILE *F) {
  std::fputs(",\n  \"imbalance\": ", F);
  try {
    if (Found) {
      nlohmann::json J = imbalanceToJson(*Found);
      J.erase("schema");
      J.erase("build");
      J.erase("work_ns");
      J["systematic_share"] = Found->systematicShare();
      J["dynamic_share"] = Found->dynamicShare();
      std::fputs(J.dump().c_str(), F);
      return;
    }
  } catch (const std::exception &) {
    ek_count(EK_WHY_sum_lost, 1);
  }
  std::fputs("null", F);
}

char *ek_imbalance_file(const char *Build, size_t *Bytes) {
  if (!Found || Found->Collectives.empty())
    return nullptr;
  try {
    Found->Build = Build;
    const std::string Text = imbalanceToJson(*Found).dump(1) + "\n";
    *Bytes = Text.size();
    return strdup(Text.c_str());
  } catch (const std::exception &) {
    ek_count(EK_WHY_sum_lost, 1);
    return nullptr;
  }
}
