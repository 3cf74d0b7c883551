/*===- arena.c - memory of the page watcher -----------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "touches/base/arena.h"
#include "touches/base/raw.h"

#include <sys/mman.h>

enum { PAGE = 65536 }; /* a multiple of every page size */
static const size_t all = (size_t)64 << 20;
static uintptr_t from;
static size_t used;

bool ek_arena_start(void) {
  long at = ek_raw_call(SYS_mmap, 0, (long)(all + 2 * PAGE), PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at < 0 && at > -4096)
    return false;
  from = (uintptr_t)at;
  return ek_raw3(SYS_mprotect, (long)(from + PAGE), (long)all,
                 PROT_READ | PROT_WRITE) == 0;
}

void *ek_arena_take(size_t bytes) {
  const size_t whole = (bytes + PAGE - 1) & ~(size_t)(PAGE - 1);
  if (!from || whole > all - used)
    return NULL;
  void *p = (void *)(from + PAGE + used);
  used += whole;
  return p;
}

bool ek_arena_has(uintptr_t a, uintptr_t b) {
  return from && a >= from && b <= from + all + 2 * PAGE;
}
