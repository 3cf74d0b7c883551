// Two functions whose sizes have one name, and one with a name of its own.
#include <stdlib.h>

__attribute__((noinline)) double *ones(long n) {
  double *x = malloc(n * sizeof(double));
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    x[i] = 1;
  return x;
}

__attribute__((noinline)) double *twos(long n, long rows) {
  double *x = malloc(n * rows * sizeof(double));
#pragma omp parallel for
  for (long i = 0; i < n * rows; i++)
    x[i] = 2;
  return x;
}

int main(int argc, char **argv) {
  double *x = ones(atol(argv[1])), *y = twos(atol(argv[2]), atol(argv[3]));
  int odd = x[argc] + y[argc] != 3;
  free(x);
  free(y);
  return odd;
}
