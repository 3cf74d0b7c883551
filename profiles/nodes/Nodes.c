/*===- Nodes.c - reading memory nodes ------------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: nodes of equal bandwidth and latency form a tier. If the firmware does
 * not state these for every node, the kernel's memory tiers are used; if the
 * kernel has only one, nodes with processors come before nodes without, and
 * nearer ones first.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "Nodes.h"
#include "MemPolicy.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#if EK_HAVE_HWLOC
#include <hwloc.h>
#endif

typedef uint64_t mask; /* of nodes */

/* Reads the rest of the first line of \p file that contains \p key (NULL: any).
 */
static bool read_line(const char *file, const char *key, char *out,
                      size_t size) {
  FILE *f = fopen(file, "re");
  if (!f)
    return false;
  bool found = false;
  while (!found && fgets(out, (int)size, f)) {
    char *at = key ? strstr(out, key) : out;
    if (at) {
      at += key ? strlen(key) : 0;
      memmove(out, at, strlen(at) + 1);
      found = true;
    }
  }
  fclose(f);
  return found;
}

static double read_number(const char *file) {
  char line[64];
  return read_line(file, NULL, line, sizeof line) ? strtod(line, NULL) : 0;
}

static uint64_t kib(const char *file, const char *key) {
  char line[256];
  return read_line(file, key, line, sizeof line)
             ? strtoull(line, NULL, 10) * 1024
             : 0;
}

/* Calls f(number) for each number in a list such as 0-3,7. */
static void each_in_list(const char *p, void (*f)(unsigned, void *),
                         void *data) {
  while (*p >= '0' && *p <= '9') {
    char *end;
    unsigned long from = strtoul(p, &end, 10), to = from;
    if (*end == '-')
      to = strtoul(end + 1, &end, 10);
    for (; from <= to && from < 1u << 20; ++from)
      f((unsigned)from, data);
    p = *end == ',' ? end + 1 : end;
  }
}

static void add_node(unsigned id, void *m) {
  if (id < EK_MAX_NODES)
    *(mask *)m |= (mask)1 << id;
}

enum { MAX_CPUS = 8192 };
typedef struct cpus {
  uint64_t bits[MAX_CPUS / 64];
} cpus;
static void add_cpu(unsigned id, void *c) {
  if (id < MAX_CPUS)
    ((cpus *)c)->bits[id / 64] |= (uint64_t)1 << id % 64;
}

static bool meet(const cpus *a, const cpus *b) {
  for (size_t i = 0; i < MAX_CPUS / 64; ++i)
    if (a->bits[i] & b->bits[i])
      return true;
  return false;
}

/* --- free memory -----------------------------------------------------------
 * The kernel uses another node as soon as no zone of the preferred one has a
 * page above its low watermark and above its reserve for allocations that
 * cannot use higher zones. /proc/zoneinfo has these figures.
 */

typedef struct zone {
  unsigned long long free, low, managed, protection; /* pages */
} zone;
typedef struct unused {
  uint64_t above,
      below; /* bytes above the watermarks, and missing below them */
} unused;

static void add_zone(unused *sum, const zone *z) {
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  if (!z->managed)
    return; /* without memory */
  const unsigned long long keeps = z->low + z->protection;
  sum->above += z->free > keeps ? (z->free - keeps) * page : 0;
  sum->below += z->free < z->low ? (z->low - z->free) * page : 0;
}

/* False: the file has nothing about the node. */
static bool read_zones(const char *root, unsigned id, unused *sum) {
  char file[512], line[512];
  snprintf(file, sizeof file, "%s/proc/zoneinfo", root);
  FILE *f = fopen(file, "re");
  if (!f)
    return false;
  bool any = false, mine = false;
  zone z = {0};
  *sum = (unused){0};
  while (fgets(line, sizeof line, f)) {
    unsigned node;
    const char *list;
    if (sscanf(line, "Node %u, zone", &node) == 1) {
      mine = node == id;
      z = (zone){0};
    } else if (mine && !sscanf(line, " pages free %llu", &z.free) &&
               !sscanf(line, " low %llu", &z.low) &&
               !sscanf(line, " managed %llu", &z.managed) &&
               (list = strstr(line, "protection: ("))) {
      /* The largest applies to pages that may come from any zone. */
      for (list += strlen("protection: "); *list == '(' || *list == ',';) {
        char *end;
        const unsigned long long pages = strtoull(list + 1, &end, 10);
        z.protection = pages > z.protection ? pages : z.protection;
        list = end;
      }
      add_zone(sum, &z);
      any = true;
    }
  }
  fclose(f);
  return any;
}

