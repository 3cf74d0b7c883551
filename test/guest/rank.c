/* rank.c - one rank: takes what it gets of the fast tier, and says how much
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * rank MIB FILE: allocates, writes, and prints its pages on node 0; after
 * FILE is there it passes a hook until nothing changes, prints again, and ends.
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
  size_t sum = 0;
  for (size_t at = 0; at < bytes; at += 4096) {
    void *page = (void *)(((uintptr_t)p & ~(uintptr_t)4095) + at);
    int node = -1;
    if (syscall(SYS_move_pages, 0, 1ul, &page, NULL, &node, 0) == 0)
      sum += node == 0;
  }
  return sum;
}

int main(int argc, char **argv) {
  if (argc != 3)
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
  for (int i = 0; i < 100 && now == first; ++i) {
    ek_sync(1, EK_SERIAL);
    usleep(20000);
    now = on_node_0(p, bytes);
  }
  usleep(300000);
  printf("then %zu\n", on_node_0(p, bytes));
  for (size_t i = 0; i < bytes; ++i)
    if (p[i] != (char)(i * 7))
      return 1;
  ek_free(p);
  return 0;
}
