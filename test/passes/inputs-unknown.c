// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// Values that are not the input alone: sums over data, chosen by data, or read
// from an argument that no test identifies. What a loop computes from an
// argument is left to the comparison with the base run.
#include <stdlib.h>
void keep(double *x);
static long doubled, sum;
int main(int argc, char **argv) {
  doubled = atol(argv[1]);
  for (int i = 0; i < argc; i++) {
    doubled *= 2;
    sum += atol(argv[i]);
  }
  long last = 0;
  for (int i = 1; i < argc; i++)
    last = atol(argv[i]);
  int chosen = rand() % 2 ? atoi(argv[2]) : rand();
  double *a = malloc(doubled * sizeof *a);
  double *b = malloc(sum * sizeof *a);
  double *c = malloc(last * sizeof *a);
  double *d = malloc(chosen * sizeof *a);
  keep(a), keep(b), keep(c), keep(d);
}
// CHECK: symbol main:doubled
// CHECK: input main:doubled from (argument 1 or 2*argument 1)
// CHECK-NOT: input main:{{sum|value|chosen}}
