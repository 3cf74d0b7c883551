/* count.c - runs a program and tells the plugin when (misses.c)
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  volatile uint64_t *mark =
      mmap((void *)0x7eee00000000, 4096, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (argc < 2 || mark == MAP_FAILED)
    return 125;
  mark[0] = 1;
  pid_t child = fork();
  if (child == 0) {
    execvp(argv[1], argv + 1);
    _exit(126);
  }
  int status = -1;
  waitpid(child, &status, 0);
  mark[1] = 1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 124;
}
