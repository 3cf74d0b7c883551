// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --with=Inputs/mpi/mpi.h -- -std=gnu11
// The rest of the allocation family, one rule each.
#define _GNU_SOURCE
#include "Inputs/mpi/mpi.h"
#include <malloc.h>
#include <mm_malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void *a(void *p, size_t n) { return reallocarray(p, n, 8); }
// CHECK-FIXES: void *a(void *p, size_t n) { return ek_reallocarray(0x{{[0-9a-f]+}}ULL, p, n, 8); }
void *b(size_t n) { return memalign(64, n); }
// CHECK-FIXES: void *b(size_t n) { return ek_memalign(0x{{[0-9a-f]+}}ULL, 64, n); }
void *c(size_t n) { return valloc(n); }
// CHECK-FIXES: void *c(size_t n) { return ek_valloc(0x{{[0-9a-f]+}}ULL, n); }
void *d(size_t n) { return pvalloc(n); }
// CHECK-FIXES: void *d(size_t n) { return ek_pvalloc(0x{{[0-9a-f]+}}ULL, n); }
void *e(size_t n) { return _mm_malloc(n, 64); }
// CHECK-FIXES: void *e(size_t n) { return ek_mm_malloc(0x{{[0-9a-f]+}}ULL, n, 64); }
void f(void *p) { _mm_free(p); }
// CHECK-FIXES: void f(void *p) { ek_mm_free(p); }
void *g(size_t n) { return __builtin_malloc(n); }
// CHECK-FIXES: void *g(size_t n) { return ek_builtin_malloc(0x{{[0-9a-f]+}}ULL, n); }
void *h(void *p, size_t n) { return __builtin_realloc(p, n + sizeof(malloc(1))); }
// CHECK-FIXES: void *h(void *p, size_t n) { return ek_builtin_realloc(0x{{[0-9a-f]+}}ULL, p, n + sizeof(malloc(1))); }

// Anonymous mappings, and those that only the run time knows; not files.
void *i(size_t n, int flags) {
  void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  // CHECK-FIXES: void *p = ek_mmap(0x{{[0-9a-f]+}}ULL, NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(p, n);
  // CHECK-FIXES: ek_munmap(p, n);
  p = mmap(NULL, n, PROT_READ, MAP_PRIVATE, 3, 0);
  // CHECK-FIXES: p = mmap(NULL, n, PROT_READ, MAP_PRIVATE, 3, 0);
  return mmap(NULL, n, PROT_READ, flags, 3, 0);
  // CHECK-FIXES: return ek_mmap(0x{{[0-9a-f]+}}ULL, NULL, n, PROT_READ, flags, 3, 0);
}

int j(MPI_Aint n) {
  double *p;
  int rc = MPI_Alloc_mem(n * 8, MPI_INFO_NULL, &p);
  // CHECK-FIXES: int rc = ek_MPI_Alloc_mem(0x{{[0-9a-f]+}}ULL, n * 8, MPI_INFO_NULL, &p);
  return rc ? rc : MPI_Free_mem(p);
  // CHECK-FIXES: return rc ? rc : ek_MPI_Free_mem(p);
}

// Copies of strings are small.
char *k(const char *s) { return strdup(s); }
// CHECK-FIXES: char *k(const char *s) { return strdup(s); }

// Forms around calls.
void *l(int c, size_t n) { return c ? malloc(n) : calloc(n, 2); }
// CHECK-FIXES: void *l(int c, size_t n) { return c ? ek_malloc(0x{{[0-9a-f]+}}ULL, n) : ek_calloc(0x{{[0-9a-f]+}}ULL, n, 2); }
void *m(size_t n) { return ({ void *p = malloc(n); p; }); }
// CHECK-FIXES: void *m(size_t n) { return ({ void *p = ek_malloc(0x{{[0-9a-f]+}}ULL, n); p; }); }
void *o(size_t n) { return _Generic(n, size_t: malloc(n), default: malloc(1)); }
// CHECK-FIXES: void *o(size_t n) { return _Generic(n, size_t: ek_malloc(0x{{[0-9a-f]+}}ULL, n), default: malloc(1)); }
void *q(size_t n) { return _Generic(n, size_t: malloc, default: valloc)(n); }
// CHECK-FIXES: void *q(size_t n) { return _Generic(n, size_t: malloc, default: valloc)(n); }

_Static_assert(__LINE__ == 62, "line numbers stay");

// CHECK-REPORT: 17 sites: 14 rewritten, 1 left to the run time, 2 skipped (1 callee-form, 1 file-mapping)
// CHECK-REPORT: 3 calls of free: 3 rewritten, 0 skipped
