// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude -- -fopenmp
// Each allocation function gets its id, and nothing else in the call changes.
#include <stdlib.h>
// CHECK-FIXES: #include <evenkeel/ek.h>
// CHECK-FIXES-NEXT: #line 4 "malloc-family.c"

void *one(size_t n) { return malloc(n * sizeof(double)); }
// CHECK-FIXES: void *one(size_t n) { return ek_malloc(0x{{[0-9a-f]+}}ULL, n * sizeof(double)); }

void *two(size_t n) { return (double *)calloc (n /* of them */, sizeof(double)); }
// CHECK-FIXES: void *two(size_t n) { return (double *)ek_calloc (0x{{[0-9a-f]+}}ULL, n /* of them */, sizeof(double)); }

void *three(void *p, size_t n) { return realloc(p, n); }
// CHECK-FIXES: void *three(void *p, size_t n) { return ek_realloc(0x{{[0-9a-f]+}}ULL, p, n); }

void *four(size_t n) { return aligned_alloc(64, n); }
// CHECK-FIXES: void *four(size_t n) { return ek_aligned_alloc(0x{{[0-9a-f]+}}ULL, 64, n); }

int five(void **p, size_t n) { return posix_memalign(p, 64, n); }
// CHECK-FIXES: int five(void **p, size_t n) { return ek_posix_memalign(0x{{[0-9a-f]+}}ULL, p, 64, n); }

// Calls within calls, and calls over several lines.
void *six(void *p, size_t n) {
  return realloc(malloc(n),
                 n);
  // CHECK-FIXES: return ek_realloc(0x{{[0-9a-f]+}}ULL, ek_malloc(0x{{[0-9a-f]+}}ULL, n),
  // CHECK-FIXES-NEXT: n);
}

// Not evaluated, so it allocates nothing.
size_t seven = sizeof(malloc(3));
// CHECK-FIXES: size_t seven = sizeof(malloc(3));

void *parenthesised(size_t n) { return (malloc)(n); }
// CHECK-FIXES: void *parenthesised(size_t n) { return ek_malloc(0x{{[0-9a-f]+}}ULL, n); }

void given_back(void *p) { free(p); }
// CHECK-FIXES: void given_back(void *p) { ek_free(p); }

_Static_assert(__LINE__ == 40, "line numbers stay");

// CHECK-REPORT: 8 sites: 8 rewritten, 0 left to the run time, 0 skipped
// CHECK-REPORT: 0 sync points: 0 hooked, 0 skipped
// CHECK-REPORT: 1 call of free: 1 rewritten, 0 skipped
