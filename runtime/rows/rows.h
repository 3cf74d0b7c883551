/*===- rows.h - tables of rows for the rest of the runtime --------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: which tables are open, what hooks and fork do to them, and their part
 * of the summary. Programs use tables by evenkeel/ek_rows.h.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_ROWS_H
#define EVENKEEL_RUNTIME_ROWS_H

#include <stdio.h>

/* A phase has ended: a step of the tables that asked for it. Tables that are
 * being opened or closed are left out. */
void ek_rows_hook(void);

/* Keep other threads from opening and closing tables (around fork); before the
 * other locks. */
void ek_rows_lock(void);
void ek_rows_unlock(void);

/* Print nothing if no table was opened. */
void ek_rows_print(FILE *f);
void ek_rows_json(FILE *f);

#endif
