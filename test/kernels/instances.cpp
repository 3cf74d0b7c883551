// C++: one place in the source, several functions: instances of templates, in
// regions and outside, generic lambdas, overloads, and what they share.
// INPUTS 101 67 | 131 89
#include <cstdlib>
#define KERNEL __attribute__((noinline)) static void

// KERNEL two_types: exact
//   v parallel stream(4) element 4 reads calls+3*share(n~1) writes calls+3*share(n~1) exact
//   y parallel stream(8) element 8 reads calls+3~1*share(n) writes calls+3~1*share(n) exact
//   u parallel stream(4) element 4 reads calls+3*share(n~1) writes 0 exact
//   x parallel stream(8) element 8 reads calls+3~1*share(n) writes 0 exact
//   x serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
//   y serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
//   u serial stream(64) element 64 reads 0 writes ceildiv(12*m, 64) exact
//   v serial stream(64) element 64 reads 0 writes ceildiv(12*m, 64) exact
template <class T>
__attribute__((noinline)) static void add(const T *x, T *y, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    y[i] += x[i];
}
KERNEL two_types(long n, long m) {
  auto *x = new double[n]();
  auto *y = new double[n]();
  auto *u = new float[m * 3]();
  auto *v = new float[m * 3]();
  add(x, y, n);
  add(u, v, m * 3);
  delete[] x;
  delete[] y;
  delete[] u;
  delete[] v;
}

// KERNEL two_types_lists: exact
//   next parallel chase element 4 dependent reads trip+14 writes 0 exact
//   next parallel chase element 4 dependent reads trip+14~1 writes 0 exact
//   first parallel stream(4) element 4 reads calls+11*share(n) writes 0 exact
//   first parallel stream(4) element 4 reads calls+11~1*share(n~1) writes 0 exact
//   a parallel chase element 8 dependent reads trip+14 writes 0 exact
//   p parallel chase element 8 dependent reads 2*trip+14~1 writes 0 exact
//   b parallel stream(8) element 8 reads 0 writes calls+11*share(n) exact
//   q parallel strided(16) element 8 reads 0 writes 2*calls+11~1*share(n~1) exact
//   first serial stream(4) element 4 reads 0 writes n exact
//   next serial stream(4) element 4 reads 0 writes 3*n exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(24*n, 64) exact
//   b serial stream(64) element 64 reads 0 writes ceildiv(value+27.39, 64) exact
//   p serial stream(64) element 64 reads 0 writes ceildiv(48*n, 64) exact
//   q serial stream(64) element 64 reads 0 writes ceildiv(16*n, 64) exact
struct Pair {
  double x, y;
  void operator+=(Pair o) {
    x += o.x;
    y += o.y;
  }
};
template <class T>
__attribute__((noinline)) static void
sumLists(const T *of, T *to, const int *first, const int *next, long n) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; i++) {
    T s = T();
    for (int c = first[i]; c >= 0; c = next[c])
      s += of[c];
    to[i] = s;
  }
}
KERNEL two_types_lists(long n) {
  int *first = new int[n], *next = new int[3 * n];
  for (long i = 0; i < n; i++) {
    first[i] = i;
    next[i] = i % 3 ? i + n : -1;
    next[n + i] = i % 2 ? i + 2 * n : -1;
    next[2 * n + i] = -1;
  }
  auto *a = new double[3 * n](), *b = new double[n]();
  auto *p = new Pair[3 * n](), *q = new Pair[n]();
  sumLists(a, b, first, next, n);
  sumLists(p, q, first, next, n);
  delete[] first;
  delete[] next;
  delete[] a;
  delete[] b;
  delete[] p;
  delete[] q;
}

// KERNEL generic_lambda: exact
//   y parallel stream(4) element 4 reads 0 writes calls+3~1*share(k) exact
//   x parallel stream(8) element 8 reads 0 writes calls+3*share(k~1) exact
KERNEL generic_lambda(long n, long m) {
  auto fill = [](auto *x, long k) {
#pragma omp parallel for
    for (long i = 0; i < k; i++)
      x[i] = i;
  };
  auto *x = new double[n];
  auto *y = new float[m * 3];
  fill(x, n);
  fill(y, m * 3);
  delete[] x;
  delete[] y;
}

