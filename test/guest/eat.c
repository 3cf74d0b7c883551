/* eat.c - takes what is free of a node, but for some MiB (16), and keeps it
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned long free_kib(int node) {
  char file[64], line[256];
  unsigned long kib = 0;
  snprintf(file, sizeof file, "/sys/devices/system/node/node%d/meminfo", node);
  FILE *f = fopen(file, "r");
  while (f && fgets(line, sizeof line, f)) {
    char *at = strstr(line, "MemFree:");
    if (at)
      kib = strtoul(at + 8, NULL, 10);
  }
  if (f)
    fclose(f);
  return kib;
}

int main(int argc, char **argv) {
  int node = argc > 1 ? atoi(argv[1]) : 0;
  unsigned long mask = 1ul << node;
  unsigned long rest = (argc > 2 ? strtoul(argv[2], NULL, 10) : 16) << 10;
  unsigned long kib = free_kib(node);
  for (; kib > rest; kib -= 1 << 10) {
    char *p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED ||
        syscall(SYS_mbind, p, 1ul << 20, 1, &mask, 65ul, 0u) != 0)
      return 1;
    memset(p, 1, 1 << 20);
  }
  FILE *f = fopen("eaten", "w");
  if (!f || fputs("all\n", f) < 0 || fclose(f) != 0)
    return 1;
  pause();
  return 0;
}
