#include <stdio.h>
#include <stdlib.h>
/* A wrapper, so that two objects differ in their callers only. */
static double *get(long n) {
  double *p = malloc(n * 8);
  for (long i = 0; i < n; i++)
    p[i] = 0;
  return p;
}
static double sum(double *p, long n, int times) {
  double s = 0;
  for (int k = 0; k < times; k++)
    for (long i = 0; i < n; i++) {
      p[i] += i;
      s += p[i];
    }
  return s;
}
static double step(long n) {
  double *a = get(n);
  double *b = calloc(n, 16);
  double s = sum(a, n, 2) + sum(b, 2 * n, 1);
  free(a);
  free(b);
  return s;
}
int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 1000;
  double *often = get(3 * n);
  double s = sum(often, 3 * n, 40);
  for (int k = 0; k < 5; k++)
    s += step(n);
  printf("%g\n", s);
  fflush(stdout);
  free(often);
  return 0;
}
