/*===- numa.c - NUMA nodes as tiers -------------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: mbind(2), move_pages(2) (called directly: nothing to link or find),
 *the nodes in sysfs, and hwloc's memory attributes when that library is there
 *at run time (Bandwidth, from the initiator that sees a node best). Makes:
 *tiers, fastest first: by bandwidth; without attributes, nodes with processors
 *before nodes without, nearer ones first (order of distance). Leaves out: who
 *is local to whom within a tier; the kernel prefers the nearest node of a
 *tier's mask.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "../src/extent.h"
#include "../src/provider.h"
#include "../src/stats.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#if EK_HAVE_HWLOC
#include <hwloc.h>
#endif

/* From <linux/mempolicy.h>; part of the kernel's ABI. */
enum {
  POLICY_DEFAULT = 0,
  POLICY_PREFERRED = 1,
  POLICY_PREFERRED_MANY = 5 /* Linux 5.15 */
};
enum { MOVE_MINE = 2 };

static unsigned long tier_mask[EK_MAX_TIERS]; /* EK_MAX_NODES bits */
static unsigned tier_first_node[EK_MAX_TIERS];
static signed char node_tier[EK_MAX_NODES];

static bool read_line(const char *folder, unsigned node, const char *file,
                      const char *key, char *out, size_t size) {
  char path[512];
  snprintf(path, sizeof path, "%s/node%u/%s", folder, node, file);
  FILE *f = fopen(path, "re");
  if (!f)
    return false;
  bool ok = false;
  while (!ok && fgets(out, (int)size, f))
    ok = !key || strstr(out, key);
  fclose(f);
  return ok;
}

unsigned ek_numa_read(const char *folder, ek_numa_node *nodes) {
  char line[1024];
  unsigned count = 0;
  for (unsigned id = 0; id < EK_MAX_NODES; ++id) {
    if (!read_line(folder, id, "meminfo", "MemTotal:", line, sizeof line))
      continue;
    unsigned long long kib = strtoull(strchr(line, ':') + 1, NULL, 10);
    if (!kib)
      continue; /* processors without memory */
    ek_numa_node *n = &nodes[count++];
    memset(n, 0, sizeof *n);
    n->id = id;
    n->bytes = kib * 1024;
    n->has_cpus = read_line(folder, id, "cpulist", NULL, line, sizeof line) &&
                  line[0] != '\n';
  }
  /* Column j of a distance file belongs to the j-th node that exists. */
  for (unsigned i = 0; i < count; ++i) {
    nodes[i].distance = ~0u;
    if (!read_line(folder, nodes[i].id, "distance", NULL, line, sizeof line))
      continue;
    char *p = line;
    for (unsigned j = 0; j < count; ++j) {
      char *end;
      unsigned long d = strtoul(p, &end, 10);
      if (end == p)
        break;
      p = end;
      if (nodes[j].has_cpus && d < nodes[i].distance)
        nodes[i].distance = (unsigned)d;
    }
  }
  return count;
}

static int by_speed(const void *a, const void *b) {
  const ek_numa_node *x = a, *y = b;
  if (x->has_cpus != y->has_cpus)
    return x->has_cpus ? -1 : 1;
  if (x->distance != y->distance)
    return x->distance < y->distance ? -1 : 1;
  return x->id < y->id ? -1 : x->id > y->id;
}

unsigned ek_numa_group(ek_numa_node *nodes, unsigned count) {
  qsort(nodes, count, sizeof *nodes, by_speed);
  unsigned tiers = 0;
  for (unsigned i = 0; i < count; ++i) {
    bool same = i > 0 && nodes[i].has_cpus == nodes[i - 1].has_cpus &&
                nodes[i].distance == nodes[i - 1].distance;
    if (!same && tiers < EK_MAX_TIERS)
      ++tiers;
    nodes[i].tier = tiers - 1;
  }
  return tiers;
}

