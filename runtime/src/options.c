/*===- options.c - reading and printing the options ---------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: how a variable becomes a value, and the help text.
 * Leaves out: anything that is not there before main.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "options.h"
#include "stats.h"

#include <stdlib.h>
#include <string.h>

ek_options ek_opt;

int ek_parse_size(const char *text, uint64_t *bytes) {
  static const struct {
    const char *suffix;
    double factor;
  } units[] = {{"", 1},
               {"B", 1},
               {"KiB", 1024.0},
               {"MiB", 1024.0 * 1024},
               {"GiB", 1024.0 * 1024 * 1024},
               {"TiB", 1024.0 * 1024 * 1024 * 1024},
               {"KB", 1e3},
               {"MB", 1e6},
               {"GB", 1e9},
               {"TB", 1e12}};
  char *end;
  /* strtod would also take "inf", hexadecimal ("0x10B") and exponents. */
  size_t digits = strspn(text, "0123456789.");
  if (text[0] < '0' || text[0] > '9')
    return -1;
  double value = strtod(text, &end);
  if (end != text + digits)
    return -1;
  for (size_t i = 0; i < sizeof units / sizeof *units; ++i)
    if (strcmp(end, units[i].suffix) == 0) {
      value *= units[i].factor;
      if (!(value >= 0 && value < 9.2e18))
        return -1;
      *bytes = (uint64_t)value;
      return 0;
    }
  return -1;
}

static void bad_option(const char *name, const char *value, const char *unit,
                       const char *used) {
  fprintf(stderr,
          "evenkeel: EVENKEEL_%s=%s is not %s; using the default '%s'\n", name,
          value, unit, used);
  ek_count(EK_WHY_bad_option, 1);
}

/* read_<KIND>(text, where to): 0, or -1 and nothing changed. */
static int read_FLAG(const char *text, uint64_t *to) {
  if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0 && text[0] != 0)
    return -1;
  *to = text[0] == '1';
  return 0;
}

static int read_SIZE(const char *text, uint64_t *to) {
  return ek_parse_size(text, to);
}

static int read_TEXT(const char *text, const char **to) {
  *to = strdup(text); /* programs may overwrite their environment */
  if (!*to)
    *to = "";
  return 0;
}

void ek_options_read(void) {
#define EK_OPTION(NAME, field, KIND, dflt, unit, doc)                          \
  {                                                                            \
    const char *text = secure_getenv("EVENKEEL_" #NAME);                       \
    if (!text || read_##KIND(text, &ek_opt.field) != 0) {                      \
      read_##KIND(dflt, &ek_opt.field);                                        \
      if (text)                                                                \
        bad_option(#NAME, text, unit, dflt);                                   \
    }                                                                          \
  }
#include "options.def"
#undef EK_OPTION
}

void ek_options_print(FILE *out) {
  fprintf(out, "%-22s %-8s %-24s %s\n", "variable", "default", "value", "does");
#define EK_OPTION(NAME, field, KIND, dflt, unit, doc)                          \
  fprintf(out, "%-22s %-8s %-24s %s\n", "EVENKEEL_" #NAME,                     \
          dflt[0] ? dflt : "-", unit, doc);
#include "options.def"
#undef EK_OPTION
}
