/* plain.c - a program that knows nothing of us
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * plain MIB: three blocks of as many MiB, two of them from one wrapper; prints
 * how many pages of each lie on node 0. Where a call stands in this file is
 * what plain.facts.json says.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *get(size_t bytes) {
  void *p = malloc(bytes); /* site 300 */
  return p ? memset(p, 3, bytes) : p;
}

static size_t on_node_0(const char *p, size_t bytes) {
  size_t sum = 0;
  for (size_t i = 0; i < bytes / 4096; ++i) {
    void *page = (void *)(((uintptr_t)p & ~(uintptr_t)4095) + i * 4096);
    int node = -1;
    if (syscall(SYS_move_pages, 0, 1ul, &page, NULL, &node, 0) == 0)
      sum += node == 0;
  }
  return sum;
}

int main(int argc, char **argv) {
  size_t bytes = strtoul(argc > 1 ? argv[1] : "1", NULL, 10) << 20;
  char *one = get(bytes);       /* call of 300 */
  char *two = get(bytes);       /* another one */
  char *own = calloc(bytes, 1); /* site 301 */
  if (!one || !two || !own)
    return 2;
  memset(own, 1, bytes);
  printf("one %zu\ntwo %zu\nown %zu\n", on_node_0(one, bytes),
         on_node_0(two, bytes), on_node_0(own, bytes));
  for (size_t i = 0; i < bytes; ++i)
    if (one[i] != 3 || two[i] != 3 || own[i] != 1)
      return 1;
  free(one);
  free(two);
  free(own);
  return 0;
}
