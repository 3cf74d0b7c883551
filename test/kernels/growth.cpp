// C++ idioms: containers of containers, views, lambdas, OpenMP over them.
// INPUTS 101 67 | 131 89
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <deque>
#include <list>
#include <memory>
#include <numeric>
#include <string>
#include <unordered_map>
#include <valarray>
#include <vector>

#define KERNEL __attribute__((noinline)) static void

// KERNEL vector_of_vectors: exact
//   a serial stream(64) element 64 reads 0 writes lines+2 + sum(i < 31: min(24, ceildiv(24*i + 24, 64) - floordiv(24*i, 64))) exact
//   a serial strided(24) element 8 reads 2*trip+3 + taken+2#1 + taken+6 + trip+2#1 + trip+6 writes 124 conditional taken+2#1 + taken+6 + trip+2#1 exact
//   std serial invariant element 8 reads 0 writes min(1, max(-m, m)) exact
//   std serial stream(64) element 64 reads lines+2#1 writes max(0, min(8*m - 8, ceildiv(8*m, 64))) exact
//   a serial stream(8) element 8 reads trip+4 writes trip+4 exact
KERNEL vector_of_vectors(long n, long m) {
  std::vector<std::vector<double>> a(31, std::vector<double>(m));
  for (auto &row : a)
    for (double &x : row)
      x += n;
}

// KERNEL vov_index: exact
//   a serial stream(64) element 64 reads 0 writes 12 exact
//   resize serial random element 8 reads 0 writes taken+4#1 + taken+4#2 conditional taken+4#1 + taken+4#2 index a exact
//   resize serial stream(64) element 64 reads lines+4#3 writes lines+4 + lines+4#1 conditional lines+4 + lines+4#1 + lines+4#3 blocks random index a exact
//   resize serial stream(64) element 64 reads 0 writes lines+4#2 conditional lines+4#2 exact
//   a serial strided(24) element 8 reads 31*min(1, max(0, m)) + 31*taken+8 + taken+4 + taken+8#1 + taken+8#2 + 93 writes 3*taken+4#2 + taken+4#1 + taken+4#5 conditional 3*taken+4#2 + 31*taken+8 + taken+4 + taken+4#1 + taken+4#5 + taken+8#1 + taken+8#2 exact
//   resize serial stream(8) element 8 reads 31*m writes 31*m exact
KERNEL vov_index(long n, long m) {
  std::vector<std::vector<double>> a(31);
  for (long i = 0; i < 31; i++)
    a[i].resize(m);
  for (long i = 0; i < 31; i++)
    for (long j = 0; j < m; j++)
      a[i][j] += n;
}

// KERNEL deque_sum: exact
//   d serial invariant element 8 reads 1 writes floordiv(n - 1, 64) - floordiv(n, 64) + 1 exact
//   d serial stream(64) element 64 reads 0 writes 8*floordiv(n, 64) blocks random of 512 bytes index d exact
//   d serial stream(8) element 8 reads floordiv(n, 64) + trip+2#1 + trip+5 + 1 writes trip+2 conditional trip+2#1 exact
//   d serial stream(64) element 64 reads 0 writes max(0, min(8*n - 512*floordiv(n, 64) - 8, ceildiv(8*n - 512*floordiv(n, 64), 64))) exact
//   d serial stream(8) element 8 reads taken+3 writes 0 conditional taken+3 exact why conditional-step
//   d serial stream(8) element 8 reads trip+3 writes 0 exact why new-blocks
KERNEL deque_sum(long n, double *out) {
  std::deque<double> d(n);
  for (double x : d)
    *out += x;
}

// KERNEL list_walk: bound may-be-elsewhere
//   l serial chase element 8 dependent reads 2*trip+3 + trip+2#1 + trip+5 writes 0 conditional trip+2#1 bound why may-be-elsewhere
//   l serial strided element 8 reads 0 writes 57 exact why fresh-object
KERNEL list_walk(double *out) {
  std::list<double> l(57, 1.0);
  for (double x : l)
    *out += x;
}

// KERNEL array_heap: exact
//   a serial stream(64) element 64 reads 0 writes 8 exact
//   a serial stream(8) element 8 reads 57 writes 57 exact
KERNEL array_heap(long n) {
  auto a = std::make_unique<std::array<double, 57>>();
  for (double &x : *a)
    x += n;
}

