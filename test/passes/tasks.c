// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// A task-creation loop with a symbolic block size: counts are per task.
#include <stdlib.h>
void blocks(double *a, long n, long bs) {
#pragma omp parallel
#pragma omp single
  for (long b = 0; b < n; b += bs) {
#pragma omp task depend(inout : a[b])
    for (long i = b; i < b + bs && i < n; i++)
      a[i] += 1;
  }
}
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  double *a = malloc(n * 8);
  blocks(a, n, 100);
  return a[0] > 1;
}

// CHECK-LABEL: {{^}}region serial tasks.c:13:0 in main{{$}}
// CHECK: {{^}}  tasks.c:17:10 malloc@tasks.c:15:15 invariant element 8 reads 1 writes 0 exact{{$}}
// CHECK-LABEL: {{^}}region parallel tasks.c:5:1 in blocks{{$}}
// CHECK-LABEL: {{^}}region task tasks.c:8:1 in blocks{{$}}
// CHECK: {{^}}  tasks.c:10:12 malloc@tasks.c:15:15 stream(8) element 8 reads min(blocks:bs, max(0, blocks:n - blocks:b)) writes min(blocks:bs, max(0, blocks:n - blocks:b)) exact{{$}}
// CHECK: {{^}}site malloc tasks.c:15:15 size 8*main:n live{{$}}
// CHECK: {{^}}symbol main:n given program tasks.c:13:0{{$}}
// CHECK: {{^}}symbol blocks:b derived task tasks.c:4:0{{$}}
// CHECK: {{^}}symbol blocks:n given program tasks.c:4:0 = main:n{{$}}
// CHECK: {{^}}symbol blocks:bs given program tasks.c:4:0 from 0 = 100{{$}}
// INPUTS 24 | 38