#if EK_HAVE_HWLOC
/* Tiers by bandwidth, highest first; 0: hwloc or the attributes are missing. */
static unsigned group_by_attributes(ek_numa_node *nodes, unsigned count) {
  void *lib = dlopen("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL);
  if (!lib)
    return 0;
#define LOAD(name)                                                             \
  __typeof__(&name) p_##name = (__typeof__(&name))dlsym(lib, #name)
  LOAD(hwloc_topology_init);
  LOAD(hwloc_topology_load);
  LOAD(hwloc_topology_destroy);
  LOAD(hwloc_get_obj_by_depth);
  LOAD(hwloc_get_nbobjs_by_depth);
  LOAD(hwloc_memattr_get_best_initiator);
#undef LOAD
  hwloc_topology_t topology;
  if (!p_hwloc_topology_init || !p_hwloc_topology_load ||
      !p_hwloc_topology_destroy || !p_hwloc_get_obj_by_depth ||
      !p_hwloc_get_nbobjs_by_depth || !p_hwloc_memattr_get_best_initiator ||
      p_hwloc_topology_init(&topology) != 0)
    return 0;
  hwloc_uint64_t speed[EK_MAX_NODES];
  unsigned found = 0;
  if (p_hwloc_topology_load(topology) == 0)
    for (unsigned i = 0; i < count; ++i) {
      int all =
          p_hwloc_get_nbobjs_by_depth(topology, HWLOC_TYPE_DEPTH_NUMANODE);
      for (int j = 0; j < all; ++j) {
        hwloc_obj_t node = p_hwloc_get_obj_by_depth(
            topology, HWLOC_TYPE_DEPTH_NUMANODE, (unsigned)j);
        struct hwloc_location best;
        if (node->os_index == nodes[i].id &&
            p_hwloc_memattr_get_best_initiator(topology,
                                               HWLOC_MEMATTR_ID_BANDWIDTH, node,
                                               0, &best, &speed[i]) == 0)
          ++found;
      }
    }
  p_hwloc_topology_destroy(topology);
  if (found != count)
    return 0;
  unsigned tiers = 0;
  for (unsigned done = 0; done < count && tiers < EK_MAX_TIERS; ++tiers) {
    hwloc_uint64_t top = 0;
    for (unsigned i = 0; i < count; ++i)
      if (speed[i] > top)
        top = speed[i];
    if (top == 0)
      break;
    for (unsigned i = 0; i < count; ++i)
      if (speed[i] == top) {
        nodes[i].tier = tiers;
        speed[i] = 0;
        ++done;
      }
  }
  return tiers;
}
#else
static unsigned group_by_attributes(ek_numa_node *nodes, unsigned count) {
  (void)nodes, (void)count;
  return 0;
}
#endif

static long bind_range(void *base, size_t bytes, unsigned tier) {
  unsigned long mask = tier_mask[tier];
  long rc = -1;
  if (mask & (mask - 1))
    rc = syscall(SYS_mbind, base, bytes, POLICY_PREFERRED_MANY, &mask,
                 EK_MAX_NODES + 1, 0u);
  if (rc != 0) {
    mask = 1ul << tier_first_node[tier];
    rc = syscall(SYS_mbind, base, bytes, POLICY_PREFERRED, &mask,
                 EK_MAX_NODES + 1, 0u);
  }
  return rc;
}

static const char *init(const ek_provider_config *config, ek_tier *tiers,
                        unsigned *count) {
  (void)config;
  ek_numa_node nodes[EK_MAX_NODES];
  unsigned n = ek_numa_read("/sys/devices/system/node", nodes);
  if (n == 0)
    return "no NUMA nodes in /sys/devices/system/node";
  unsigned found = group_by_attributes(nodes, n);
  if (!found) {
    if (n > 1)
      ek_count(EK_WHY_attributes_unavailable, 1);
    found = ek_numa_group(nodes, n);
  }
  memset(tiers, 0, EK_MAX_TIERS * sizeof *tiers);
  memset(tier_mask, 0, sizeof tier_mask);
  memset(node_tier, -1, sizeof node_tier);
  for (unsigned i = 0; i < n; ++i) {
    unsigned t = nodes[i].tier;
    if (!tier_mask[t])
      tier_first_node[t] = nodes[i].id;
    tier_mask[t] |= 1ul << nodes[i].id;
    tiers[t].capacity += nodes[i].bytes;
    node_tier[nodes[i].id] = (signed char)t;
  }
  for (unsigned t = 0; t < found; ++t)
    snprintf(tiers[t].name, sizeof tiers[t].name,
             tier_mask[t] & (tier_mask[t] - 1) ? "node%u+" : "node%u",
             tier_first_node[t]);
  *count = found;

  /* A kernel or sandbox without these calls: say so now, not per object. */
  int status = 0;
  void *page = &status;
  page = (void *)((uintptr_t)page & ~(EK_PAGE_BYTES - 1));
  if (syscall(SYS_move_pages, 0, 1ul, &page, NULL, &status, 0) != 0)
    return "move_pages() is not permitted here";
  return NULL;
}

static int place(void *base, size_t bytes, unsigned tier) {
  return bind_range(base, bytes, tier) == 0 ? 0 : errno;
}

static void query(void **pages, size_t count, int *tiers) {
  if (syscall(SYS_move_pages, 0, (unsigned long)count, pages, NULL, tiers, 0) !=
      0) {
    memset(tiers, -1, count * sizeof *tiers);
    return;
  }
  for (size_t i = 0; i < count; ++i)
    tiers[i] =
        tiers[i] >= 0 && tiers[i] < EK_MAX_NODES ? node_tier[tiers[i]] : -1;
}

/* Part of a huge page cannot move: the kernel would take the whole. Where a run
 * begins or ends inside one it is split; MADV_COLD of a part does that, and
 * nothing else but age the part's pages. */
static void split_huge(uintptr_t from, uintptr_t to) {
  const uintptr_t inside = EK_HUGE_BYTES - 1;
  uintptr_t head = (from + inside) & ~inside, tail = to & ~inside;
  if (from & inside)
    madvise((void *)from, (head < to ? head : to) - from, MADV_COLD);
  if (to & inside && (tail > from || !(from & inside)))
    madvise((void *)(tail > from ? tail : from),
            to - (tail > from ? tail : from), MADV_COLD);
}

/* What move_pages says of a page is not the last word: of a huge page's parts
 * one is called busy although all of it moved. */
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

static size_t move(void **pages, size_t count, unsigned tier, int *status) {
  /* The policy first, by runs, so that pages not touched yet follow. */
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
      status[at + i] = -EBUSY;
    long rc = syscall(SYS_move_pages, 0, (unsigned long)n, pages + at, nodes,
                      status + at, MOVE_MINE);
    int failed = rc < 0 ? errno : EBUSY;
    look_again(pages + at, n, status + at);
    for (size_t i = 0; i < n; ++i) {
      int s = status[at + i];
      if (s == -ENOENT) /* not touched yet: the policy will do it */
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

static void release(void *base, size_t bytes) {
  /* One policy again, so that mappings can merge. */
  syscall(SYS_mbind, base, bytes, POLICY_DEFAULT, NULL, 0ul, 0u);
}

const ek_provider ek_provider_numa = {
    .version = EK_PROVIDER_VERSION,
    .name = "numa",
    .system_places_unplanned = true,
    .retains = false,
    .moves_at_once = false,
    .init = init,
    .place = place,
    .move = move,
    .query = query,
    .release = release,
};
