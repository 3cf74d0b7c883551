/*===- ranks.c - the ranks of a node, where only MPI knows them ----*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: launchers mostly tell each rank who is on its node before it starts
 * (share.c). Where none did, libevenkeel-pmpi asks MPI and says it here: from
 * then on there is one account, one board and one summary. What was placed
 * before counts, but is not moved out of the fast tier.
 *===----------------------------------------------------------------------===*/
#include "core/events.h"
#include "core/leave.h"
#include "core/state.h"
#include "hooks/edited.h"
#include "hooks/replan/replan.h"
#include "placement/place.h"
#include "ranks/node.h"
#include "ranks/rank.h"
#include "ranks/share.h"

#include <inttypes.h>
#include <stdio.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT bool ek_ranks_unknown(void) {
  ek_tell_library_seen(EK_SEES_MPI); /* libevenkeel-pmpi is there */
  return ek_running() && ek_share_unknown();
}

EXPORT void ek_ranks_found(uint32_t rank, unsigned here, uint64_t first,
                           uint64_t since) {
  char name[64];
  if (here < 2 || !ek_ranks_unknown())
    return;
  snprintf(name, sizeof name, "first-%" PRIu64 "-%" PRIu64, first, since);
  ek_rank_is(rank);
  ek_share_tell(name, here);
  ek_node_join();
  ek_place_ranks();
  ek_replan_join();
}

EXPORT void ek_ranks_launched(uint32_t ranks) {
  if (ek_running())
    ek_place_launched(ranks);
}

EXPORT void ek_ends(void) { ek_leave_words(); }
