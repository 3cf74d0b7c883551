// Calls that may throw: what lies behind them, what runs as they throw, and
// ends that no sound run comes to.
// INPUTS 101 67 | 131 89
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <stdexcept>
#include <vector>
#define KERNEL __attribute__((noinline)) static void

// KERNEL shared_rows: exact
//   rows serial invariant element 8 reads taken+8 + 1 writes 1 conditional taken+8 exact
//   rows serial stream(64) element 64 reads 0 writes 4 exact
//   rows serial stream(8) element 8 reads 31*min(1, max(0, m)) + 31 writes 31 exact
//   rows[i] serial stream(64) element 64 reads 0 writes 31*ceildiv(8*m, 64) exact
//   rows[i] serial stream(8) element 8 reads 31*m writes 31*m exact
//   rows serial stream(-8) element 8 reads taken+8*value+8.1 + value+8.1#1 writes taken+8*value+8.1 + value+8.1#1 conditional 2*taken+8*value+8.1 exact
KERNEL shared_rows(long n, long m) {
  auto rows = std::make_unique<std::unique_ptr<double[]>[]>(31);
  for (int i = 0; i < 31; i++)
    rows[i] = std::make_unique<double[]>(m);
  for (int i = 0; i < 31; i++)
    for (long j = 0; j < m; j++)
      rows[i][j] += n;
}

// KERNEL deque_push: removed EarlyCSEPass,IPSCCPPass
//   d serial invariant element 8 reads 1 writes 0 exact
//   d serial stream(8) element 8 reads trip+2#1 writes 1 conditional trip+2#1 exact
//   d,push_back serial random element 8 reads taken+1 + trip+5 writes taken+4#8 conditional taken+1 + taken+4#8 exact why computed-index
//   d,push_back serial stream(64) element 64 reads lines+4#1 + lines+4#3 + lines+4#5 writes lines+4 + lines+4#2 conditional lines+4 + lines+4#1 + lines+4#2 + lines+4#3 + lines+4#5 exact
//   d,push_back serial stream(8) element 8 reads 0 writes taken+4 + taken+4#8 conditional taken+4 + taken+4#8 exact why new-blocks
//   push_back serial stream(64) element 64 reads 0 writes lines+4#4 conditional lines+4#4 exact
//   d,push_back serial stream(8) element 8 reads taken+7 writes 0 conditional taken+7 exact why conditional-step
//   d,push_back serial stream(8) element 8 reads (elements+9.1 + 1)*taken+9 + (elements+9.1#1 + 1)*taken+9#1 writes 0 conditional (elements+9.1 + 1)*taken+9 + (elements+9.1#1 + 1)*taken+9#1 exact
KERNEL deque_push(long n, double *out) {
  std::deque<double> d;
  for (long i = 0; i < n; i++)
    d.push_back(i);
  while (!d.empty()) {
    *out += d.front();
    d.pop_front();
  }
}

__attribute__((noinline)) static void checked(long i) {
  if (i % 5 == 4)
    throw i;
  asm volatile("");
}
// KERNEL caught: exact
//   a serial stream(8) element 8 reads taken+7 writes taken+7 conditional 2*taken+7 exact
//   b serial random element 8 reads taken+13#1 writes taken+13#1 conditional 2*taken+13#1 exact
KERNEL caught(long n) {
  double *a = (double *)calloc(n, 8);
  double *b = (double *)calloc(n, 8);
  for (long i = 0; i < n; i++)
    try {
      checked(i);
      a[i] += 1;
    } catch (long at) {
      b[at] += 1;
    }
  free(a);
  free(b);
}

__attribute__((noinline)) static void sound(long i) {
  if (i < 0)
    throw std::runtime_error("negative");
  asm volatile("");
}
// KERNEL handed_on: exact
//   v serial invariant element 8 reads 1 writes 1 exact
//   v serial stream(64) element 64 reads 0 writes max(0, min(8*n - 8, ceildiv(8*n, 64))) exact
//   v serial stream(8) element 8 reads n writes n exact
KERNEL handed_on(long n, double *out) {
  std::vector<double> v(n);
  for (long i = 0; i < n; i++) {
    sound(i);
    v[i] += 1;
  }
  *out += v[n - 1];
}

// KERNEL reported: exact
//   b serial stream(8) element 8 reads n writes 0 exact
//   a serial invariant element 8 reads 2*taken+6 + 1 writes 0 conditional 2*taken+6 exact
//   a serial stream(8) element 8 reads 0 writes n exact
KERNEL reported(long n, double *out) {
  double *a = (double *)calloc(n, 8);
  double *b = (double *)calloc(n, 8);
  for (long i = 0; i < n; i++) {
    if (b[i] < 0) {
      fprintf(stderr, "%g %g\n", a[i], a[n - 1]);
      abort();
    }
    a[i] = b[i] + 1;
  }
  *out += a[n - 1];
  free(a);
  free(b);
}

// KERNEL at_bounds: exact
//   v serial invariant element 8 reads 0 writes min(1, max(-n, n)) exact
//   v serial stream(64) element 64 reads 0 writes max(0, min(8*n - 8, ceildiv(8*n, 64))) exact
//   v serial stream(8) element 8 reads min(elements+1.0, m)*taken+3 writes min(elements+1.0, m)*taken+3 conditional 2*min(elements+1.0, m)*taken+3 exact
KERNEL at_bounds(long n, long m) {
  std::vector<double> v(n);
  for (long i = 0; i < m; i++)
    v.at(i) += 1;
}

// KERNEL thrown_by_callee: bound may-jump-out
//   a serial stream(8) element 8 reads n*trip+14 writes n*trip+14 bound why may-jump-out
__attribute__((noinline)) static void thrown_at(long i, long stop) {
  if (i == stop)
    throw std::runtime_error("stop");
}
__attribute__((noinline)) static void thrown_loop(double *a, long n,
                                                  long stop) {
  for (long i = 0; i < n; i++) {
    thrown_at(i, stop);
    a[i] += 1;
  }
}
KERNEL thrown_by_callee(long n) {
  double *a = (double *)calloc(n, 8);
  for (long stop : {n / 2, 2 * n})
    try {
      thrown_loop(a, n, stop);
    } catch (std::exception &) {
    }
  free(a);
}

// KERNEL behind_throw: bound may-jump-out
//   a serial stream(8) element 8 reads 12*n writes 12*n bound why may-jump-out
__attribute__((noinline)) static void behind_throw_loops(double *a, long n,
                                                         long k) {
  for (long i = 0; i < n; i++)
    a[i] += 1;
  thrown_at(k, 3);
  for (long i = 0; i < n; i++)
    a[i] += 1;
}
KERNEL behind_throw(long n) {
  double *a = (double *)calloc(n, 8);
  for (long k = 0; k < 6; k++)
    try {
      behind_throw_loops(a, n, k);
    } catch (...) {
    }
  free(a);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  double out = 0;
  shared_rows(n, m);
  deque_push(n, &out);
  caught(n);
  handed_on(n, &out);
  reported(n, &out);
  at_bounds(n, m);
  thrown_by_callee(n);
  behind_throw(n);
  return out < 0;
}
