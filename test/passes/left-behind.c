// A function that was inlined into all of its callers remains in the program if
// it is exported: no object belongs to its own allocation.
// RUN: %clang -O2 -g -fopenmp -c %s -o %t.o -fpass-plugin=%ekpass
// RUN: %evenkeel analyze --verify %t.o | FileCheck %s --check-prefix=VERIFY
// VERIFY: verified: {{[0-9]+}} checks hold
// RUN: %evenkeel analyze --json %t.o | FileCheck %s
// CHECK: "contexts": [
// CHECK-NEXT: "{{[0-9a-f]+}}"
// CHECK-NEXT: ]
#include <stdlib.h>
static struct {
  double *data;
} *box;
static inline void *get(size_t n) {
  void *p = malloc(n);
  if (!p)
    exit(1);
  return p;
}
double *fill(long n) { return box->data = get(n * 8); }
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  box = get(sizeof *box);
  double *d = fill(n);
#pragma omp parallel for
  for (long i = 0; i < n; ++i)
    box->data[i] = i;
  return d[3] > 2;
}
// INPUTS 24 | 38
