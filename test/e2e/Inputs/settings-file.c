/* Arrays of as many numbers as a line of the file FILE says, which is given as
   --in=FILE. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  long cells = 0;
  char line[200];
  const char *path = "";
  for (int i = 1; i < argc; i++)
    if (!strncmp(argv[i], "--in=", 5))
      path = argv[i] + 5;
  FILE *f = fopen(path, "r");
  while (f && fgets(line, sizeof line, f))
    sscanf(line, "cells = %ld", &cells);
  double *x = malloc(cells * sizeof *x), *y = malloc(cells * sizeof *y);
#pragma omp parallel for
  for (long i = 0; i < cells; i++)
    x[i] = y[i] = i;
  for (int step = 0; step < 4; step++)
#pragma omp parallel for
    for (long i = 0; i < cells; i++)
      y[i] += x[cells - 1 - i];
  printf("%g\n", y[cells / 2]);
  return 0;
}
