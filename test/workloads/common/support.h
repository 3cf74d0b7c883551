/*===- support.h - what every workload needs ----------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: ending with one line, allocation that cannot fail, random numbers that
 * are the same everywhere, and how a result is written and judged. A workload
 * defines PROGRAM, its name in messages, before it includes this. C and C++.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_WORKLOADS_SUPPORT_H
#define EVENKEEL_WORKLOADS_SUPPORT_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void die(const char *what, const char *name) {
  fprintf(stderr, PROGRAM ": error: %s: %s\n", what, name);
  exit(2);
}

static inline void *need(void *p) {
  if (!p)
    die("out of memory", "allocation failed");
  return p;
}

static inline uint64_t random_next(uint64_t *s) { /* splitmix64, Steele 2014 */
  uint64_t z = (*s += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/* In [0, 1). */
static inline double random_unit(uint64_t *s) {
  return (double)(random_next(s) >> 11) * (1.0 / 9007199254740992.0);
}

/* The common options, taken out of argv: --verify, --out FILE. */
struct options {
  int verify;
  const char *out;
};

static inline struct options take_options(int *argc, char **argv) {
  struct options o = {0, NULL};
  int kept = 1;
  for (int i = 1; i < *argc; i++) {
    if (!strcmp(argv[i], "--verify"))
      o.verify = 1;
    else if (!strcmp(argv[i], "--out") && i + 1 < *argc)
      o.out = argv[++i];
    else
      argv[kept++] = argv[i];
  }
  *argc = kept;
  return o;
}

/* A whole number in [low, high], or the usage line. */
static inline int64_t number(const char *text, int64_t low, int64_t high,
                             const char *usage) {
  char *end;
  long long v = strtoll(text, &end, 10);
  if (end == text || *end || v < low || v > high) {
    fprintf(stderr, "usage: " PROGRAM " %s\n", usage);
    exit(2);
  }
  return v;
}

/* One line of judgement; returns the program's status. */
static inline int judge(const char *what, double error, double bound) {
  int good = error <= bound; /* a NaN is not */
  printf("verify: %s: %.3g (at most %.1g), %s\n", what, error, bound,
         good ? "passed" : "FAILED");
  return !good;
}

static inline void write_out(const char *path, const void *data, size_t bytes) {
  FILE *f = fopen(path, "wb");
  if (!f || fwrite(data, 1, bytes, f) != bytes || fclose(f))
    die(strerror(errno), path);
}

#endif
