/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels that differ in how far their misses overlap, each over an array of
 * its own: a stream, a gather of single elements, one of short runs, a chase,
 * and a stencil of rows. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t next(uint64_t *s) {
  *s ^= *s << 13, *s ^= *s >> 7, *s ^= *s << 17;
  return *s;
}

int main(int argc, char **argv) {
  const long n = argc > 1 ? atol(argv[1]) : 1 << 21, w = 1024, h = n / w;
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b),
         *c = malloc(n * sizeof *c), *d = malloc(n * sizeof *d),
         *e = malloc(n * sizeof *e);
  int *index = malloc(n / 4 * sizeof *index);
  long *chain = malloc(n * sizeof *chain);
  uint64_t s = 88172645463325252u;
  double sum = 0;
  for (long i = 0; i < n / 4; i++)
    index[i] = (int)(next(&s) % (uint64_t)(n - 16));
  for (long i = 0; i < n; i++)
    chain[i] = (i * 40503 + 12345) & (n - 1);
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; i++)
    a[i] = b[i] = c[i] = d[i] = e[i] = (double)(i & 15);
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (long i = 0; i < n; i++)
    sum += a[i];
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (long i = 0; i < n / 4; i++)
    sum += b[index[i]];
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (long i = 0; i < n / 16; i++)
    for (int k = 0; k < 12; k++)
      sum += c[index[i] + k];
#pragma omp parallel reduction(+ : sum)
  {
    long at = 1;
    for (long i = 0; i < n / 32; i++)
      at = chain[at];
    sum += (double)at;
  }
#pragma omp parallel for schedule(static)
  for (long y = 1; y < h - 1; y++)
    for (long x = 1; x < w - 1; x++)
      e[y * w + x] = d[y * w + x] + d[y * w + x - 1] + d[y * w + x + 1] +
                     d[(y - 1) * w + x] + d[(y + 1) * w + x];
  printf("%f\n", sum + e[n / 2]);
}
