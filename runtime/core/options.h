/*===- options.h - values of the EVENKEEL_* variables -------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the table in options.def, read once from the environment
 * (secure_getenv: a set-user-id program reads nothing).
 * Not here: what the options mean; the code that uses them knows.
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
#define EK_KIND_MOVING uint64_t

/* When a run plans again; each value includes the ones before it. */
enum ek_replanning {
  EK_REPLAN_NEVER,
  EK_REPLAN_SIZES,   /* an object has another size than planned for */
  EK_REPLAN_TIMES,   /* also: tasks take other times, on the plan's machine */
  EK_REPLAN_ANYWHERE /* also: on every other machine, as an experiment */
};

/* How data gets into a required tier. */
enum ek_moving_kind { EK_BY_PAGES, EK_BY_COPIES };

typedef struct ek_options {
#define EK_OPTION(NAME, field, KIND, dflt, unit, doc) EK_KIND_##KIND field;
#include "core/options.def"
#undef EK_OPTION
} ek_options;

extern ek_options ek_opt;

/* Reads the environment. A value that does not parse keeps its default, prints
 * one line and is counted (bad-option). Called once, at start; not
 * thread-safe. */
void ek_options_read(void);

/* Prints the table with aligned columns. */
void ek_options_print(FILE *out);

/* Parses "64KiB", "1.5GiB" or "4096" into bytes. Returns 0, or -1 if \p text is
 * not a size. */
int ek_parse_size(const char *text, uint64_t *bytes);

#ifdef __cplusplus
}
#endif
#endif