static uint64_t free_bytes(const char *root, unsigned id, const char *meminfo) {
  const uint64_t reclaimable =
      kib(meminfo, "Inactive(file):") + kib(meminfo, "SReclaimable:");
  unused u;
  if (!read_zones(root, id, &u))
    return kib(meminfo, "MemFree:") + reclaimable;
  return u.above + (reclaimable > u.below ? reclaimable - u.below : 0);
}

static void read_one(const char *root, unsigned id, ek_node *n) {
  char file[512];
#define IN_NODE(name)                                                          \
  (snprintf(file, sizeof file, "%s/sys/devices/system/node/node%u/%s", root,   \
            id, name),                                                         \
   file)
  memset(n, 0, sizeof *n);
  n->id = id;
  n->memory_tier = -1;
  n->bytes = kib(IN_NODE("meminfo"), "MemTotal:");
  n->free_bytes = free_bytes(root, id, file);
  n->latency_ns = read_number(IN_NODE("access0/initiators/read_latency"));
  n->bandwidth_mbps = read_number(IN_NODE("access0/initiators/read_bandwidth"));
}

static void read_distances(const char *root, ek_nodes *out) {
  char file[512], line[1024];
  /* Column j of a distance file is the j-th online node. */
  mask online = 0;
  snprintf(file, sizeof file, "%s/sys/devices/system/node/online", root);
  if (read_line(file, NULL, line, sizeof line))
    each_in_list(line, add_node, &online);
  if (!online)
    for (unsigned i = 0; i < out->count; ++i)
      online |= (mask)1 << out->node[i].id;
  for (unsigned i = 0; i < out->count; ++i) {
    snprintf(file, sizeof file, "%s/sys/devices/system/node/node%u/distance",
             root, out->node[i].id);
    out->node[i].distance = ~0u;
    if (!read_line(file, NULL, line, sizeof line))
      continue;
    char *p = line;
    unsigned j = 0;
    for (unsigned id = 0; id < EK_MAX_NODES; ++id) {
      if (!(online >> id & 1))
        continue;
      char *end;
      unsigned long d = strtoul(p, &end, 10);
      if (end == p)
        break;
      p = end;
      while (j < out->count && out->node[j].id < id)
        ++j;
      if (j == out->count || out->node[j].id != id)
        continue; /* no memory */
      out->distance[i][j] = d < 255 ? (unsigned char)d : 255;
      if (out->node[j].has_cpus && d < out->node[i].distance)
        out->node[i].distance = (unsigned)d;
    }
  }
}

/* Bytes left below the limits of all enclosing cgroups, versions 1 and 2. */
static uint64_t cgroup_room(const char *root) {
  char file[512], line[4096];
  uint64_t room = UINT64_MAX;
  snprintf(file, sizeof file, "%s/proc/self/cgroup", root);
  FILE *f = fopen(file, "re");
  if (!f)
    return room;
  while (fgets(line, sizeof line, f)) {
    line[strcspn(line, "\n")] = 0;
    char *controllers = strchr(line, ':');
    char *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path)
      continue;
    bool second = path == controllers + 1;
    if (!second && !strstr(controllers, "memory"))
      continue;
    static const char *const mounts[] = {"/sys/fs/cgroup", "/cgroup",
                                         "/sys/fs/cgroup/memory"};
    for (++path;; *strrchr(path, '/') = 0) {
      for (size_t m = 0; m < sizeof mounts / sizeof *mounts; ++m) {
        char limit[5000], used[5000], text[64], now[64];
        snprintf(limit, sizeof limit, "%s%s%s/%s", root, mounts[m], path,
                 second ? "memory.max" : "memory.limit_in_bytes");
        snprintf(used, sizeof used, "%s%s%s/%s", root, mounts[m], path,
                 second ? "memory.current" : "memory.usage_in_bytes");
        if (!read_line(limit, NULL, text, sizeof text) || text[0] == 'm' ||
            !read_line(used, NULL, now, sizeof now))
          continue;
        uint64_t most = strtoull(text, NULL, 10);
        uint64_t taken = strtoull(now, NULL, 10);
        uint64_t left = most > taken ? most - taken : 0;
        if (left < room)
          room = left;
      }
      if (!strrchr(path, '/'))
        break;
    }
  }
  fclose(f);
  return room >= (uint64_t)1 << 62 ? UINT64_MAX : room; /* version 1's "none" */
}

