// A symbol cancels out of the reads and the writes of a row, but not out of its
// atomics: the facts list the symbol.
// RUN: %clang -O2 -g -fopenmp -c %s -o %t.o -fpass-plugin=%ekpass
// RUN: %evenkeel analyze --verify %t.o | FileCheck %s --check-prefix=VERIFY
// VERIFY: verified: {{[0-9]+}} checks hold
// RUN: %evenkeel analyze --json %t.o | FileCheck %s
// CHECK: "atomics":
// CHECK: "sym": "[[MODE:[0-9a-f]+]]"
// CHECK: "reads": {
// CHECK-NEXT: "const": 1
// CHECK: "symbols": [
// CHECK: "id": "[[MODE]]"
// CHECK: "name": "count:mode"
#include <stdio.h>
#include <stdlib.h>
static long cells[100000];
static void count(long mode) {
#pragma omp parallel
  if (mode == 2) {
#pragma omp atomic
    cells[5]++;
  } else {
    cells[5] += 7;
  }
}
int main(int argc, char **argv) {
  count(argc > 1 ? atol(argv[1]) : 0);
  printf("%ld\n", cells[5]);
}
