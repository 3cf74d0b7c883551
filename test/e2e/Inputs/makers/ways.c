// Wrappers behind macros and pointers, many deep, and in the bodies of
// directives.
#include <stdio.h>
#include <stdlib.h>
static void *xmalloc(size_t n) {
  void *p = malloc(n);
  if (!p)
    exit(1);
  return p;
}
static int need(void **p, size_t n) { return posix_memalign(p, 64, n); }
#define ALLOC(T, n) ((T *)xmalloc((n) * sizeof(T)))
#define ALLOC2(a, b)                                                           \
  do {                                                                         \
    a = ALLOC(double, n);                                                      \
    b = ALLOC(double, n);                                                      \
  } while (0)
#define NEED(p)                                                                \
  if (need((void **)&(p), n * sizeof *(p)))                                    \
  exit(1)
struct ops {
  void *(*get)(size_t);
};
static void *get(size_t n) {
  void *p = malloc(n);
  return p ? p : (abort(), p);
}
static const struct ops std_ops = {get};
static double *of(const struct ops *o, long n) {
  return (double *)o->get(n * 8);
}
static void *l0(size_t n) { return malloc(n); }
static void *l1(size_t n) { return l0(n); }
static void *l2(size_t n) { return l1(n); }
static void *l3(size_t n) { return l2(n); }
static void *l4(size_t n) { return l3(n); }
static double touch(double *p, long n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (long i = 0; i < n; i++)
    s += p[i] = (double)i;
  return s;
}
int main(int argc, char **argv) {
  long n = atol(argv[1]);
  double *a, *b, *c, *d, s = 0;
  const struct ops *o = &std_ops;
  if (argc > 2) {
    double *e = ALLOC(double, n), *f = of(o, n), *g = l4(n * 8), *h;
    NEED(h);
    s += touch(e, n) + touch(f, n) + touch(g, n) + touch(h, n);
  }
  a = ALLOC(double, n);
  s += touch(a, n);
  ALLOC2(b, c);
  s += touch(b, n) + touch(c, n);
  NEED(d);
  s += touch(d, n);
  a = of(o, n);
  b = of(o, n);
  s += touch(a, n) + touch(b, n);
  a = l4(n * 8);
  b = l4(n * 8);
  s += touch(a, n) + touch(b, n);
#pragma omp parallel num_threads(1)
  {
#pragma omp single
    c = xmalloc(n * 8);
#pragma omp master
    d = xmalloc(n * 8);
  }
  s += touch(c, n) + touch(d, n);
  printf("%g\n", s);
}
