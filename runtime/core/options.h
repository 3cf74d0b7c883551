/*===- options.h - values of the EVENKEEL_* variables -------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the table in options.def, read once from the environment
 * (secure_getenv: nothing is read in a set-user-id program).
 * Leaves out: what the options mean; their users do.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_OPTIONS_H
#define EVENKEEL_RUNTIME_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EK_KIND_FLAG uint64_t
#define EK_KIND_SIZE uint64_t
#define EK_KIND_TEXT const char *
#define EK_KIND_SAMPLING const char *
#define EK_KIND_REPLANNING uint64_t

/* What a run plans again for, each with what stands before it. */
enum ek_replanning {
  EK_REPLAN_NEVER,
  EK_REPLAN_SIZES,   /* of objects, known as they are made */
  EK_REPLAN_TIMES,   /* of tasks, on the machine of the plan */
  EK_REPLAN_ANYWHERE /* on every machine, to try it */
};

typedef struct ek_options {
#define EK_OPTION(NAME, field, KIND, dflt, unit, doc) EK_KIND_##KIND field;
#include "core/options.def"
#undef EK_OPTION
} ek_options;

extern ek_options ek_opt;

/* Reads the environment. Values that do not parse keep their default, print one
 * line and are counted (bad-option). Not thread-safe: called once, at start. */
void ek_options_read(void);

/* Prints the table, aligned. */
void ek_options_print(FILE *out);

/* "64KiB", "1.5GiB", "4096" -> bytes; 0 on success, -1 if it is no size. */
int ek_parse_size(const char *text, uint64_t *bytes);

#ifdef __cplusplus
}
#endif
#endif
