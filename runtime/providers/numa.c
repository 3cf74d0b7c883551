/*===- numa.c - NUMA nodes as tiers -------------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: mbind(2) and move_pages(2), called directly so that no library is
 * needed; and the nodes that this process may use (its cpuset and its caller's
 * memory policy), grouped into tiers by nodes/Nodes.h. Only nodes of a tier
 * that are near the process's processors receive pages; of these the kernel
 * prefers the nearest.
 * Not here: threads bound to different sockets.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "providers/numa.h"
#include "core/reserved.h"
#include "core/stats.h"
#include "core/system.h"
#include "nodes/MemPolicy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { UNTOLD = -0x10000 }; /* move_pages has not set this status */

static unsigned long tier_mask[EK_MAX_TIERS]; /* a bit per node */
static unsigned tier_first_node[EK_MAX_TIERS];
static signed char node_tier[EK_MAX_NODES];

static long bind(void *base, size_t bytes, int policy,
                 const unsigned long *mask) {
  return ek_system(SYS_mbind, (long)base, (long)bytes, policy, (long)mask,
                   EK_MAX_NODES + 1, 0);
}

static long bind_range(void *base, size_t bytes, unsigned tier) {
  unsigned long mask = tier_mask[tier];
  long rc = -1;
  if (mask & (mask - 1))
    rc = bind(base, bytes, EK_MEMPOLICY_PREFERRED_MANY, &mask);
  if (rc != 0) {
    mask = 1ul << tier_first_node[tier];
    rc = bind(base, bytes, EK_MEMPOLICY_PREFERRED, &mask);
  }
  return rc;
}

/* Why this kernel or sandbox does not permit the calls, or NULL. Asked once
 * here, so that the failure is not repeated for each object. */
