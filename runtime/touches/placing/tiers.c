/*===- tiers.c - fast and slow memory of a watched program --------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See tiers.h.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "touches/placing/tiers.h"
#include "nodes/MemPolicy.h"
#include "touches/base/raw.h"

#include <sys/mman.h>

enum { NODES = 64 };

static uint64_t nodes_of[2]; /* slow, fast */
static uintptr_t page;
/* Of the sampler's thread. */
static void *asked[EK_TIERS_BATCH];
static int wanted[EK_TIERS_BATCH], status[EK_TIERS_BATCH];

bool ek_tiers_emulated(void) { return !nodes_of[0]; }

static long bind(uintptr_t from, uintptr_t to, int policy, uint64_t mask) {
  return ek_raw_call(SYS_mbind, (long)from, (long)(to - from), policy,
                     mask ? (long)&mask : 0, mask ? NODES + 1 : 0, 0);
}

static int first_node(uint64_t mask) { return __builtin_ctzll(mask); }

static long prefer(uintptr_t from, uintptr_t to, uint64_t mask) {
  if (mask & (mask - 1) &&
      bind(from, to, EK_MEMPOLICY_PREFERRED_MANY, mask) == 0)
    return 0;
  return bind(from, to, EK_MEMPOLICY_PREFERRED,
              (uint64_t)1 << first_node(mask));
}

/* Tries both calls on a page of its own. */
static bool are_permitted(void) {
  const long at = ek_raw_call(SYS_mmap, 0, (long)page, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at < 0 && at > -4096)
    return false;
  asked[0] = (void *)at;
  const bool permitted =
      prefer((uintptr_t)at, (uintptr_t)at + page, nodes_of[1]) == 0 &&
      ek_raw_call(SYS_move_pages, 0, 1, (long)asked, 0, (long)status, 0) == 0;
  ek_raw3(SYS_munmap, at, (long)page, 0);
  return permitted;
}

bool ek_tiers_start(uint64_t fast, uint64_t slow, uintptr_t page_bytes) {
  nodes_of[0] = slow;
  nodes_of[1] = fast;
  page = page_bytes;
  return !slow || are_permitted();
}

void ek_tiers_place(uintptr_t from, uintptr_t to, bool fast) {
  if (!ek_tiers_emulated() && from < to)
    prefer(from, to, nodes_of[fast]);
}

void ek_tiers_release(uintptr_t from, uintptr_t to) {
  if (!ek_tiers_emulated() && from < to)
    bind(from, to, EK_MEMPOLICY_DEFAULT, 0);
}

static size_t ask(uintptr_t from, uintptr_t to) {
  size_t n = 0;
  for (uintptr_t at = from; at < to && n < EK_TIERS_BATCH; at += page)
    asked[n++] = (void *)at;
  return n;
}

static bool lies_in(int node, bool fast) {
  return node >= 0 && node < NODES && nodes_of[fast] >> node & 1;
}

ek_tiers_moved ek_tiers_move(uintptr_t from, uintptr_t to, bool fast) {
  ek_tiers_moved done = {0, 0};
  const size_t n = ask(from, to);
  if (ek_tiers_emulated())
    return (ek_tiers_moved){n, 0};
  prefer(from, to, nodes_of[fast]);
  for (size_t i = 0; i < n; ++i) {
    wanted[i] = first_node(nodes_of[fast]);
    status[i] = -EBUSY;
  }
  ek_raw_call(SYS_move_pages, 0, (long)n, (long)asked, (long)wanted,
              (long)status, EK_MOVE_MINE);
  for (size_t i = 0; i < n; ++i) {
    const bool untouched = status[i] == -ENOENT || status[i] == -EFAULT;
    done.moved += lies_in(status[i], fast);
    done.refused += !untouched && !lies_in(status[i], fast);
  }
  return done;
}

uint64_t ek_tiers_fast_pages(uintptr_t from, uintptr_t to) {
  uint64_t pages = 0;
  const size_t n = ask(from, to);
  if (ek_tiers_emulated() || ek_raw_call(SYS_move_pages, 0, (long)n,
                                         (long)asked, 0, (long)status, 0) != 0)
    return 0;
  for (size_t i = 0; i < n; ++i)
    pages += lies_in(status[i], true);
  return pages;
}
