/* policy.c - runs a program under a memory policy, as numactl does
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * policy bind|prefer|interleave NODES -- COMMAND...: NODES is a mask.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc < 5)
    return 2;
  unsigned long nodes = strtoul(argv[2], NULL, 0);
  int mode = strcmp(argv[1], "bind") == 0     ? 2
             : strcmp(argv[1], "prefer") == 0 ? 1
                                              : 3;
  if (syscall(SYS_set_mempolicy, mode, &nodes, 65ul) != 0)
    return 3;
  execvp(argv[4], argv + 4);
  return 4;
}
