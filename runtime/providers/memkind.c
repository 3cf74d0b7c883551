/*===- memkind.c - memkind's kinds as tiers -----------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: libmemkind, loaded at run time if it is installed; which of its kinds
 * are available, and the node of each: we allocate a block of the kind and ask
 * the kernel for its node. So memkind's own settings (MEMKIND_HBW_NODES,
 * MEMKIND_DAX_KMEM_NODES, thresholds) choose the nodes.
 * Pages are then bound as in numa.c, because memkind's arenas can neither split
 * an object between kinds nor move it.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/reserved.h"
#include "providers/numa.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* From <memkind.h>, whose types are opaque. */
typedef struct memkind *kind;
typedef struct library {
  int (*check_available)(kind);
  void *(*malloc)(kind, size_t);
  void (*free)(kind, void *);
  void *handle;
} library;

/* Used without EVENKEEL_TIERS, fastest first. REGULAR is the DRAM of the nodes
 * with processors; the others need not exist. */
static const char all_kinds[] = "HBW,REGULAR,DAX_KMEM,HIGHEST_CAPACITY";

static bool find(library *l, const char *name, void *out) {
  void *f = dlsym(l->handle, name);
  memcpy(out, &f, sizeof f); /* the cast that POSIX gives for dlsym */
  return f != NULL;
}

static bool open_library(library *l) {
  l->handle = dlopen("libmemkind.so.0", RTLD_NOW | RTLD_LOCAL);
  return l->handle && find(l, "memkind_check_available", &l->check_available) &&
         find(l, "memkind_malloc", &l->malloc) &&
         find(l, "memkind_free", &l->free);
}

/* The node on which the kind allocates; -1: unknown. */
static int node_of(const library *l, kind k) {
  size_t bytes = 2 * EK_PAGE_BYTES; /* contains a whole page at any address */
  char *block = l->malloc(k, bytes);
  if (!block)
    return -1;
  void *page = (void *)(((uintptr_t)block + EK_PAGE_BYTES - 1) &
                        ~(uintptr_t)(EK_PAGE_BYTES - 1));
  *(volatile char *)page = 0;
  int node = -1;
  if (syscall(SYS_move_pages, 0, 1ul, &page, NULL, &node, 0) != 0)
    node = -1;
  l->free(k, block);
  return node;
}

static const ek_node *node_by_id(const ek_nodes *nodes, int id) {
  for (unsigned i = 0; i < nodes->count; ++i)
    if ((int)nodes->node[i].id == id)
      return &nodes->node[i];
  return NULL;
}

static const char *add_kind(const library *l, const char *name, bool must,
                            const ek_nodes *nodes, ek_tier *tiers,
                            unsigned *count) {
  static char why[160];
  char symbol[64];
  snprintf(symbol, sizeof symbol, "%s%s",
           strncmp(name, "MEMKIND_", 8) == 0 ? "" : "MEMKIND_", name);
  kind *k = dlsym(l->handle, symbol);
  if (!k || l->check_available(*k) != 0) {
    snprintf(why, sizeof why, "%s is not an available kind of memkind", symbol);
    return must ? why : NULL;
  }
  const ek_node *n = node_by_id(nodes, node_of(l, *k));
  if (!n) {
    snprintf(why, sizeof why, "%s provides no memory", symbol);
    return must ? why : NULL;
  }
  if (!n->allowed) {
    snprintf(why, sizeof why,
             "%s lies on node %u, which this process may not use", symbol,
             n->id);
    return must ? why : NULL;
  }
  unsigned at = *count;
  if (ek_numa_has(n->id))
    return NULL; /* this kind is another name for a node we have */
  if (at == EK_MAX_TIERS)
    return must ? "too many kinds" : NULL;
  ek_node mine = *n;
  mine.near = true; /* memkind has chosen a near node */
  ek_numa_add(at, &mine);
  tiers[at].home = n->has_cpus;
  tiers[at].bytes = n->bytes;
  tiers[at].latency_ns = n->latency_ns;
  tiers[at].capacity =
      n->free_bytes < nodes->free_limit ? n->free_bytes : nodes->free_limit;
  snprintf(tiers[at].name, sizeof tiers[at].name, "%s", symbol + 8);
  *count = at + 1;
  return NULL;
}

static const char *init(const ek_provider_config *config, ek_tier *tiers,
                        unsigned *count) {
  library l = {0};
  if (!open_library(&l))
    return "libmemkind.so.0 is missing, or has an unknown interface";
  ek_nodes *nodes = malloc(sizeof *nodes);
  if (!nodes || ek_nodes_read("", nodes) == 0) {
    free(nodes);
    return "no NUMA nodes in /sys/devices/system/node";
  }
  bool named = config->tiers[0];
  char kinds[512];
  snprintf(kinds, sizeof kinds, "%s", named ? config->tiers : all_kinds);
  ek_numa_begin(tiers);
  ek_numa_policy(nodes);
  unsigned found = 0;
  const char *why = NULL;
  char *rest = kinds;
  for (char *name; !why && (name = strsep(&rest, ","));)
    why = add_kind(&l, name, named, nodes, tiers, &found);
  free(nodes);
  if (!why && !found)
    why = "no kind of memkind is available";
  *count = found;
  return why ? why : ek_numa_end();
}

const ek_provider ek_provider_memkind = {
    .version = EK_PROVIDER_VERSION,
    .name = "memkind",
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
