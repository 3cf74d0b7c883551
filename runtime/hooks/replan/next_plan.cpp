//===- next_plan.cpp - putting a new plan into force ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See next_plan.h.
//===----------------------------------------------------------------------===//
#include "hooks/replan/next_plan.h"
#include "core/events.h"
#include "core/stats.h"
#include "hooks/replan/live.h"
#include "hooks/replan/report.h"
#include "placement/flatten.h"
#include "placement/in_force.h"
#include "ranks/board.h"
#include "ranks/share.h"

#include <cstdio>
#include <stdexcept>
#include <sys/file.h>
#include <unistd.h>

namespace evenkeel {

ek_plan *successor(const Plan &Next) {
  ek_plan *Flat = flatten(Next);
  Flat->older = ek_plan_now;
  delete[] Flat->steps;
  delete[] Flat->syncs;
  delete[] Flat->task_seconds;
  delete[] Flat->task_index;
  delete[] Flat->task_kinds;
  Flat->steps = ek_plan_now->steps;
  Flat->step_count = ek_plan_now->step_count;
  Flat->syncs = ek_plan_now->syncs;
  Flat->sync_count = ek_plan_now->sync_count;
  Flat->task_seconds = ek_plan_now->task_seconds;
  Flat->task_index = ek_plan_now->task_index;
  Flat->task_width = ek_plan_now->task_width;
  Flat->task_kinds = ek_plan_now->task_kinds;
  Flat->replans = ek_plan_now->replans;
  Flat->file = ek_plan_now->file;
  return Flat;
}

void reportDecision(const HookDecision &Made, uint32_t Phase) {
  for (size_t U = 0; U < Made.P.Units.size(); ++U) {
    const Unit &Part = Made.P.Units[U];
    const PredictedInstance &I = Made.P.Instances[Part.Instance];
    if (Made.Chosen.Fast[U] == Made.Now[U])
      continue;
    const ek_decided Its{I.Site,  I.Creator,   I.Ordinal,          Part.From,
                         Part.To, Made.Now[U], Made.Chosen.Fast[U]};
    ek_tell_decided(Phase, &Its);
  }
}

bool publish(const Plan &Shown) {
  const int File = ek_share_file(ek_board_plan_file(), true);
  if (File < 0) {
    ek_count(EK_WHY_replan_failed, 1);
    return false;
  }
  const std::string Text = planToJson(Shown);
  const bool Whole =
      ftruncate(File, 0) == 0 &&
      write(File, Text.data(), Text.size()) == ssize_t(Text.size());
  flock(File, LOCK_UN);
  close(File);
  if (Whole)
    ek_board_publish();
  else
    ek_count(EK_WHY_replan_failed, 1);
  return Whole;
}

ek_plan *follow() {
  try {
    std::vector<ek_board_object> Mine;
    for (const Live &L : liveObjects())
      Mine.push_back({L.Name.Site, L.Name.Context,
                      static_cast<uint32_t>(L.Name.Creator), L.Name.Ordinal,
                      L.Name.InContext, L.Bytes, L.Reached});
    ek_board_answer(Mine.data(), Mine.size());
    if (!ek_board_has_plan())
      return nullptr;
    ek_board_follow();
    const int File = ek_share_file(ek_board_plan_file(), false);
    if (File < 0)
      throw std::runtime_error("the first rank's plan is gone");
    auto Next = readPlan(ek_board_plan_file());
    flock(File, LOCK_UN);
    close(File);
    if (!Next)
      throw std::runtime_error(Next.message());
    if (Next->Ranks.size() != ek_plan_now->rank_count)
      throw std::runtime_error(
          "the first rank's plan was made for other ranks");
    ++ek_replan_sums.followed;
    return successor(*Next);
  } catch (const std::exception &E) {
    ek_count(EK_WHY_replan_failed, 1);
    std::snprintf(ek_replan_sums.why, sizeof ek_replan_sums.why, "%s",
                  E.what());
    return nullptr;
  }
}

} // namespace evenkeel
