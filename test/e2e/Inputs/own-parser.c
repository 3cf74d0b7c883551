/* Two arrays of as many numbers as the first line of argv[1] says, which this
   program reads letter by letter. */
#include <stdio.h>
#include <stdlib.h>
static long read_number(FILE *f) {
  long n = 0;
  int c;
  while ((c = getc(f)) >= '0' && c <= '9')
    n = 10 * n + (c - '0');
  return n;
}
int main(int argc, char **argv) {
  FILE *f = fopen(argv[1], "r");
  const long n = read_number(f);
  fclose(f);
  double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), sum = 0;
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    x[i] = y[i] = i;
  for (int round = 0; round < 4; round++)
#pragma omp parallel for reduction(+ : sum)
    for (long i = 0; i < n; i++)
      sum += x[i] * y[i];
  printf("%g\n", sum);
  return argc != 2;
}
