// What reads and writes memory without being a load or a store is named.
// RUN: rm -rf %t && mkdir %t && cp %s %t/main.c && cd %t
// RUN: %clang -O2 -g -mavx2 -fpass-plugin=%ekpass -c main.c -o main.o
// RUN: %evenkeel analyze main.o --print --verify | FileCheck %s
#include <immintrin.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  long n = atol(argv[1]);
  double *a = malloc(n * sizeof *a), local[4] = {0};
  int *index = calloc(n, sizeof *index);
  __m256d sum = _mm256_setzero_pd();
  for (long i = 0; i + 4 <= n; i += 4)
    sum = _mm256_add_pd(
        sum, _mm256_i32gather_pd(a, _mm_loadu_si128((void *)(index + i)), 8));
  _mm256_storeu_pd(local, sum);
  __asm__ volatile("movq $0, (%0)" : : "r"(a) : "memory");
  __asm__ volatile("movq $0, (%0)" : : "r"(local) : "memory");
  return local[0] > 0;
}
// CHECK: main.c:11:16 stream 16 B {{.*}} 0 exact
// CHECK: inline-assembly {{ *}}1
// CHECK: intrinsic:llvm.x86.avx2.gather.d.pd.256 {{ *}}1
// CHECK: verified:
