// Its only thread ends by the system call for threads, which the C library does
// not see: the kernel ends the process, with this status, once no thread is
// left.
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
  const size_t n = 1 << 20;
  char *p = malloc(n);
  volatile char seen = 0;
  for (int i = 0; i < 10000; ++i) {
    memset(p, i, n);
    seen = p[i];
  }
  (void)seen;
  syscall(SYS_exit, 3);
}
