/*===- options.c - reading and printing the options ---------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: how a variable becomes a value, and the help text.
 * Uses only what exists before main.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/options.h"
#include "core/say.h"
#include "core/stats.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

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
  /* strtod would also accept "inf", hexadecimal ("0x10B") and exponents. */
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
  ek_say("evenkeel: EVENKEEL_%s=%s is not %s; using the default '%s'\n", name,
         value, unit, used);
  ek_count(EK_WHY_bad_option, 1);
}

/* read_<KIND>(text, to): returns 0, or -1 and leaves *to as it was. */
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

static int read_SAMPLING(const char *text, const char **to) {
  if (text[0] && strcmp(text, "loads") != 0 && strcmp(text, "faults") != 0)
    return -1;
  return read_TEXT(text, to);
}

static int read_REPLANNING(const char *text, uint64_t *to) {
  static const char *const words[] = {"0", "sizes", "times", "anywhere"};
  if (!text[0])
    return *to = EK_REPLAN_SIZES, 0;
  for (uint64_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (strcmp(text, words[i]) == 0)
      return *to = i, 0;
  return -1;
}

static int read_MOVING(const char *text, uint64_t *to) {
  if (text[0] && strcmp(text, "pages") != 0 && strcmp(text, "copies") != 0)
    return -1;
  *to = strcmp(text, "copies") == 0 ? EK_BY_COPIES : EK_BY_PAGES;
  return 0;
}

/* Whether one inserted, missing or wrong letter, or two swapped letters, turn
 * \p a into \p b. */
static bool is_one_slip(const char *a, const char *b) {
  while (*a && *a == *b)
    ++a, ++b;
  return (*a && strcmp(a + 1, b) == 0) || (*b && strcmp(a, b + 1) == 0) ||
         (*a && *b &&
          (strcmp(a + 1, b + 1) == 0 ||
           (a[0] == b[1] && a[1] == b[0] && strcmp(a + 2, b + 2) == 0)));
}

/* Reports misspelled options. Other names with our prefix may belong to other
 * tools. */
static void report_misspelled(void) {
  static const char *const names[] = {
#define EK_OPTION(NAME, field, KIND, dflt, unit, doc) #NAME,
#include "core/options.def"
#undef EK_OPTION
  };
  static const char prefix[] = "EVENKEEL_";
  enum { COUNT = sizeof names / sizeof *names, PREFIX = sizeof prefix - 1 };
  for (char **e = environ; e && *e; ++e) {
    const char *at = *e + PREFIX, *end = strchr(*e, '=');
    char name[32];
    if (strncmp(*e, prefix, PREFIX) != 0 || !end ||
        (size_t)(end - at) >= sizeof name)
      continue;
    memcpy(name, at, (size_t)(end - at));
    name[end - at] = 0;
    size_t i = 0, slip = COUNT;
    for (; i < COUNT && strcmp(names[i], name) != 0; ++i)
      if (is_one_slip(names[i], name))
        slip = i;
    if (i < COUNT || slip == COUNT)
      continue;
    ek_say("evenkeel: unknown option %s%s; did you mean %s%s?\n", prefix, name,
           prefix, names[slip]);
    ek_count(EK_WHY_bad_option, 1);
  }
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
#include "core/options.def"
#undef EK_OPTION
  if (!getauxval(AT_SECURE))
    report_misspelled();
}

void ek_options_print(FILE *out) {
  fprintf(out, "%-22s %-8s %-24s %s\n", "variable", "default", "value", "does");
#define EK_OPTION(NAME, field, KIND, dflt, unit, doc)                          \
  fprintf(out, "%-22s %-8s %-24s %s\n", "EVENKEEL_" #NAME,                     \
          dflt[0] ? dflt : "-", unit, doc);
#include "core/options.def"
#undef EK_OPTION
}
