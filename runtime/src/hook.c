/*===- hook.c - ek_sync -------------------------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: at a team's hook thread 0 is elected: no shared word is written,
 * however many threads arrive at once, and nested teams cannot be mixed up.
 * Where only some threads arrive (a taskwait inside one task), work may wait
 * for the next hook. A phase ends where one thread arrives outside all parallel
 * regions: inside, others run on.
 *===----------------------------------------------------------------------===*/
#include "evenkeel/ek.h"
#include "object.h"
#include "place.h"
#include "raw.h"
#include "state.h"
#include "stats.h"
#include "sums.h"

#include <errno.h>

#define EXPORT __attribute__((visibility("default")))

int omp_get_level(void) __attribute__((weak, visibility("default")));

EXPORT void ek_sync(uint64_t id, unsigned context) {
  if (!ek_running())
    return;
  ek_sum_add(EK_SUM_HOOK, id, context & EK_TEAM, 0);
  if (context & EK_TEAM) {
    if (ek_creator() != 0)
      return;
    ek_add(hooks_team, 1);
  } else {
    ek_add(hooks_serial, 1);
    if (!(context & EK_PARTIAL) && (!omp_get_level || omp_get_level() == 0))
      ek_raw_phase_end(id);
  }
  if (__atomic_load_n(&ek_place_pending, __ATOMIC_ACQUIRE))
    ek_place_catch_up();
}

EXPORT int ek_after(uint64_t id, unsigned context, int result) {
  int saved = errno;
  ek_sync(id, context);
  errno = saved;
  return result;
}
