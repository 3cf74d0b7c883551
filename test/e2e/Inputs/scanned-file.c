/* Two arrays of as many numbers as the second number in the file argv[1] says,
   used as often as the first one says. */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  FILE *f = fopen(argv[1], "r");
  int rounds = 0;
  long n = 0;
  if (argc != 2 || fscanf(f, "%d %ld", &rounds, &n) != 2)
    return 1;
  fclose(f);
  double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), sum = 0;
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    x[i] = y[i] = i;
  for (int round = 0; round < rounds; round++)
#pragma omp parallel for reduction(+ : sum)
    for (long i = 0; i < n; i++)
      sum += x[i] * y[i];
  printf("%g\n", sum);
  return 0;
}
