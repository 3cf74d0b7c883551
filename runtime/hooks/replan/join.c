/*===- join.c - joining the ranks that plan together --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: ranks that run under one plan share a board. If they cannot, each
 * continues alone, and that is counted.
 *===----------------------------------------------------------------------===*/
#include "core/options.h"
#include "core/stats.h"
#include "hooks/replan/replan.h"
#include "placement/in_force.h"
#include "providers/provider.h"
#include "ranks/board.h"

#include <stdio.h>

void ek_replan_join(void) {
  if (!ek_plan_now || !ek_plan_now->rank_count || !ek_plan_now->replans ||
      !ek_opt.balance || ek_tier_count < 2)
    return;
  const char *why = ek_board_open((uint32_t)ek_plan_now->rank_count,
                                  ek_plan_identity(ek_plan_now));
  if (!why[0])
    return;
  ek_count(EK_WHY_ranks_apart, 1);
  snprintf(ek_replan_sums.why, sizeof ek_replan_sums.why, "%s", why);
}