// KERNEL valarray_axpy: exact
//   x serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
//   y serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
//   x serial stream(8) element 8 reads n writes 0 exact
//   y serial stream(8) element 8 reads n writes n exact
KERNEL valarray_axpy(long n) {
  std::valarray<double> x(n), y(n);
  y += 2.0 * x;
}

// KERNEL matrix_view: exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*m*n, 64) exact
//   a serial stream(8) element 8 reads m*n writes m*n exact
//   a serial strided(8*m) element 8 reads m*n writes m*n exact
template <class T> struct View {
  T *P;
  long N[2], S[2];
  T &operator()(long i, long j) const { return P[i * S[0] + j * S[1]]; }
};
KERNEL matrix_view(long n, long m) {
  double *a = new double[n * m]();
  View<double> v{a, {n, m}, {m, 1}}, t{a, {m, n}, {1, m}};
  for (long i = 0; i < v.N[0]; i++)
    for (long j = 0; j < v.N[1]; j++)
      v(i, j) += 1;
  for (long i = 0; i < t.N[0]; i++)
    for (long j = 0; j < t.N[1]; j++)
      t(i, j) *= 2;
  delete[] a;
}

// KERNEL strided_view: exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(16*n, 64) exact
//   a serial strided(16) element 4 reads n writes n exact
KERNEL strided_view(long n) {
  float *a = new float[4 * n]();
  struct It {
    float *p;
    long s;
    It &operator++() {
      p += s;
      return *this;
    }
    float &operator*() { return *p; }
    bool operator!=(const It &o) const { return p != o.p; }
  };
  for (It i{a, 4}, e{a + 4 * n, 4}; i != e; ++i)
    *i += 1;
  delete[] a;
}

// KERNEL nested_lambda: exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*m*n, 64) exact
//   a serial stream(8) element 8 reads m*n writes m*n exact
KERNEL nested_lambda(long n, long m) {
  double *a = new double[n * m]();
  auto each = [](long k, auto f) {
    for (long i = 0; i < k; i++)
      f(i);
  };
  each(n, [&](long i) { each(m, [&](long j) { a[i * m + j] += 1; }); });
  delete[] a;
}

// KERNEL atomic_array: exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
//   a parallel stream(8) element 8 reads share(n) writes share(n) atomics share(n) exact
KERNEL atomic_array(long n) {
  auto *a = new std::atomic<long>[n]();
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i].fetch_add(1, std::memory_order_relaxed);
  delete[] a;
}

// KERNEL cas_max: exact
//   a serial stream(64) element 64 reads 0 writes 4 exact
//   a serial stream(8) element 8 reads n + trip+5 writes trip+5 atomics trip+5 exact
KERNEL cas_max(long n) {
  auto *a = new std::atomic<long>[29]();
  for (long i = 0; i < n; i++) {
    long old = a[i % 29].load();
    while (old < i && !a[i % 29].compare_exchange_weak(old, i))
      ;
  }
  delete[] a;
}

// KERNEL accumulate: exact
//   v serial stream(8) element 8 reads n writes n exact
KERNEL accumulate(long n, double *out) {
  std::vector<double> v(n, 1.0);
  *out += std::accumulate(v.begin(), v.end(), 0.0);
}

// KERNEL iota_erase: exact
//   v serial invariant element 8 reads taken+4#3 + taken+4#4 + taken+4#5 writes min(1, max(-n, n)) conditional taken+4#3 + taken+4#4 + taken+4#5 exact
//   v serial stream(64) element 64 reads 0 writes max(0, min(8*n - 8, ceildiv(8*n, 64))) exact
//   v serial stream(8) element 8 reads elements+4.11*taken+4#6 writes elements+3.3*min(1, max(-n, n)) conditional elements+4.11*taken+4#6 exact
//   v serial stream(8) element 8 reads 0 writes taken+4#7 conditional taken+4#7 exact why conditional-step
//   v serial strided(32) element 8 reads taken+4 + taken+4#1 + taken+4#2 + trip+4 writes 0 exact
KERNEL iota_erase(long n) {
  std::vector<long> v(n);
  std::iota(v.begin(), v.end(), 0);
  v.erase(std::remove_if(v.begin(), v.end(), [](long x) { return x % 3; }),
          v.end());
}

