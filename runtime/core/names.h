/*===- names.h - source names of regions, hooks and sites ---------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the names in the plan, for messages and tables.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_NAMES_H
#define EVENKEEL_RUNTIME_NAMES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ek_name {
  uint64_t id;
  const char *text; /* "cg.c:48 makeMatrix" */
} ek_name;

enum { EK_NAME_SIZE = 256, EK_NAME_COLUMNS = 32 };

/* Sets the table: \p count names sorted by id, which the caller keeps for the
 * rest of the process. Called while the runtime starts. */
void ek_names_are(const ek_name *names, size_t count);
/* Writes \p before and the name of \p id to \p out: its place in the source, or
 * the id in hexadecimal if the table lacks it. Returns \p out. */
const char *ek_name_of(char out[EK_NAME_SIZE], const char *before, uint64_t id);

#ifdef __cplusplus
}
#endif
#endif
