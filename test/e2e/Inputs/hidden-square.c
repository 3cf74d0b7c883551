// `grid` has n * n elements, and no formula says so.
#include <stdlib.h>

static long counted(long n) {
  volatile long sum = 0;
  for (long i = 0; i < n; i++)
    sum += n;
  return sum;
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 0, m = counted(n);
  double *grid = malloc(m * sizeof(double));
  if (!grid)
    return 1;
#pragma omp parallel for
  for (long i = 0; i < m; i++)
    grid[i] = 1;
  int odd = m && grid[m / 2] != 1;
  free(grid);
  return odd;
}
