// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each phase gathers from another array, somewhat larger than the caches: what
// these held of the last one is of no use.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ARRAYS = 6, BYTES = 4 << 20, LOADS = 1 << 20 };

static uint64_t gather(const uint64_t *a, uint64_t n) {
  uint64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
#pragma omp for schedule(static)
    for (long i = 0; i < LOADS; i++) {
      const uint64_t at = (uint64_t)i * 6364136223846793005u;
      sum += a[(at >> 33) % n];
    }
  }
  return sum;
}

int main(void) {
  uint64_t all = 0;
  for (uint64_t k = 0; k < ARRAYS; k++) {
    const uint64_t n = (BYTES + k * 65536) / sizeof(uint64_t);
    uint64_t *a = malloc(n * sizeof *a);
    for (uint64_t i = 0; i < n; i++)
      a[i] = i * 3;
    all += gather(a, n);
    free(a);
  }
  printf("%llu\n", (unsigned long long)all);
  return 0;
}
