// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --run=%eklib -- -std=c++17
// Qualified names in the bodies of macros.
#include <cstdio>
#include <cstdlib>
#include <new>
#define STD(T, n) static_cast<T *>(std::malloc(sizeof(T) * (n)))
#define GLOBAL(T, n) static_cast<T *>(::malloc(sizeof(T) * (n)))
#define BOTH(T, n) static_cast<T *>(::std::calloc((n), sizeof(T)))
#define AGAIN(p, T, n) static_cast<T *>(std :: realloc(p, sizeof(T) * (n)))
#define ALIGNED(T, n) static_cast<T *>(std::aligned_alloc(64, sizeof(T) * (n)))
#define NAME std::malloc
#define GIVE return ::malloc
#define TWO(a, b, n)                                                           \
  do {                                                                         \
    std::free(a);                                                              \
    a = static_cast<double *>(std::malloc(n));                                 \
    b = static_cast<double *>(std::calloc(n, 2));                              \
  } while (0)
#define FREE(p) std::free(p)
#define RAW(n) ::operator new(n)

template <class T> T *fill(T n) { return GLOBAL(T, n); }
// CHECK-FIXES: template <class T> T *fill(T n) { return static_cast<T *>(ek_malloc(0x{{[0-9a-f]+}}ULL, sizeof(T) * (n))); }
static void *give(std::size_t n) { GIVE(n); }
// CHECK-FIXES: static void *give(std::size_t n) { return ek_malloc(0x{{[0-9a-f]+}}ULL, n); }

int main() {
  double *a = STD(double, 3), *b = GLOBAL(double, 4);
  // CHECK-FIXES: double *a = static_cast<double *>(ek_malloc(0x{{[0-9a-f]+}}ULL, sizeof(double) * (3))), *b = static_cast<double *>(ek_malloc(0x{{[0-9a-f]+}}ULL, sizeof(double) * (4)));
  double *c = BOTH(double, 5);
  // CHECK-FIXES: double *c = static_cast<double *>(ek_calloc(0x{{[0-9a-f]+}}ULL, (5), sizeof(double)));
  c = AGAIN(c, double, 6);
  // CHECK-FIXES: c = static_cast<double *>(ek_realloc(0x{{[0-9a-f]+}}ULL, c, sizeof(double) * (6)));
  double *d = ALIGNED(double, 8);
  // CHECK-FIXES: double *d = static_cast<double *>(ek_aligned_alloc(0x{{[0-9a-f]+}}ULL, 64, sizeof(double) * (8)));
  void *e = NAME(3);
  // CHECK-FIXES: void *e = ek_malloc(0x{{[0-9a-f]+}}ULL, 3);
  TWO(a, b, 80);
  // CHECK-FIXES: do { ek_free(a); a = static_cast<double *>(ek_malloc(0x{{[0-9a-f]+}}ULL, 80)); b = static_cast<double *>(ek_calloc(0x{{[0-9a-f]+}}ULL, 80, 2)); } while (0);
  FREE(e);
  // CHECK-FIXES: FREE(e);
  e = RAW(3);
  // CHECK-FIXES: e = RAW(3);
  long *f = fill(3L);
  f[2] = 7;
  a[1] = 1;
  std::printf("%g %ld %d\n", a[1], f[2], b && c && d && give(3));
  return 0;
}
// CHECK-REPORT: 11 sites: 10 rewritten, 0 left to the run time, 1 skipped (1 macro-body)
// CHECK-REPORT: 2 calls of free: 1 rewritten, 1 skipped (1 macro-body)