static const char *find_restrictions(void) {
  void *page = mmap(NULL, EK_PAGE_BYTES, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    return "no memory";
  const char *why = NULL;
  int status = 0;
  if (syscall(SYS_move_pages, 0, 1ul, &page, NULL, &status, 0) != 0)
    why = "move_pages() is not permitted here";
  else if (bind_range(page, EK_PAGE_BYTES, 0) != 0)
    why = "mbind() is not permitted here";
  munmap(page, EK_PAGE_BYTES);
  return why;
}

void ek_numa_begin(ek_tier *tiers) {
  memset(tiers, 0, EK_MAX_TIERS * sizeof *tiers);
  memset(tier_mask, 0, sizeof tier_mask);
  memset(node_tier, -1, sizeof node_tier);
}

void ek_numa_add(unsigned tier, const ek_node *n) {
  if (n->id < EK_MAX_NODES)
    node_tier[n->id] = (signed char)tier;
  if (!n->near)
    return; /* pages found there count for the tier, but none are sent there */
  if (!tier_mask[tier])
    tier_first_node[tier] = n->id;
  tier_mask[tier] |= 1ul << n->id;
}

bool ek_numa_has(unsigned node) {
  return node < EK_MAX_NODES && node_tier[node] >= 0;
}

void ek_numa_policy(const ek_nodes *nodes) {
  if (nodes->left_out || nodes->policy == EK_POLICY_FIRST)
    ek_count(EK_WHY_caller_policy, 1);
}

const char *ek_numa_end(void) { return find_restrictions(); }

static const char *init(const ek_provider_config *config, ek_tier *tiers,
                        unsigned *count) {
  (void)config;
  ek_nodes *nodes = malloc(sizeof *nodes);
  if (!nodes || ek_nodes_read("", nodes) == 0) {
    free(nodes);
    return "no NUMA nodes in /sys/devices/system/node";
  }
  if (nodes->count > 1 && nodes->order == EK_ORDER_DISTANCE)
    ek_count(EK_WHY_attributes_unavailable, 1);
  ek_numa_begin(tiers);
  ek_numa_policy(nodes);
  /* Tiers without a node that we may use are skipped. Tiers beyond the table
   * share its last entry. */
  unsigned found = 0;
  for (unsigned t = 0; t < nodes->tiers; ++t) {
    unsigned at = found < EK_MAX_TIERS ? found : EK_MAX_TIERS - 1;
    bool any = false;
    for (unsigned i = 0; i < nodes->count; ++i) {
      const ek_node *n = &nodes->node[i];
      if (n->tier != t || !n->allowed)
        continue;
      ek_numa_add(at, n);
      any |= n->near;
      if (n->near && !tiers[at].bytes) {
        tiers[at].bytes = n->bytes;
        tiers[at].latency_ns = n->latency_ns;
      }
      tiers[at].home |= n->near && n->has_cpus;
    }
    if (!any)
      continue;
    tiers[at].capacity += ek_nodes_room(nodes, t);
    snprintf(tiers[at].name, sizeof tiers[at].name,
             tier_mask[at] & (tier_mask[at] - 1) ? "node%u+" : "node%u",
             tier_first_node[at]);
    found = at + 1;
  }
  free(nodes);
  *count = found;
  return ek_numa_end();
}

int ek_numa_place(void *base, size_t bytes, unsigned tier) {
  return bind_range(base, bytes, tier) == 0 ? 0 : errno;
}

void ek_numa_query(void **pages, size_t count, int *tiers) {
  if (syscall(SYS_move_pages, 0, (unsigned long)count, pages, NULL, tiers, 0) !=
      0) {
    memset(tiers, -1, count * sizeof *tiers);
    return;
  }
  for (size_t i = 0; i < count; ++i)
    tiers[i] =
        tiers[i] >= 0 && tiers[i] < EK_MAX_NODES ? node_tier[tiers[i]] : -1;
}

/* The kernel moves a huge page as a whole. If a run begins or ends inside one,
 * it must be split first: MADV_COLD on a part does that, and has no other
 * effect than to age the part's pages. */
static void split_huge(uintptr_t from, uintptr_t to) {
  const uintptr_t inside = EK_HUGE_BYTES - 1;
  uintptr_t head = (from + inside) & ~inside, tail = to & ~inside;
  if (from & inside)
    madvise((void *)from, (head < to ? head : to) - from, MADV_COLD);
  if (to & inside && (tail > from || !(from & inside)))
    madvise((void *)(tail > from ? tail : from),
            to - (tail > from ? tail : from), MADV_COLD);
}

/* move_pages may report one part of a huge page as busy although the whole page
 * has moved, so the location of busy pages is queried again. */
static void look_again(void **pages, size_t count, int *status) {
  void *ask[EK_BATCH];
  int nodes[EK_BATCH];
  size_t which[EK_BATCH], n = 0;
  for (size_t i = 0; i < count; ++i)
    if (status[i] == -EBUSY) {
      which[n] = i;
      ask[n++] = pages[i];
    }
  if (n &&
      syscall(SYS_move_pages, 0, (unsigned long)n, ask, NULL, nodes, 0) == 0)
    for (size_t i = 0; i < n; ++i)
      if (nodes[i] >= 0)
        status[which[i]] = nodes[i];
}

size_t ek_numa_move(void **pages, size_t count, unsigned tier, int *status) {
  /* Set the policy of each run first, for pages that are not touched yet. */
  for (size_t i = 0; i < count;) {
    size_t run = 1;
    while (i + run < count &&
           (char *)pages[i + run] == (char *)pages[i] + run * EK_PAGE_BYTES)
      ++run;
    bind_range(pages[i], run * EK_PAGE_BYTES, tier);
    split_huge((uintptr_t)pages[i], (uintptr_t)pages[i] + run * EK_PAGE_BYTES);
    i += run;
  }
  int nodes[EK_BATCH];
  for (int i = 0; i < EK_BATCH; ++i)
    nodes[i] = (int)tier_first_node[tier];
  size_t moved = 0;
  for (size_t at = 0; at < count; at += EK_BATCH) {
    size_t n = count - at < EK_BATCH ? count - at : EK_BATCH;
    for (size_t i = 0; i < n; ++i)
      status[at + i] = UNTOLD;
    long rc = syscall(SYS_move_pages, 0, (unsigned long)n, pages + at, nodes,
                      status + at, EK_MOVE_MINE);
    /* Tell a forbidden call from a busy page. */
    int failed = rc < 0 ? errno : EBUSY;
    for (size_t i = 0; i < n; ++i)
      if (status[at + i] == UNTOLD)
        status[at + i] = -failed;
    look_again(pages + at, n, status + at);
    for (size_t i = 0; i < n; ++i) {
      int s = status[at + i];
      if (s == -ENOENT) /* not touched yet: the policy will place it */
        status[at + i] = 0;
      else if (s < 0)
        status[at + i] = -s;
      else
        status[at + i] =
            s < EK_MAX_NODES && node_tier[s] == (int)tier ? 0 : failed;
      moved += status[at + i] == 0;
    }
  }
  return moved;
}

void ek_numa_release(void *base, size_t bytes) {
  /* Restore the default policy, so that the kernel can merge mappings. */
  ek_system(SYS_mbind, (long)base, (long)bytes, EK_MEMPOLICY_DEFAULT, 0, 0, 0);
}

void ek_numa_prefer(unsigned tier) {
  static _Thread_local struct {
    int mode;
    unsigned long nodes[16];
    bool kept;
  } before;
  unsigned long mask;
  if (tier < EK_MAX_TIERS && !before.kept) {
    before.kept = syscall(SYS_get_mempolicy, &before.mode, before.nodes,
                          sizeof before.nodes * 8, NULL, 0ul) == 0;
    mask = 1ul << tier_first_node[tier];
    if (before.kept)
      syscall(SYS_set_mempolicy, EK_MEMPOLICY_PREFERRED, &mask,
              EK_MAX_NODES + 1ul);
  } else if (tier >= EK_MAX_TIERS && before.kept) {
    before.kept = false;
    syscall(SYS_set_mempolicy, before.mode, before.nodes,
            sizeof before.nodes * 8);
  }
}

const ek_provider ek_provider_numa = {
    .version = EK_PROVIDER_VERSION,
    .name = "numa",
    .system_places_unplanned = true,
    .retains = false,
    .moves_at_once = false,
    .init = init,
    .place = ek_numa_place,
    .move = ek_numa_move,
    .query = ek_numa_query,
    .release = ek_numa_release,
    .prefer = ek_numa_prefer,
};
