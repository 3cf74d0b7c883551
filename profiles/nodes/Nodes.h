/*===- Nodes.h - the memory nodes of this computer, as tiers ------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: NUMA nodes in sysfs; what firmware states of them (hwloc's memory
 * attributes, from the HMAT, where that library is there at run time, else the
 * kernel's access classes); the kernel's memory tiers; which nodes this task
 * may use and which are near its processors; what the kernel gives away of them
 * before it turns to another node; the limits of its cgroups; and the memory
 * policy that the caller set (numactl). One reading for `evenkeel machine
 * detect` and the runtime.
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
  unsigned distance; /* least, from a node with processors */
  uint64_t bytes;
  /* Unused above the kernel's low watermarks, or clean cache. */
  uint64_t free_bytes;
  double latency_ns;     /* reads, from the nearest processors; 0: unknown */
  double bandwidth_mbps; /* the same */
  int memory_tier;       /* the kernel's number, lower is faster; -1: none */
  unsigned tier;         /* 0 is the fastest */
} ek_node;

/* What the task does with memory that nobody placed, as its caller said. */
typedef enum ek_policy {
  EK_POLICY_NONE, /* it lies beside the processor that touches it */
  EK_POLICY_ONLY, /* on some nodes and nowhere else (numactl --membind) */
  EK_POLICY_FIRST /* on some nodes first (--preferred), or by turns
                     (--interleave) */
} ek_policy;

typedef struct ek_nodes {
  unsigned count, tiers;
  /* Who ordered them: "memory attributes", "memory tiers" or "distance". */
  const char *method;
  const char *source;  /* of the attributes: "hwloc" or "sysfs" */
  uint64_t free_limit; /* what cgroups leave the task; UINT64_MAX: no limit */
  uint64_t home;       /* a bit for each node whose processors the task has */
  ek_policy policy;
  unsigned left_out;          /* nodes that the policy takes from the task */
  ek_node node[EK_MAX_NODES]; /* by id */
  /* [i][j]: from node[i] to node[j]; 0: unknown */
  unsigned char distance[EK_MAX_NODES][EK_MAX_NODES];
} ek_nodes;

/* Reads below \p root ("" but in tests: a folder with sys/ and proc/). Returns
 * the number of nodes with memory. Any thread. */
unsigned ek_nodes_read(const char *root, ek_nodes *out);

/* Takes the policy in as get_mempolicy(2) tells it: its mode, and a bit for
 * each node. Reading below "" does that itself. */
void ek_nodes_follow_policy(ek_nodes *n, int mode, uint64_t nodes);

/* Bytes that the task may have of a tier: free ones of its nodes that are
 * allowed and near, within the limits of its cgroups. */
uint64_t ek_nodes_room(const ek_nodes *n, unsigned tier);

#ifdef __cplusplus
}
#endif
#endif
