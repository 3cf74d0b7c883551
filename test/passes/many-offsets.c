// A pointer to very many places in few objects: the objects are still known.
// RUN: %bitcode %s -o %t.bc
// RUN: %access %t.bc | FileCheck %s
#include <stdlib.h>


#define SIX(p, k) (p) + (k), (p) + (k) + 1, (p) + (k) + 2, (p) + (k) + 3, (p) + (k) + 4, (p) + (k) + 5
#define THIRTY(p) SIX(p, 1), SIX(p, 9), SIX(p, 17), SIX(p, 25), SIX(p, 33)

// CHECK: malloc@many-offsets.c:13:15,malloc@many-offsets.c:13:48,malloc@many-offsets.c:14:15,malloc@many-offsets.c:14:48 random element 8 reads
int main(int argc, char **argv) {
  size_t n = (size_t)argc * 1000;
  double *a = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double));
  double *c = malloc(n * sizeof(double)), *d = malloc(n * sizeof(double));
  double *places[120] = {THIRTY(a), THIRTY(b), THIRTY(c), THIRTY(d)};
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += *places[i * 7 % 120];
  return sum > 0;
}
// INPUTS 24 | 38
