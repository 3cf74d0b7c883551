/* Threads, a child, static storage, huge pages, and blocks that move. What it
 * prints does not depend on how memory is cut: each line is a result of calls
 * that a watcher could change. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double grid[1 << 18];
static double seconds = 0.3;

static double cpu(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void use(char *p, size_t n, clockid_t clock) {
  for (double end = cpu(clock) + seconds; cpu(clock) < end;)
    for (size_t i = 0; i < n; i += 512)
      ++p[i];
}

static void *work(void *p) {
  use(p, 1 << 20, CLOCK_THREAD_CPUTIME_ID);
  return NULL;
}

static void threads(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; ++i)
    pthread_create(&t[i], NULL, work, calloc(1, 1 << 20));
  for (int i = 0; i < 4; ++i)
    pthread_join(t[i], NULL);
}

/* Huge pages of [p, p + n), in KiB. */
static long huge(char *p) {
  char line[256];
  long kib = 0;
  int in = 0;
  FILE *f = fopen("/proc/self/smaps", "r");
  while (fgets(line, sizeof line, f)) {
    unsigned long from, to;
    if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
      in = from <= (unsigned long)p + (4 << 20) && to > (unsigned long)p;
    long more;
    if (in && sscanf(line, "AnonHugePages: %ld", &more) == 1)
      kib += more;
  }
  fclose(f);
  return kib;
}

static void huge_pages(void) {
  const size_t n = 4 << 20;
  char *p = mmap(NULL, 3 * n, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  p = (char *)(((unsigned long)p + n) / n * n);
  madvise(p, n, MADV_HUGEPAGE);
  memset(p, 1, n);
  const long before = huge(p);
  use(p, n, CLOCK_PROCESS_CPUTIME_ID);
  printf("huge pages %s\n", huge(p) == before ? "stay" : "are split");
}

static void moves(void) {
  const size_t n = 8 << 20;
  char *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                 -1, 0);
  memset(p, 1, n);
  use(p, n, CLOCK_PROCESS_CPUTIME_ID);
  char *q = mremap(p, n, 4 * n, MREMAP_MAYMOVE);
  printf("mapping %s\n", q == MAP_FAILED ? "does not move" : "moves");
  char *b = malloc(n);
  memset(b, 7, n);
  use(b + n / 2, n / 2, CLOCK_PROCESS_CPUTIME_ID);
  b = realloc(b, 4 * n);
  printf("block %d\n", b[n / 4]);
  free(b);
  fflush(stdout);
  const pid_t child = fork();
  if (!child) {
    use(q, n, CLOCK_PROCESS_CPUTIME_ID);
    q = mremap(q, 4 * n, 8 * n, MREMAP_MAYMOVE);
    _exit(q == MAP_FAILED ? 9 : 3);
  }
  int status;
  waitpid(child, &status, 0);
  printf("child %d\n", WEXITSTATUS(status));
}

int main(void) {
  int open = 0;
  threads();
  use((char *)grid, sizeof grid, CLOCK_PROCESS_CPUTIME_ID);
  huge_pages();
  moves();
  for (int fd = 3; fd < 256; ++fd)
    open += fcntl(fd, F_GETFD) >= 0;
  printf("descriptors %d\n", open);
  fflush(stdout);
  pthread_exit(NULL); /* the process ends with its last thread */
}