// KERNEL class_loop: exact
//   A serial invariant element 8 reads 0 writes min(1, max(-m*n, m*n)) exact
//   A serial stream(64) element 64 reads 0 writes max(0, min(8*m*n - 8, ceildiv(8*m*n, 64))) exact
//   A parallel stream(8) element 8 reads max(0, this->Ny - 2)*share(this->Nx - 2) writes max(0, this->Ny - 2)*share(this->Nx - 2) exact
struct Field {
  long Nx, Ny;
  std::vector<double> A;
  Field(long X, long Y) : Nx(X), Ny(Y), A(X * Y) {}
  double &at(long i, long j) { return A[i * Ny + j]; }
  __attribute__((noinline)) void sweep() {
#pragma omp parallel for
    for (long i = 1; i < Nx - 1; i++)
      for (long j = 1; j < Ny - 1; j++)
        at(i, j) += 1;
  }
};
KERNEL class_loop(long n, long m) {
  Field f(n, m);
  for (int t = 0; t < 4; t++)
    f.sweep();
}

// KERNEL taskloop_cpp: exact
//   v serial invariant element 8 reads 0 writes min(1, max(-n, n)) exact
//   v serial stream(64) element 64 reads 0 writes max(0, min(8*n - 8, ceildiv(8*n, 64))) exact
//   v task stream(8) element 8 reads share(n) writes share(n) exact
KERNEL taskloop_cpp(long n) {
  std::vector<double> v(n);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop num_tasks(7)
  for (long i = 0; i < n; i++)
    v[i] += 1;
}

// KERNEL sections_cpp: exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
//   b serial stream(64) element 64 reads 0 writes ceildiv(8*m, 64) exact
//   a parallel stream(8) element 8 reads n*taken+6 writes n*taken+6 conditional 2*n*taken+6 exact
//   b parallel stream(8) element 8 reads m*taken+9 writes m*taken+9 conditional 2*m*taken+9 exact
KERNEL sections_cpp(long n, long m) {
  double *a = new double[n](), *b = new double[m]();
#pragma omp parallel sections
  {
#pragma omp section
    for (long i = 0; i < n; i++)
      a[i] += 1;
#pragma omp section
    for (long i = 0; i < m; i++)
      b[i] += 1;
  }
  delete[] a;
  delete[] b;
}

// KERNEL doacross: exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*m*n, 64) exact
//   a parallel stream(8) element 8 reads m*share(n - 1, 1) writes m*share(n - 1, 1) exact
KERNEL doacross(long n, long m) {
  double *a = new double[n * m]();
#pragma omp parallel for ordered(1)
  for (long i = 1; i < n; i++) {
#pragma omp ordered depend(sink : i - 1)
    for (long j = 0; j < m; j++)
      a[i * m + j] = a[(i - 1) * m + j] + 1;
#pragma omp ordered depend(source)
  }
  delete[] a;
}

// KERNEL early_return: exact
//   a serial stream(4) element 4 reads trip+2 writes n exact
static long early_return_find(const int *a, long n, int x) {
  for (long i = 0; i < n; i++)
    if (a[i] == x)
      return i;
  return -1;
}
KERNEL early_return(long n, double *out) {
  int *a = new int[n];
  for (long i = 0; i < n; i++)
    a[i] = i;
  *out += early_return_find(a, n, n / 2);
  delete[] a;
}

// KERNEL exception_path: exact
//   a serial stream(8) element 8 reads taken+5 writes 0 conditional taken+5 exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
__attribute__((noinline)) static double exception_path_at(double *a, long i,
                                                          long n) {
  if (i >= n)
    throw 1;
  return a[i];
}
KERNEL exception_path(long n, double *out) {
  double *a = new double[n]();
  try {
    for (long i = 0;; i++)
      *out += exception_path_at(a, i, n);
  } catch (int) {
  }
  delete[] a;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  double out = 0;
  vector_of_vectors(n, m);
  vov_index(n, m);
  deque_sum(n, &out);
  list_walk(&out);
  array_heap(n);
  valarray_axpy(n);
  matrix_view(n, m);
  strided_view(n);
  nested_lambda(n, m);
  atomic_array(n);
  cas_max(n);
  accumulate(n, &out);
  iota_erase(n);
  class_loop(n, m);
  taskloop_cpp(n);
  sections_cpp(n, m);
  doacross(n, m);
  early_return(n, &out);
  exception_path(n, &out);
  return out < 0;
}
