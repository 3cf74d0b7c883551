// A string of n points in s steps; threads have equal parts.
// wave N STEPS [--verify] [--out FILE]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void step(double *next, const double *now, const double *before,
                 long n) {
#pragma omp parallel for schedule(static)
  for (long i = 1; i < n - 1; ++i)
    next[i] =
        2 * now[i] - before[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  long n = atol(argv[1]), steps = atol(argv[2]);
  double *before = calloc(n, sizeof *before);
  double *now = calloc(n, sizeof *now);
  double *next = calloc(n, sizeof *next);
  for (long i = 0; i < n; ++i)
    before[i] = now[i] = sin(3.14159265358979 * i / (n - 1));
  for (long s = 0; s < steps; ++s) {
    step(next, now, before, n);
    double *free_one = before;
    before = now;
    now = next;
    next = free_one;
  }
  int wrong = 0;
  for (int a = 3; a < argc; ++a)
    if (!strcmp(argv[a], "--verify")) {
      // The first mode of a string keeps its shape: the middle is the highest.
      for (long i = 0; i < n; ++i)
        wrong |= fabs(now[i]) > fabs(now[n / 2]) + 1e-9;
      puts(wrong ? "verify: FAILED" : "verify: passed");
    } else if (!strcmp(argv[a], "--out") && a + 1 < argc) {
      FILE *f = fopen(argv[++a], "wb");
      fwrite(now, sizeof *now, n, f);
      fclose(f);
    }
  free(before), free(now), free(next);
  return wrong;
}
