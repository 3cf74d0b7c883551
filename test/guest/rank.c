/* rank.c - one rank: takes what it gets of the fast tier, and says how much
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * rank MIB FILE [PAGES]: allocates, writes, and prints its pages on node 0;
 * after FILE is there it passes a hook until so many lie there (for five
 * minutes at most), or else until nothing changes, prints again, and ends.
 */
#define _GNU_SOURCE
#include <evenkeel/ek.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static size_t on_node_0(char *p, size_t bytes) {
  size_t count = bytes / 4096, sum = 0;
  void **pages = malloc(count * sizeof *pages);
  int *nodes = malloc(count * sizeof *nodes);
  if (!pages || !nodes)
    exit(3);
  for (size_t i = 0; i < count; ++i)
    pages[i] = (char *)((uintptr_t)p & ~(uintptr_t)4095) + i * 4096;
  if (syscall(SYS_move_pages, 0, count, pages, NULL, nodes, 0) == 0)
    for (size_t i = 0; i < count; ++i)
      sum += nodes[i] == 0;
  free(pages);
  free(nodes);
  return sum;
}

int main(int argc, char **argv) {
  if (argc != 3 && argc != 4)
    return 2;
  size_t bytes = strtoul(argv[1], NULL, 10) << 20;
  char *p = ek_malloc(0x300, bytes);
  for (size_t i = 0; i < bytes; ++i)
    p[i] = (char)(i * 7);
  size_t first = on_node_0(p, bytes), now = first;
  printf("first %zu\n", first);
  fflush(stdout);
  while (access(argv[2], F_OK) != 0)
    usleep(10000);
  long want = argc > 3 ? atol(argv[3]) : -1;
  int tries = want < 0 ? 50 : 15000;
  for (int quiet = 0; quiet < tries && (long)now != want; ++quiet) {
    size_t before = now;
    ek_sync(1, EK_SERIAL);
    usleep(20000);
    now = on_node_0(p, bytes);
    if (now != before && want < 0)
      quiet = 0;
  }
  printf("then %zu\n", now);
  for (size_t i = 0; i < bytes; ++i)
    if (p[i] != (char)(i * 7))
      return 1;
  ek_free(p);
  return 0;
}
