/*===- Nodes.h - memory nodes as tiers -----------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: NUMA nodes in sysfs; their properties according to the firmware
 * (hwloc's memory attributes, from the HMAT, if that library is present at run
 * time, else the kernel's access classes); the kernel's memory tiers; which
 * nodes this task may use and which are near its processors; how much of a node
 * the kernel hands out before it uses another one; cgroup limits; and the
 * caller's memory policy (numactl). `evenkeel machine detect` and the runtime
 * both use this.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_PROFILES_NODES_NODES_H
#define EVENKEEL_PROFILES_NODES_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EK_MAX_NODES 64

typedef struct ek_node {
  unsigned id;
  bool has_cpus;
  bool allowed; /* by the cpuset of the task, and by its caller's policy */
  bool near;    /* no node of its tier is nearer to the task's processors */
  unsigned distance; /* minimum over nodes with processors */
  uint64_t bytes;
  /* Free above the kernel's low watermarks, plus clean page cache. */
  uint64_t free_bytes;
  double latency_ns;     /* of reads from the nearest processors; 0: unknown */
  double bandwidth_mbps; /* the same */
  int memory_tier;       /* the kernel's number, lower is faster; -1: none */
  unsigned tier;         /* 0 is the fastest */
} ek_node;

/* The caller's policy for memory that is not placed. */
typedef enum ek_policy {
  EK_POLICY_NONE, /* near the processor that touches it */
  EK_POLICY_ONLY, /* only on some nodes (numactl --membind) */
  EK_POLICY_FIRST /* on some nodes first (--preferred), or by turns
                     (--interleave) */
} ek_policy;

/* What determined the order of the tiers. */
typedef enum ek_node_order {
  EK_ORDER_DISTANCE,
  EK_ORDER_MEMORY_TIERS,
  EK_ORDER_ATTRIBUTES
} ek_node_order;

/* As tables show it. */
const char *ek_node_order_name(ek_node_order order);

typedef struct ek_nodes {
  unsigned count, tiers;
  ek_node_order order;
  const char *source;  /* what reported the attributes: "hwloc" or "sysfs" */
  uint64_t free_limit; /* bytes left by cgroups; UINT64_MAX: no limit */
  uint64_t home;       /* a bit for each node with processors of the task */
  ek_policy policy;
  unsigned left_out;          /* nodes excluded by the policy */
  ek_node node[EK_MAX_NODES]; /* by id */
  /* [i][j]: from node[i] to node[j]; 0: unknown */
  unsigned char distance[EK_MAX_NODES][EK_MAX_NODES];
} ek_nodes;

/* Reads the nodes below \p root ("", or in tests a folder with sys/ and proc/).
 * Returns the number of nodes with memory. Thread-safe. */
unsigned ek_nodes_read(const char *root, ek_nodes *out);

/* Applies a policy as get_mempolicy(2) reports it: the mode and a bit for each
 * node. ek_nodes_read with root "" does this itself. */
void ek_nodes_follow_policy(ek_nodes *n, int mode, uint64_t nodes);

/* Bytes of a tier that the task can use: free bytes on allowed, near nodes,
 * within its cgroup limits. */
uint64_t ek_nodes_room(const ek_nodes *n, unsigned tier);

#ifdef __cplusplus
}
#endif
#endif