// KERNEL template_tasks: exact
//   y task stream(4) element 4 reads calls+5~1*n~1 writes calls+5~1*n~1 exact
//   x task stream(8) element 8 reads calls+5*n writes calls+5*n exact
//   x serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
//   y serial stream(64) element 64 reads 0 writes ceildiv(12*m, 64) exact
template <class T> static void each(T *x, long n) {
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < 5; i++) {
#pragma omp task
    for (long j = 0; j < n; j++)
      x[j] += i;
#pragma omp taskwait
  }
}
KERNEL template_tasks(long n, long m) {
  auto *x = new double[n]();
  auto *y = new float[m * 3]();
  each(x, n);
  each(y, m * 3);
  delete[] x;
  delete[] y;
}

// KERNEL template_serial: exact
//   y serial stream(4) element 4 reads n~1 writes 0 exact
//   x serial stream(8) element 8 reads n writes 0 exact
//   x serial invariant element 8 reads 0 writes 1 exact
//   y serial invariant element 4 reads 0 writes 1 exact
template <class T>
__attribute__((noinline)) static double sum(const T *x, long n) {
  double s = 0;
  for (long i = 0; i < n; i++)
    s += x[i];
  return s;
}
KERNEL template_serial(long n, long m, double *out) {
  auto *x = new double[n];
  auto *y = new float[m * 3];
  x[0] = y[0] = 1;
  *out += sum(x, n) + sum(y, m * 3);
  delete[] x;
  delete[] y;
}

// A task of one instance calls what tasks of the other call, too.
// KERNEL shared_helper: exact
//   next parallel chase element 4 dependent reads calls+8*trip+3 writes 0 exact
//   next parallel chase element 4 dependent reads calls+8~1*trip+3 writes 0 exact
//   y parallel stream(4) element 4 reads 0 writes calls+8*share(n) exact
//   x parallel stream(8) element 8 reads 0 writes calls+8~1*share(n~1) exact
//   next serial stream(4) element 4 reads 0 writes n exact
__attribute__((noinline)) static long stepsFrom(const int *next, long i) {
  long steps = 0;
  for (; next[i] >= 0; i = next[i])
    steps++;
  return steps;
}
template <class T> static void countSteps(const int *next, T *to, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    to[i] = stepsFrom(next, i);
}
KERNEL shared_helper(long n) {
  int *next = new int[n];
  for (long i = 0; i < n; i++)
    next[i] = i % 5 ? i - 1 : -1;
  auto *x = new double[n];
  auto *y = new float[n];
  countSteps(next, x, n / 2);
  countSteps(next, y, n);
  delete[] next;
  delete[] x;
  delete[] y;
}

// Inlined into both instances from one line.
// KERNEL helper_inside: exact
//   next serial chase element 4 dependent reads trip+2 + trip+2~1 writes 0 exact
//   y serial stream(4) element 4 reads 0 writes n~1 exact
//   x serial stream(8) element 8 reads 0 writes n exact
//   next serial stream(4) element 4 reads 0 writes n exact
static long endOf(const int *next, long i) {
  while (next[i] >= 0)
    i = next[i];
  return i;
}
template <class T>
__attribute__((noinline)) static void ends(const int *next, T *to, long n) {
  for (long i = 0; i < n; i++)
    to[i] = endOf(next, i);
}
KERNEL helper_inside(long n) {
  int *next = new int[n];
  for (long i = 0; i < n; i++)
    next[i] = i % 7 ? i - 1 : -1;
  auto *x = new double[n];
  auto *y = new float[n];
  ends(next, x, n / 2);
  ends(next, y, n);
  delete[] next;
  delete[] x;
  delete[] y;
}

// KERNEL overloads: exact
//   x serial stream(8) element 8 reads 0 writes n exact
//   y serial stream(-4) element 4 reads 0 writes n~1 exact
__attribute__((noinline)) static void set(double *x, long n) {
  for (long i = 0; i < n; i++)
    x[i] = i;
}
__attribute__((noinline)) static void set(float *x, long n) {
  for (long i = n - 1; i >= 0; i--)
    x[i] = i;
}
KERNEL overloads(long n, long m) {
  auto *x = new double[n];
  auto *y = new float[m * 3];
  set(x, n);
  set(y, m * 3);
  delete[] x;
  delete[] y;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  double out = 0;
  two_types(n, m);
  two_types_lists(n);
  generic_lambda(n, m);
  template_tasks(n, m);
  template_serial(n, m, &out);
  shared_helper(n);
  helper_inside(n);
  overloads(n, m);
  return out < 0;
}
