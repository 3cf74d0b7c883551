/*===- mechanism.c - how this kernel shows which pages are touched -*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See mechanism.h.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "touches/mechanisms/mechanism.h"
#include "format/ek_touches.h"
#include "touches/mechanisms/idle.h"
#include "touches/mechanisms/loads.h"
#include "touches/mechanisms/pagemap.h"
#include "touches/mechanisms/soft_dirty.h"
#include "touches/mechanisms/writes.h"

/* Opens only: a write would clear bits of the whole process. */
static bool accessed_offered(void) {
  const long clear = ek_open_own("/proc/thread-self/clear_refs", O_WRONLY),
             read = ek_open_own("/proc/thread-self/smaps", O_RDONLY);
  if (clear >= 0)
    ek_raw3(SYS_close, clear, 0, 0);
  if (read >= 0)
    ek_raw3(SYS_close, read, 0, 0);
  return clear >= 0 && read >= 0;
}

/* The best first: reads and writes, then writes with the least cost. */
static const struct {
  uint32_t by;
  bool (*offered)(void);
} all[] = {{EK_TOUCH_BY_ACCESSED, accessed_offered},
           {EK_TOUCH_BY_WRITES, ek_writes_offered},
           {EK_TOUCH_BY_SOFT_DIRTY, ek_soft_dirty_offered},
           {EK_TOUCH_BY_IDLE, ek_idle_offered},
           {EK_TOUCH_BY_LOADS, ek_loads_offered}};
enum { ALL = sizeof all / sizeof *all };

uint32_t ek_touch_offered(uint32_t asked) {
  uint32_t offered = 0;
  for (int i = 0; EK_RAW_CALLS && i < ALL; ++i)
    if (asked & all[i].by && all[i].offered())
      offered |= all[i].by;
  return offered;
}

uint32_t ek_touch_choose(uint32_t asked, uint32_t (*offered)(uint32_t asked)) {
  if (asked)
    return offered(asked) == asked ? asked : 0;
  /* Loads say less of pages that are seldom used: only if asked for. */
  for (int i = 0; i < ALL && all[i].by != EK_TOUCH_BY_LOADS; ++i)
    if (offered(all[i].by))
      return all[i].by;
  return 0;
}
