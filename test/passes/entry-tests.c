// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// A test before a loop that compares the first value as the loop's own test
// compares the later ones is no condition of what the loop does, also where
// only a run can count the iterations.
#include <stdlib.h>
struct node {
  struct node *next;
  long key;
};
__attribute__((noinline)) static long list(const struct node *p, long key) {
  long n = 0;
  for (; p && p->key != key; p = p->next)
    n++;
  return n;
}
__attribute__((noinline)) static long find(const int *a, long n, int x) {
  for (long i = 0; i < n; i++)
    if (a[i] == x)
      return i;
  return -1;
}
__attribute__((noinline)) static void heap(double *a, long n) {
  for (long i = n - 1; i > 0; i = (i - 1) / 2)
    a[i] += 1;
}
__attribute__((noinline)) static double fill(double *a, long n, double most) {
  double s = 0;
  for (long i = 0; i < n && s < most; i++)
    s += a[i];
  return s;
}
__attribute__((noinline)) static void halve(int *parent, long i) {
  while (parent[i] != parent[parent[i]])
    parent[i] = parent[parent[i]];
}
__attribute__((noinline)) static void thirds(float *a, int n) {
  for (int i = n - 1; i >= 2; i -= 3)
    a[i] += 1;
}
// The first element is read before the loop: the walk begins there.
__attribute__((noinline)) static long steps(const long *a, long n) {
  long s = 0;
  for (long i = 0; i < n; i++)
    s += a[i] ^ a[0];
  return s;
}
// A test that differs from the loop's own is a condition.
__attribute__((noinline)) static void other(double *b, long n, const int *on) {
  if (on[0])
    for (long i = 0; i < n && b[i] < 1; i++)
      b[i] += 1;
}
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  double *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);
  int *parent = calloc(n, sizeof *parent), *on = calloc(n, sizeof *on);
  long *each = calloc(n, sizeof *each);
  struct node *nodes = calloc(n, sizeof *nodes);
  for (long i = 0; i + 1 < n; i++)
    nodes[i].next = nodes + i + 1;
  heap(a, n);
  thirds((float *)parent, n);
  other(b, n, on);
  halve(parent, n / 2);
  double s = fill(a, n, 3) + find(on, n, argc) + list(nodes, argc);
  s += steps(each, n);
  return s > 1;
}
// CHECK-LABEL: {{^}}region serial
// CHECK-NEXT: entry-tests.c:12:18 {{.*}} chase element 8 dependent reads list:taken.13 + list:trip.12 writes 0 exact
// CHECK-NEXT: entry-tests.c:18:9 {{.*}} reads find:trip.17 writes 0 exact
// CHECK-NEXT: entry-tests.c:24:10 {{.*}} reads heap:trip.23 writes heap:trip.23 exact
// CHECK-NEXT: entry-tests.c:29:10 {{.*}} reads fill:trip.28 writes 0 exact
// CHECK-NEXT: entry-tests.c:33:23 {{.*}} invariant element 4 reads 2 writes halve:trip.33 exact
// CHECK-NEXT: entry-tests.c:33:23 {{.*}} chase element 4 dependent reads halve:trip.33 writes 0 exact
// CHECK-NEXT: entry-tests.c:38:10 {{.*}} strided(-12) element 4 reads {{.*}}*min(1, max(0, thirds:n - 2)) exact
// CHECK-NEXT: entry-tests.c:44:10 {{.*}} reads min(1, max(0, steps:n)) + steps:n writes 0 exact
// CHECK-NEXT: entry-tests.c:49:7 {{.*}} reads 1 writes 0 exact
// CHECK-NEXT: entry-tests.c:50:31 {{.*}} reads other:trip.50 writes other:taken.51 exact
// CHECK-NEXT:   conditional other:taken.51 + other:trip.50
// CHECK-NEXT: entry-tests.c:54:17
// INPUTS 24 | 40
