// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// A gather has a stride where every store to its index array writes even steps
// and it reads the array evenly; any other writer of the array ends that.
#include <stdio.h>
#include <stdlib.h>

static void cells(int *corner, long n, int row) {
  int first = 0;
  long k = 0;
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < n; j++) {
      corner[4 * k] = first;
      corner[4 * k + 1] = first + 1;
      corner[4 * k + 2] = first + row;
      corner[4 * k + 3] = first + row + 1;
      k++;
      first++;
    }
    first++;
  }
}

int main(int argc, char **argv) {
  long n = atol(argv[1]), m = n * n;
  double *x = malloc(m * 16), *out = malloc(m * 8);
  int *corner = calloc(4 * m, 4), *back = malloc(m * 4), *odd = malloc(m * 4);
  int *some = malloc(m * 4), *of = malloc(m * 4), *hash = malloc(m * 4);
  int *turns = malloc(m * 8), *told = malloc(m * 4);
  for (long i = 0; i < 2 * m; i++)
    x[i] = i;
  cells(corner, n, n + 1);
  for (long i = 0; i < m; i++) {
    back[i] = (int)(m - 1 - i);
    of[i] = (int)(2 * i);
    hash[i] = (int)(i * 37 % m);
    turns[2 * i] = (int)i;
    turns[2 * i + 1] = (int)(m - 1 - i);
    odd[i] = (int)i;
    told[i] = (int)i;
  }
  odd[atol(argv[2])] = 7; // at an unknown place
  long found = 0;
  for (long i = 0; i < m; i++)
    if (x[i] > 3)
      some[found++] = (int)i;
  scanf("%d", told);

  // One corner of each cell, and all of them.
#pragma omp parallel for
  for (long c = 0; c < m; c++)
    out[c] = x[corner[4 * c + 2]];
#pragma omp parallel for
  for (long c = 0; c < m; c++) {
    double s = 0;
    for (int k = 0; k < 4; k++)
      s += x[corner[4 * c + k]];
    out[c] = s;
  }
#pragma omp parallel for
  for (long i = 0; i < m; i++)
    out[i] = x[back[i]];
  // Every other index: its elements are as far apart as the indices.
#pragma omp parallel for
  for (long i = 0; i < m / 2; i++)
    out[i] = x[back[2 * i]];
  // Through two arrays.
#pragma omp parallel for
  for (long i = 0; i < m / 2; i++)
    out[i] = x[back[of[i]]];
  // None of these.
#pragma omp parallel for
  for (long i = 0; i < m; i++)
    out[i] = x[hash[i]];
#pragma omp parallel for
  for (long i = 0; i < 2 * m; i++)
    out[i / 2] = x[turns[i]];
#pragma omp parallel for
  for (long i = 0; i < m; i++)
    out[i] = x[odd[i]];
#pragma omp parallel for
  for (long i = 0; i < found; i++)
    out[i] = x[some[i]];
#pragma omp parallel for
  for (long i = 0; i < m; i++)
    out[i] = x[told[i]];
  printf("%f\n", out[n]);
  return 0;
}

// CHECK: {{^}}  even-indices.c:51:14 malloc@even-indices.c:25:15 random(8) element 8
// CHECK: {{^}}  even-indices.c:56:12 malloc@even-indices.c:25:15 random(8) element 8
// CHECK: {{^}}  even-indices.c:61:14 malloc@even-indices.c:25:15 random(-8) element 8
// CHECK: {{^}}  even-indices.c:65:14 malloc@even-indices.c:25:15 random(-16) element 8
// CHECK: {{^}}  even-indices.c:69:14 malloc@even-indices.c:25:15 random(-16) element 8
// CHECK: {{^}}  even-indices.c:69:16 malloc@even-indices.c:26:43 random(8) element 4
// CHECK: {{^}}  even-indices.c:73:14 malloc@even-indices.c:25:15 random element 8
// CHECK: {{^}}  even-indices.c:76:18 malloc@even-indices.c:25:15 random element 8
// CHECK: {{^}}  even-indices.c:79:14 malloc@even-indices.c:25:15 random element 8
// CHECK: {{^}}  even-indices.c:82:14 malloc@even-indices.c:25:15 random element 8
// CHECK: {{^}}  even-indices.c:85:14 malloc@even-indices.c:25:15 random element 8
// INPUTS 24 5 | 38 11
