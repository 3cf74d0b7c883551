// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// The last offset of a table of rows has no formula, but grows like its index.
#include <stdlib.h>
extern void fill(long *first, long rows);
int main(int argc, char **argv) {
  long rows = atol(argv[1]);
  long *first = malloc((rows + 1) * sizeof(long));
  fill(first, rows);
  long entries = first[rows];
  double *x = malloc(entries * sizeof(double));
#pragma omp parallel for
  for (long i = 0; i < entries; i++)
    x[i] = 1;
  return (int)x[argc];
}
// CHECK: {{^}}symbol main:entries given program element-symbols.c:[[#]]:0 scales with 8*main:rows{{$}}
