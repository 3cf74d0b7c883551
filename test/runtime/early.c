/*===- early.c - the library before main and during exit ----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A C program: allocates in a constructor, frees in an exit handler and in a
 * destructor, and prints nothing; the constructor of foreign.c runs even
 * earlier.
 *===----------------------------------------------------------------------===*/
#include "evenkeel/ek.h"

#include <stdlib.h>

#include <stdio.h>
#include <string.h>

enum { BYTES = 1 << 20 };
static char *early, *late;
extern int foreign_early_wrong;

static void die(const char *what) {
  fprintf(stderr, "early: %s\n", what);
  _Exit(1);
}

__attribute__((constructor(101))) static void before_main(void) {
  early = ek_malloc(1, BYTES);
  if (!early)
    die("no memory before main");
  memset(early, 1, BYTES);
  ek_sync(2, EK_SERIAL);
}

__attribute__((destructor(101))) static void at_end(void) {
  char *p = realloc(late, 2 * BYTES);
  if (!p || p[BYTES - 1] != 3)
    die("contents lost during exit");
  free(p);
  p = ek_calloc(4, BYTES, 1);
  if (!p || p[BYTES / 2])
    die("calloc during exit");
  free(p);
}

static void handler(void) {
  late = ek_malloc(3, BYTES);
  memset(late, 3, BYTES);
  free(early);
}

int main(void) {
  atexit(handler);
  if (early[BYTES - 1] != 1)
    die("contents lost before main");
  if (foreign_early_wrong)
    die("wrong before the runtime's start");
  return 0;
}
