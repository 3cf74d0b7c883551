/*===- ranks.c - ranks of a node found through MPI -----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: most launchers say which ranks share a node (share.c). Otherwise
 * libevenkeel-pmpi finds out in MPI_Init and reports it here; from then on
 * there is one account, one board and one summary. Objects placed earlier are
 * charged to the account, but not moved out of the fast tier.
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
  ek_tell_library_seen(EK_SEES_MPI); /* only libevenkeel-pmpi calls this */
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
