// Has many children that end at once, at any point of their watcher's start.
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  const size_t n = 4 << 20;
  char *p = malloc(n);
  volatile char seen = 0;
  for (int i = 0; i < 400; ++i) {
    memset(p, i, n);
    seen = p[i];
    const pid_t child = fork();
    if (!child) {
      for (volatile int k = 0; k < i * 200; ++k)
        ;
      _exit(0);
    }
    waitpid(child, NULL, 0);
  }
  (void)seen;
  return 0;
}
