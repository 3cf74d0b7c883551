// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// Runs of one length whose starts the data determine are blocks, also where
// some follow the previous one at an even step. Rows of lengths from the data,
// rows that are separate objects, and runs at even steps only are not.
#include <stdlib.h>
void scatter(double *a, const int *at, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (int c = 0; c < 24; c++)
      a[24 * (long)at[i] + c] += 1;
}
void tiles(double *b, const int *which, long n, long m, long w) {
#pragma omp parallel for
  for (long t = 0; t < n; t++)
    for (long i = 0; i < m; i++)
      for (long j = 0; j < m; j++)
        b[which[t] * m + i * w + j] = 1;
}
void rows(double *c, const long *first, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (long k = first[i]; k < first[i + 1]; k++)
      c[k] = 1;
}
void others(double *d, long n, long m) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      d[2 * i * m + j] = 1;
}
void apart(double **e, const int *at, long n, long m) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      e[at[i]][j] = 1;
}
int main(int argc, char **argv) {
  long n = atol(argv[1]), m = atol(argv[2]), w = atol(argv[3]);
  double *a = malloc(n * 192);
  double *b = malloc(n * w * 8);
  double *c = malloc(n * m * 8);
  double *d = malloc(2 * n * m * 8);
  int *at = malloc(n * 4);
  long *first = malloc((n + 1) * 8);
  double **e = malloc(n * sizeof *e);
  for (long i = 0; i < n; i++) {
    at[i] = rand() % n;
    first[i] = rand() % n;
    e[i] = malloc(m * 8);
  }
  scatter(a, at, n);
  tiles(b, at, n, m, w);
  rows(c, first, n);
  others(d, n, m);
  apart(e, at, n, m);
  return a[0] + b[1] + c[2] + d[3] + e[4][5] > 1;
}

// CHECK-LABEL: {{^}}region parallel jumps.c:13:1 in tiles{{$}}
// CHECK-NEXT: {{^}}  jumps.c:13:1 malloc@jumps.c:43:13 stream(4) element 4 reads min(1, max(0, tiles:m))*share(tiles:n) writes 0 exact{{$}}
// CHECK-NEXT: {{^}}  jumps.c:17:37 malloc@jumps.c:40:15 stream(8) element 8 reads 0 writes share(tiles:n)*tiles:m*tiles:m exact{{$}}
// CHECK-NEXT: {{^}}    run tiles:m; blocks random of 8*tiles:m bytes; index malloc@jumps.c:43:13{{$}}
// CHECK-LABEL: {{^}}region parallel jumps.c:20:1 in rows{{$}}
// CHECK-NEXT: {{^}}  jumps.c:22:19 malloc@jumps.c:44:17 stream(8) element 8 reads rows:taken.22 + share(rows:n) writes 0 exact{{$}}
// CHECK-NEXT: {{^}}  jumps.c:23:12 malloc@jumps.c:41:15 stream(8) element 8 reads 0 writes rows:trip.22 exact{{$}}
// CHECK-LABEL: {{^}}region parallel jumps.c:26:1 in others{{$}}
// CHECK-NEXT: {{^}}  jumps.c:29:24 malloc@jumps.c:42:15 stream(8) element 8 reads 0 writes others:m*share(others:n) exact{{$}}
// CHECK-NEXT: {{^}}    run others:m{{$}}
// CHECK-LABEL: {{^}}region parallel jumps.c:32:1 in apart{{$}}
// CHECK-NEXT: {{^}}  jumps.c:32:1 malloc@jumps.c:45:16 random element 8 reads min(1, max(0, apart:m))*share(apart:n) writes 0 exact{{$}}
// CHECK-NEXT: {{^}}    index malloc@jumps.c:43:13{{$}}
// CHECK-NEXT: {{^}}  jumps.c:32:1 malloc@jumps.c:43:13 stream(4) element 4 reads min(1, max(0, apart:m))*share(apart:n) writes 0 exact{{$}}
// CHECK-NEXT: {{^}}  jumps.c:35:19 malloc@jumps.c:49:12 stream(8) element 8 reads 0 writes apart:m*share(apart:n) exact{{$}}
// CHECK-NEXT: {{^}}    run apart:m{{$}}
// CHECK-LABEL: {{^}}region serial jumps.c:37:0 in main{{$}}
// CHECK-LABEL: {{^}}region parallel jumps.c:7:1 in scatter{{$}}
// CHECK-NEXT: {{^}}  jumps.c:10:31 malloc@jumps.c:39:15 stream(8) element 8 reads 24*share(scatter:n) writes 24*share(scatter:n) exact{{$}}
// CHECK-NEXT: {{^}}    run 24; blocks random of 192 bytes; index malloc@jumps.c:43:13{{$}}
// CHECK-NEXT: {{^}}  jumps.c:7:1 malloc@jumps.c:43:13 stream(4) element 4 reads share(scatter:n) writes 0 exact{{$}}
// INPUTS 24 5 3 | 38 11 4
