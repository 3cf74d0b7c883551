/*===- node.h - one summary for the ranks of a node ---------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: ranks of one launch on one node leave what they would print with each
 * other; the last one prints a sum and, below it, what each of them left.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_NODE_H
#define EVENKEEL_RUNTIME_NODE_H

#include <stdbool.h>
#include <stdio.h>

/* At start: this process is one of the ranks, if it is. */
void ek_node_join(void);

typedef void ek_printer(FILE *);
typedef void ek_writer(ek_printer *);

/* At exit: leaves what \p table and \p json print for others, or, as the last
 * one, has \p write_table and \p write_json write everybody's. False: this
 * process is no rank among others, or cannot reach them, and writes its own. */
bool ek_node_leave(ek_printer *table, ek_printer *json, ek_writer *write_table,
                   ek_writer *write_json);

#endif
