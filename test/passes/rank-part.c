// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// A rank's part of n rows grows with n and differs in each rank: its begin and
// end are quotients of values that the run can report.
#include <stdlib.h>
void rank_of(int *rank, int *ranks);
int main(int argc, char **argv) {
  int rank, ranks;
  rank_of(&rank, &ranks);
  long n = atol(argv[1]);
  long first = n * rank / ranks, end = n * (rank + 1) / ranks;
  double *a = calloc(end - first, 8);
  for (long i = 0; i < end - first; i++)
    a[i] += 1;
  return a[argc] > 1;
}
// CHECK: stream(8) element 8 reads max(0, main:end - main:first) writes max(0, main:end - main:first) exact
// CHECK-DAG: symbol main:first given program rank-part.c:6:0 scales with ceildiv(main:n*main:rank - main:ranks + 1, main:ranks)
// CHECK-DAG: symbol main:end given program rank-part.c:6:0 scales with ceildiv((main:rank + 1)*main:n - main:ranks + 1, main:ranks)
