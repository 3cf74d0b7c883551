/*===- joins.c - hooks from the table of call stacks ---------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Part of libevenkeel-preload only.
 * Knows: if the table says that the end of a parallel region is a sync point,
 * it becomes a hook.
 *===----------------------------------------------------------------------===*/
#include "hooks/joins.h"
#include "core/state.h"
#include "core/stats.h"
#include "hooks/hook.h"
#include "hooks/region.h"
#include "objects/object.h"

/* Looks up the region's own code first: gcc gives the call no line if the
 * region shares no variables. */
void ek_stack_joined(const void *code, const void *body) {
  if (!ek_stack_has_table() || !ek_running())
    return;
  uint64_t sync = body ? ek_stack_sync_after((const char *)body + 1, false) : 0;
  if (!sync)
    sync = ek_stack_sync_after(code, false);
  if (sync)
    ek_sync_from(sync, code);
  else
    ek_count(EK_WHY_stack_no_sync, 1);
}

void ek_stack_waited_inside(void) {
  if (ek_stack_knows_joins() && ek_running() && ek_creator() == 0 &&
      ek_outermost())
    ek_count(EK_WHY_stack_inner_wait, 1);
}
