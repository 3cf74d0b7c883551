/*===- numa.h - pages on nodes, whoever chose the nodes -----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: what providers share that differ only in which nodes are which tier.
 * Leaves out: who chooses (numa.c: the machine; memkind.c: its kinds).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_PROVIDERS_NUMA_H
#define EVENKEEL_RUNTIME_PROVIDERS_NUMA_H

#include "nodes/Nodes.h"
#include "providers/provider.h"

/* Between begin and end, in init: no node is in a tier yet; a node is in this
 * one. The end says what is not permitted here, or NULL. */
void ek_numa_begin(ek_tier *tiers);
void ek_numa_add(unsigned tier, const ek_node *node);
bool ek_numa_has(unsigned node); /* whether it is in a tier already */
const char *ek_numa_end(void);
/* Counts a memory policy of the caller's that takes nodes away, or that planned
 * objects do not follow. */
void ek_numa_policy(const ek_nodes *nodes);

/* As in provider.h. */
int ek_numa_place(void *base, size_t bytes, unsigned tier);
size_t ek_numa_move(void **pages, size_t count, unsigned tier, int *status);
void ek_numa_query(void **pages, size_t count, int *tiers);
void ek_numa_release(void *base, size_t bytes);
void ek_numa_prefer(unsigned tier);

#endif
