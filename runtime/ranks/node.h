/*===- node.h - one summary for the ranks of a node ---------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: ranks of one launch on one node leave what they would print with each
 * other; the last one prints a sum and, below it, what each of them left.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_NODE_H
#define EVENKEEL_RUNTIME_NODE_H

#include "core/stats.h"

#include <stdbool.h>
#include <stdio.h>

/* At start: this process is one of the ranks, if it is. */
void ek_node_join(void);

typedef void ek_printer(FILE *);
typedef void ek_writer(ek_printer *);

typedef struct ek_node_last {
  ek_printer *table, *json;            /* this process's */
  ek_writer *write_table, *write_json; /* have everybody's written */
  const ek_tier_use *use;              /* of each tier */
  uint64_t (*capacity)(unsigned tier);
} ek_node_last;

/* At exit: leaves what this process would print for others, or, as the last
 * one, has everybody's written. False: this process is no rank among others, or
 * cannot reach them, and writes its own. */
bool ek_node_leave(const ek_node_last *last);

#endif
