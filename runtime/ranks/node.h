/*===- node.h - one summary for the ranks of a node ---------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the ranks of one launch on this node collect their summaries and their
 * work between collectives; the last rank to end prints the sum, what the ranks
 * lost by waiting for each other, and the summary of each rank.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_NODE_H
#define EVENKEEL_RUNTIME_NODE_H

#include "core/stats.h"

#include <stdbool.h>
#include <stdio.h>

/* At start, before joining: the comparison of the ranks is kept for later
 * plans, so ranks join even if nobody asks for a summary. */
void ek_node_keep(void);
/* At start: joins the other ranks of this launch, if there are any. */
void ek_node_join(void);

typedef void ek_printer(FILE *);
typedef void ek_writer(ek_printer *);

/* Returns a text, to be freed, that contains \p build; or NULL. */
typedef char *ek_text_maker(const char *build, size_t *bytes);

typedef struct ek_node_last {
  ek_printer *table, *json;            /* print this process's summary */
  ek_writer *write_table, *write_json; /* write the summary of all ranks */
  void (*keep_imbalance)(ek_text_maker *);
  const ek_tier_use *use; /* indexed by tier */
  uint64_t (*capacity)(unsigned tier);
} ek_node_last;

/* At exit: leaves this process's summary for the others or, in the last rank,
 * writes that of all. Returns false if this process is not one of several
 * ranks, or cannot reach them: it must write its own summary. */
bool ek_node_leave(const ek_node_last *last);

#endif
