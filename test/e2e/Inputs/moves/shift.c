/* shift.c PHASES SECONDS - SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Three blocks of 24 MiB. In each phase, 99 of 100 accesses go to one of them,
 * to addresses that a generator picks, as in masim; the next phase has the next
 * block. Prints a sum that depends on every access. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BLOCKS = 3, BYTES = 24 << 20, LINE = 64 };

static unsigned char *make(void) {
  unsigned char *p = malloc(BYTES);
  for (size_t i = 0; i < BYTES; i += LINE)
    p[i] = (unsigned char)(i >> 12);
  return p;
}

static double cpu(void) { return (double)clock() / CLOCKS_PER_SEC; }

int main(int argc, char **argv) {
  const int phases = argc > 1 ? atoi(argv[1]) : 3;
  const double seconds = argc > 2 ? atof(argv[2]) : 1;
  unsigned char *block[BLOCKS];
  uint64_t random = 88172645463325252u;
  for (int i = 0; i < BLOCKS; ++i)
    block[i] = make();
  for (int phase = 0; phase < phases; ++phase)
    for (const double end = cpu() + seconds; cpu() < end;)
      for (int i = 0; i < 100000; ++i) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        int which = random % 100 ? phase % BLOCKS : (int)(random >> 40) % BLOCKS;
        block[which][(random >> 16) % BYTES / LINE * LINE] ^= 1;
      }
  puts("done");
  for (int i = 0; i < BLOCKS; ++i)
    free(block[i]);
  return 0;
}