static void read_memory_tiers(const char *root, ek_nodes *out) {
  char file[512], line[1024];
  for (int t = 0; t < 256; ++t) {
    mask nodes = 0;
    snprintf(file, sizeof file,
             "%s/sys/devices/virtual/memory_tiering/memory_tier%d/nodelist",
             root, t);
    if (!read_line(file, NULL, line, sizeof line))
      continue;
    each_in_list(line, add_node, &nodes);
    for (unsigned i = 0; i < out->count; ++i)
      if (nodes >> out->node[i].id & 1)
        out->node[i].memory_tier = t;
  }
}

#if EK_HAVE_HWLOC
/* Uses hwloc's figures if it has them: it also knows machines whose firmware
 * reports nothing. */
static void ask_hwloc(ek_nodes *out) {
  void *lib = dlopen("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL);
  if (!lib)
    return;
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
    return;
  bool any = false;
  if (p_hwloc_topology_load(topology) == 0) {
    int all = p_hwloc_get_nbobjs_by_depth(topology, HWLOC_TYPE_DEPTH_NUMANODE);
    for (int j = 0; j < all; ++j) {
      hwloc_obj_t object = p_hwloc_get_obj_by_depth(
          topology, HWLOC_TYPE_DEPTH_NUMANODE, (unsigned)j);
      struct hwloc_location best;
      hwloc_uint64_t value;
      for (unsigned i = 0; i < out->count; ++i) {
        if (object->os_index != out->node[i].id)
          continue;
        if (p_hwloc_memattr_get_best_initiator(topology,
                                               HWLOC_MEMATTR_ID_BANDWIDTH,
                                               object, 0, &best, &value) == 0) {
          out->node[i].bandwidth_mbps = (double)value;
          any = true;
        }
        if (p_hwloc_memattr_get_best_initiator(topology,
                                               HWLOC_MEMATTR_ID_LATENCY, object,
                                               0, &best, &value) == 0)
          out->node[i].latency_ns = (double)value;
      }
    }
  }
  p_hwloc_topology_destroy(topology);
  if (any)
    out->source = "hwloc";
}
#else
static void ask_hwloc(ek_nodes *out) { (void)out; }
#endif

/* --- ordering --------------------------------------------------------------
 */

static int by_attributes(const ek_node *x, const ek_node *y) {
  if (x->bandwidth_mbps != y->bandwidth_mbps)
    return x->bandwidth_mbps > y->bandwidth_mbps ? -1 : 1;
  return x->latency_ns < y->latency_ns ? -1 : x->latency_ns > y->latency_ns;
}

static int by_memory_tier(const ek_node *x, const ek_node *y) {
  return x->memory_tier < y->memory_tier ? -1 : x->memory_tier > y->memory_tier;
}

static int by_distance(const ek_node *x, const ek_node *y) {
  if (x->has_cpus != y->has_cpus)
    return x->has_cpus ? -1 : 1;
  return x->distance < y->distance ? -1 : x->distance > y->distance;
}

static void group(ek_nodes *out,
                  int (*order)(const ek_node *, const ek_node *)) {
  out->tiers = 0;
  for (unsigned done = 0; done < out->count; ++out->tiers) {
    const ek_node *first = NULL;
    for (unsigned i = 0; i < out->count; ++i)
      if (out->node[i].tier == ~0u &&
          (!first || order(&out->node[i], first) < 0))
        first = &out->node[i];
    ek_node key = *first;
    for (unsigned i = 0; i < out->count; ++i)
      if (out->node[i].tier == ~0u && order(&out->node[i], &key) == 0) {
        out->node[i].tier = out->tiers;
        ++done;
      }
  }
}

const char *ek_node_order_name(ek_node_order order) {
  switch (order) {
  case EK_ORDER_ATTRIBUTES:
    return "memory attributes";
  case EK_ORDER_MEMORY_TIERS:
    return "memory tiers";
  case EK_ORDER_DISTANCE:
    break;
  }
  return "distance";
}

static void order(ek_nodes *out) {
  bool attributes = true, tiers = true, several = false;
  for (unsigned i = 0; i < out->count; ++i) {
    const ek_node *n = &out->node[i];
    out->node[i].tier = ~0u;
    attributes &= n->bandwidth_mbps > 0;
    tiers &= n->memory_tier >= 0;
    several |= n->memory_tier != out->node[0].memory_tier;
  }
  if (attributes) {
    out->order = EK_ORDER_ATTRIBUTES;
    group(out, by_attributes);
  } else if (tiers && several) {
    out->order = EK_ORDER_MEMORY_TIERS;
    group(out, by_memory_tier);
  } else {
    out->order = EK_ORDER_DISTANCE;
    group(out, by_distance);
  }
}

/* A node is near if no node of its tier is nearer to the task's processors. */
static void find_near(ek_nodes *out) {
  unsigned from[EK_MAX_NODES];
  for (unsigned j = 0; j < out->count; ++j) {
    from[j] = ~0u;
    for (unsigned i = 0; i < out->count; ++i)
      if (out->home >> out->node[i].id & 1 && out->distance[i][j] &&
          out->distance[i][j] < from[j])
        from[j] = out->distance[i][j];
  }
  for (unsigned j = 0; j < out->count; ++j) {
    out->node[j].near = true;
    for (unsigned i = 0; i < out->count; ++i)
      if (out->node[i].tier == out->node[j].tier && out->node[i].allowed &&
          from[i] < from[j])
        out->node[j].near = false;
  }
}

void ek_nodes_follow_policy(ek_nodes *n, int mode, uint64_t nodes) {
  switch (mode & ~EK_MEMPOLICY_FLAGS) {
  case EK_MEMPOLICY_BIND:
    n->policy = EK_POLICY_ONLY;
    for (unsigned i = 0; i < n->count; ++i)
      if (n->node[i].allowed && !(nodes >> n->node[i].id & 1)) {
        n->node[i].allowed = false;
        ++n->left_out;
      }
    find_near(n);
    break;
  case EK_MEMPOLICY_PREFERRED:
  case EK_MEMPOLICY_PREFERRED_MANY:
  case EK_MEMPOLICY_INTERLEAVE:
  case EK_MEMPOLICY_WEIGHTED_INTERLEAVE:
    n->policy = nodes ? EK_POLICY_FIRST : EK_POLICY_NONE;
  }
}

/* The policy of the calling thread, before it is changed. */
static void ask_policy(ek_nodes *n) {
  int mode = 0;
  uint64_t nodes[16] = {0}; /* the largest mask of any kernel */
  if (syscall(SYS_get_mempolicy, &mode, nodes, sizeof nodes * 8, NULL, 0) == 0)
    ek_nodes_follow_policy(n, mode, nodes[0]);
}

unsigned ek_nodes_read(const char *root, ek_nodes *out) {
  char file[512], line[4096];
  memset(out, 0, sizeof *out);
  out->source = "sysfs";
  mask allowed = 0;
  cpus mine = {{0}};
  snprintf(file, sizeof file, "%s/proc/self/status", root);
  if (read_line(file, "Mems_allowed_list:\t", line, sizeof line))
    each_in_list(line, add_node, &allowed);
  if (read_line(file, "Cpus_allowed_list:\t", line, sizeof line))
    each_in_list(line, add_cpu, &mine);
  for (unsigned id = 0; id < EK_MAX_NODES; ++id) {
    ek_node *n = &out->node[out->count];
    snprintf(file, sizeof file, "%s/sys/devices/system/node/node%u/cpulist",
             root, id);
    if (!read_line(file, NULL, line, sizeof line))
      continue;
    read_one(root, id, n);
    cpus its = {{0}};
    each_in_list(line, add_cpu, &its);
    n->has_cpus = line[0] >= '0' && line[0] <= '9';
    if (meet(&its, &mine))
      out->home |= (mask)1 << id;
    n->allowed = !allowed || allowed >> id & 1;
    if (n->bytes) /* nodes without memory have only processors */
      ++out->count;
  }
  read_distances(root, out);
  read_memory_tiers(root, out);
  if (!root[0] && out->count > 1)
    ask_hwloc(out);
  order(out);
  find_near(out);
  if (!root[0])
    ask_policy(out);
  out->free_limit = cgroup_room(root);
  return out->count;
}

uint64_t ek_nodes_room(const ek_nodes *n, unsigned tier) {
  uint64_t room = 0;
  for (unsigned i = 0; i < n->count; ++i)
    if (n->node[i].tier == tier && n->node[i].allowed && n->node[i].near)
      room += n->node[i].free_bytes;
  return room < n->free_limit ? room : n->free_limit;
}
