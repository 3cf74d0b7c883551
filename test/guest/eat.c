/* eat.c - takes what a node gives away, but for some MiB (16), and keeps it
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * eat NODE [MIB]: "all" stands in the file "eaten" then.
 */
#define _GNU_SOURCE
#include "nodes/Nodes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint64_t free_bytes(unsigned node) {
  static ek_nodes all;
  ek_nodes_read("", &all);
  for (unsigned i = 0; i < all.count; ++i)
    if (all.node[i].id == node)
      return all.node[i].free_bytes;
  return 0;
}

int main(int argc, char **argv) {
  const uint64_t piece = 1 << 20;
  unsigned node = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
  unsigned long mask = 1ul << node;
  uint64_t rest = (argc > 2 ? strtoul(argv[2], NULL, 10) : 16) << 20;
  /* Twice: what it takes in page tables and the like shows then. */
  for (int round = 0; round < 2; ++round)
    for (uint64_t left = free_bytes(node); left > rest + piece; left -= piece) {
      char *p = mmap(NULL, piece, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (p == MAP_FAILED ||
          syscall(SYS_mbind, p, piece, 1, &mask, 65ul, 0u) != 0)
        return 1;
      memset(p, 1, piece);
    }
  printf("node %u gives %llu bytes\n", node,
         (unsigned long long)free_bytes(node));
  fflush(stdout);
  FILE *f = fopen("eaten", "w");
  if (!f || fputs("all\n", f) < 0 || fclose(f) != 0)
    return 1;
  pause();
  return 0;
}
