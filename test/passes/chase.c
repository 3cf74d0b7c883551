// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// A list and an index chain: the next address comes from the last load.
#include <stdlib.h>
struct node {
  struct node *next;
  long value;
};
long list(const struct node *p) {
  long s = 0;
  while (p) {
    s += p->value;
    p = p->next;
  }
  return s;
}
long chain(const int *next, long steps) {
  int at = 0;
  for (long i = 0; i < steps; i++)
    at = next[at];
  return at;
}
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  struct node *pool = malloc(n * sizeof *pool);
  for (long i = 0; i < n; i++)
    pool[i].next = i + 1 < n ? &pool[(i * 7) % n] : 0;
  int *next = malloc(n * 4);
  return list(pool) + chain(next, n) > 5;
}

// CHECK-LABEL: {{^}}region serial chase.c:22:0 in main{{$}}
// CHECK: {{^}}  chase.c:11:13 malloc@chase.c:24:23 chase element 8 dependent reads 2*list:trip.10 writes 0 exact{{$}}
// CHECK: {{^}}  chase.c:19:10 malloc@chase.c:27:15 chase element 4 dependent reads main:n writes 0 exact{{$}}
// CHECK: {{^}}  chase.c:26:18 malloc@chase.c:24:23 strided(16) element 8 reads 0 writes main:n exact{{$}}
// CHECK: {{^}}site malloc chase.c:24:23 size 16*main:n live{{$}}
// CHECK: {{^}}site malloc chase.c:27:15 size 4*main:n live{{$}}
// CHECK: {{^}}symbol list:trip.10 measured program chase.c:10:3{{$}}
// CHECK: {{^}}symbol main:n given program chase.c:22:0 from 0{{$}}
