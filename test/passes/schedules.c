// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// Static chunks and dynamic schedules also divide the iterations.
#include <stdlib.h>
void chunked(double *a, long n) {
#pragma omp parallel for schedule(static, 16)
  for (long i = 0; i < n; i++)
    a[i] += 1;
}
void dynamic(double *a, long n) {
#pragma omp parallel for schedule(dynamic, 4)
  for (long i = 0; i < n; i++)
    a[i] += 2;
}
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  double *a = malloc(n * 8);
  chunked(a, n);
  dynamic(a, n);
  return a[0] > 1;
}

// CHECK-LABEL: {{^}}region parallel schedules.c:10:1 in dynamic{{$}}
// CHECK: {{^}}  schedules.c:12:10 malloc@schedules.c:16:15 stream(8) element 8 reads evenly(dynamic:n) writes evenly(dynamic:n) bound why dynamic-schedule{{$}}
// CHECK-LABEL: {{^}}region serial schedules.c:14:0 in main{{$}}
// CHECK: {{^}}  schedules.c:19:10 malloc@schedules.c:16:15 invariant element 8 reads 1 writes 0 exact{{$}}
// CHECK-LABEL: {{^}}region parallel schedules.c:5:1 in chunked{{$}}
// CHECK: {{^}}  schedules.c:7:10 malloc@schedules.c:16:15 stream(8) element 8 reads share(chunked:n, 16) writes share(chunked:n, 16) exact{{$}}
// CHECK: {{^}}site malloc schedules.c:16:15 size 8*main:n live{{$}}
// CHECK: {{^}}symbol main:n given program schedules.c:14:0{{$}}
// CHECK: {{^}}symbol chunked:n given program schedules.c:4:0 = main:n{{$}}
// CHECK: {{^}}symbol dynamic:n given program schedules.c:9:0 from 0 = main:n{{$}}
