/* loop.c SECONDS - SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * A table that is read once, and then two halves of the run: `always` is used in
 * both, `early` in the first one, `late` in the second one. What is allocated
 * first is used least, so first touch is wrong; no fixed place is right for both
 * halves. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LINE = 64 };
static const size_t bytes = 16 << 20;

static double cpu(void) { return (double)clock() / CLOCKS_PER_SEC; }

static unsigned char *filled(unsigned char *p) {
  for (size_t i = 0; i < bytes; i += LINE)
    p[i] = 1;
  return p;
}

static void use(unsigned char *a, unsigned char *b, double seconds) {
  for (const double end = cpu() + seconds; cpu() < end;)
    for (size_t i = 0; i < bytes; i += LINE) {
      a[i] ^= 1;
      b[i] ^= 1;
    }
}

int main(int argc, char **argv) {
  const double seconds = argc > 1 ? atof(argv[1]) : 1;
  unsigned char *table = filled(malloc(2 * bytes));
  unsigned char *late = filled(malloc(bytes));
  unsigned char *early = filled(malloc(bytes));
  unsigned char *always = filled(malloc(bytes));
  use(always, early, seconds / 2);
  use(always, late, seconds / 2);
  puts("done");
  free(table);
  free(late);
  free(early);
  free(always);
  return 0;
}
