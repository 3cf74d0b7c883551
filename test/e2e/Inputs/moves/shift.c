/* shift.c PHASES SECONDS [MIB [COLD [nodes]]]
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Three blocks of MIB MiB each. In each phase, all but one in COLD accesses (100)
 * go to one of them, to addresses that a generator picks, as in masim; the next
 * phase has the next block. With "nodes", prints after each phase how many pages of each block
 * lie on node 0. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { BLOCKS = 3, LINE = 64, PAGE = 4096 };
static size_t bytes = 24 << 20;

static unsigned char *make(void) {
  unsigned char *p = malloc(bytes);
  for (size_t i = 0; i < bytes; i += LINE)
    p[i] = (unsigned char)(i >> 12);
  return p;
}

static double cpu(void) { return (double)clock() / CLOCKS_PER_SEC; }

static size_t pages_on_node_0(unsigned char *p) {
  size_t n = 0;
  for (size_t at = 0; at < bytes; at += PAGE) {
    void *page = p + at;
    int status = -1;
    n += syscall(SYS_move_pages, 0, 1ul, &page, NULL, &status, 0) == 0 &&
         status == 0;
  }
  return n;
}

int main(int argc, char **argv) {
  const int phases = argc > 1 ? atoi(argv[1]) : 3;
  const double seconds = argc > 2 ? atof(argv[2]) : 1;
  bytes = argc > 3 ? (size_t)atoi(argv[3]) << 20 : bytes;
  const uint64_t cold = argc > 4 ? (uint64_t)atoi(argv[4]) : 100;
  unsigned char *block[BLOCKS];
  uint64_t random = 88172645463325252u;
  for (int i = 0; i < BLOCKS; ++i)
    block[i] = make();
  for (int phase = 0; phase < phases; ++phase) {
    for (const double end = cpu() + seconds; cpu() < end;)
      for (int i = 0; i < 100000; ++i) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        int which = random % cold ? phase % BLOCKS
                                  : (int)(random >> 40) % BLOCKS;
        block[which][(random >> 16) % bytes / LINE * LINE] ^= 1;
      }
    if (argc > 5)
      printf("phase %d %zu %zu %zu\n", phase, pages_on_node_0(block[0]),
             pages_on_node_0(block[1]), pages_on_node_0(block[2]));
  }
  puts("done");
  for (int i = 0; i < BLOCKS; ++i)
    free(block[i]);
  return 0;
}
