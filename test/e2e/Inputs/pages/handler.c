/* handler.c - forks in the handler of a signal, while large blocks come and go
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The signal comes at any time, also within the calls of the C library that
 * make, move and end blocks.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t bad, forks;

static void on_alarm(int number) {
  (void)number;
  const pid_t child = fork();
  if (child == 0)
    _exit(7);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
      WEXITSTATUS(status) != 7)
    bad = 1;
  ++forks;
}

int main(void) {
  struct sigaction on = {0};
  on.sa_handler = on_alarm;
  on.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &on, NULL);
  const struct itimerval often = {{0, 2000}, {0, 2000}};
  setitimer(ITIMER_REAL, &often, NULL);
  const size_t bytes = 1 << 20;
  for (int i = 0; forks < 40 || clock() < CLOCKS_PER_SEC / 2; ++i) {
    char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
      return 1;
    memset(p, i, 8192);
    p = mremap(p, bytes, 2 * bytes, MREMAP_MAYMOVE);
    if (p == MAP_FAILED || p[100] != (char)i)
      return 1;
    munmap(p, 2 * bytes);
  }
  puts(bad ? "children ended badly" : "children ended well");
  return 0;
}
