/*===- foreign.c - a library that knows nothing of the runtime ----*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Linked only with the C library, so that its calls ask for the C library's
 * symbol versions of free and realloc: takes over blocks of the program. Linked
 * after the runtime, its constructor runs first, and its calls reach a runtime
 * that has not started.
 *===----------------------------------------------------------------------===*/
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

int foreign_early_wrong = -1;
void foreign_free(void *p);
void *foreign_realloc(void *p, size_t n);

void foreign_free(void *p) { free(p); }
void *foreign_realloc(void *p, size_t n) { return realloc(p, n); }

__attribute__((constructor)) static void early(void) {
  enum { BYTES = 100000 };
  char *volatile p = malloc(BYTES); /* the compiler must keep the calls */
  memset(p, 6, BYTES);
  p = realloc(p, 5 * BYTES);
  foreign_early_wrong =
      p[0] != 6 || p[BYTES - 1] != 6 || malloc_usable_size(p) < 5 * BYTES;
  free(p);
  /* A freed block is used again, not lost. */
  char *volatile q = malloc(1000);
  free(q);
  size_t before = mallinfo2().uordblks;
  q = malloc(1000);
  free(q);
  foreign_early_wrong |= mallinfo2().uordblks != before;
}
