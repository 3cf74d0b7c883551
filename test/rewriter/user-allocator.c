// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude -- -fopenmp -fno-builtin
// A program with an allocator of its own keeps it.
#include <stddef.h>
static char arena[1 << 20];
static size_t used;
void *malloc(size_t n) { return arena + (used += n); }
void free(void *p) {}
void *calloc(size_t, size_t);

void *f(size_t n) { return malloc(n); }
// CHECK-FIXES: void *f(size_t n) { return malloc(n); }
void g(void *p) { free(p); }
// CHECK-FIXES: void g(void *p) { free(p); }
// The others would mix with it.
void *h(size_t n) { return calloc(n, 8); }
// CHECK-FIXES: void *h(size_t n) { return calloc(n, 8); }

// CHECK-REPORT: 3 sites: 1 rewritten, 0 left to the run time, 2 skipped (2 user-allocator)
// CHECK-REPORT: 1 call of free: 0 rewritten, 1 skipped (1 user-allocator)
