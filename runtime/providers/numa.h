/*===- numa.h - binding and moving pages by node ------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the functions shared by providers that differ only in which nodes form
 * which tier.
 * Not here: the choice of nodes (numa.c by machine, memkind.c by kind).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_PROVIDERS_NUMA_H
#define EVENKEEL_RUNTIME_PROVIDERS_NUMA_H

#include "nodes/Nodes.h"
#include "providers/provider.h"

/* For init: begin clears the tiers, add puts a node into a tier, end returns
 * NULL or a line that says what is not permitted here. */
void ek_numa_begin(ek_tier *tiers);
void ek_numa_add(unsigned tier, const ek_node *node);
bool ek_numa_has(unsigned node); /* whether the node is in a tier already */
const char *ek_numa_end(void);
/* Counts a memory policy of the caller that excludes nodes, or that planned
 * objects override (caller-policy). */
void ek_numa_policy(const ek_nodes *nodes);

/* The operations of provider.h. */
int ek_numa_place(void *base, size_t bytes, unsigned tier);
size_t ek_numa_move(void **pages, size_t count, unsigned tier, int *status);
void ek_numa_query(void **pages, size_t count, int *tiers);
void ek_numa_release(void *base, size_t bytes);
void ek_numa_prefer(unsigned tier);

#endif
