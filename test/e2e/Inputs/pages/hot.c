/* 60 blocks of 2 MiB, of which 20 get 15 of 16 accesses. Prints the ordinals of
 * those; with an argument, its largest resident size (KiB) to that file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { BLOCKS = 60, HOT = 20, BYTES = 2 << 20 };

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static char *make(void) {
  char *p = malloc(BYTES);
  memset(p, 1, BYTES);
  return p;
}

int main(int argc, char **argv) {
  char *block[BLOCKS];
  int order[BLOCKS];
  unsigned long x = 88172645463325252ul, sum = 0;
  for (int i = 0; i < BLOCKS; ++i) {
    block[i] = make();
    order[i] = i;
  }
  for (int i = 0; i < HOT; ++i) {
    x = x * 6364136223846793005ul + 1442695040888963407ul;
    int j = i + (int)((x >> 33) % (unsigned)(BLOCKS - i)), t = order[i];
    order[i] = order[j];
    order[j] = t;
    printf("%d\n", order[i]);
  }
  for (double end = cpu() + 2; cpu() < end;)
    for (int k = 0; k < 10000; ++k) {
      x = x * 6364136223846793005ul + 1442695040888963407ul;
      unsigned r = (unsigned)(x >> 33);
      int i = r % 16 ? order[r / 16 % HOT] : order[HOT + r / 16 % (BLOCKS - HOT)];
      sum += (unsigned long)block[i][(x >> 20) * 64 % BYTES]++;
    }
  if (argc > 1) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    FILE *f = fopen(argv[1], "w");
    fprintf(f, "%ld\n", u.ru_maxrss);
    fclose(f);
  }
  return sum == 1;
}
