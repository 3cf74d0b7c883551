// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --run=%eklib -- -std=gnu11
// Calls of wrappers that the body of a macro supplies are written out where the
// macro is used, several of one use together, with allocations beside them.
#include <stdio.h>
#include <stdlib.h>
static void *xmalloc(size_t n) {
  void *p = malloc(n);
  if (!p)
    exit(1);
  return p;
}
static void *at(size_t n, const char *file, int line) { return file && line ? malloc(n) : 0; }
static int need(void **p, size_t n) { return (*p = malloc(n)) == 0; }
struct pool {
  void *(*get)(size_t n);
};
#define ALLOC(T, n) ((T *)xmalloc((n) * sizeof(T)))
#define PAIR(a, b)                                                             \
  do {                                                                         \
    a = ALLOC(double, n);                                                      \
    b = ALLOC(double, 2 * n);                                                  \
  } while (0)
#define NEED(p)                                                                \
  if (need((void **)&(p), n * sizeof *(p)))                                    \
  exit(2)
#define TRACED(n) at(n, __FILE__, __LINE__)
#define BOTH(a, b, n) (a = malloc(n), b = xmalloc(n))
#define FROM(p, n) ((p)->get((n) + 1))
#define xcalloc(n) (1 ? xcalloc(n) : 0)
static void *(xcalloc)(size_t n) { return calloc(n, 1); }
#define SHOWN(x) (puts(#x), (x))

int main(void) {
  size_t n = 10000;
  double *a, *b, *c, *d;
  struct pool pool = {xmalloc}, *p = &pool;
  a = ALLOC(double, n + 1);
  // CHECK-FIXES: a = ((double *)ek_leave(0x[[A:[0-9a-f]+]]ULL, (ek_enter(0x[[A]]ULL), xmalloc((n + 1) * sizeof(double)))));
  PAIR(b, c);
  // CHECK-FIXES: do { b = ((double *)ek_leave(0x[[B:[0-9a-f]+]]ULL, (ek_enter(0x[[B]]ULL), xmalloc((n) * sizeof(double))))); c = ((double *)ek_leave(0x[[B]]ULL, (ek_enter(0x[[B]]ULL), xmalloc((2 * n) * sizeof(double))))); } while (0);
  NEED(d);
  // CHECK-FIXES: if (ek_leave_number(0x[[D:[0-9a-f]+]]ULL, (ek_enter(0x[[D]]ULL), need((void **)&(d), n * sizeof *(d))))) exit(2);
  d[0] = a[0] = b[0] = c[0] = 1;
  void *e = TRACED(n), *f, *g;
  // CHECK-FIXES: void *e = ek_leave({{.*}}, TRACED(n))), *f, *g;
  BOTH(f, g, 100000);
  // CHECK-FIXES: (f = ek_malloc(0x{{[0-9a-f]+}}ULL, 100000), g = ek_leave({{.*}}, xmalloc(100000))));
  void *h = FROM(p, n);
  // CHECK-FIXES: void *h = (ek_leave({{.*}}, (p)->get((n) + 1))));
  // What names itself, is shown, or has another edit in its arguments stays.
  void *i = xcalloc(n), *j = SHOWN(ALLOC(int, 3));
  // CHECK-FIXES: void *i = xcalloc(n), *j = SHOWN(ALLOC(int, 3));
  double *k = ALLOC(double, d ? ALLOC(double, 4)[0] * 0 + 3 : 5);
  // CHECK-FIXES: double *k = ALLOC(double, d ? ALLOC(double, 4)[0] * 0 + 3 : 5);
  printf("%g %d\n", a[0] + b[0] + c[0] + d[0], e && f && g && h && i && j && k);
  return 0;
}

_Static_assert(__LINE__ == 59, "line numbers stay");
