// Small programs of many kinds in C++: views, algorithms, reductions.
// INPUTS 101 67 | 131 89
#include <algorithm>
#include <array>
#include <bitset>
#include <cstdlib>
#include <numeric>
#include <string>
#include <valarray>
#include <vector>
#define KERNEL __attribute__((noinline)) static void

// KERNEL array_rows: exact
//   p serial stream(64) element 64 reads max(0, n - 1) writes min(1, max(-n, n)) + sum(i < max(0, n - 1): min(24, ceildiv(24*i + 48, 64) - floordiv(24*i + 24, 64))) exact
//   p serial stream(8) element 8 reads 3*elements+3.3*min(1, max(-n, n)) writes 3*elements+3.3*min(1, max(-n, n)) exact
//   p serial strided(24) element 8 reads elements+3.3*min(1, max(-n, n)) writes 0 exact
KERNEL array_rows(long n, double *out) {
  std::vector<std::array<double, 3>> p(n);
  for (auto &q : p)
    for (double &x : q)
      x += 1;
  for (const auto &q : p)
    *out += q[1];
}

// KERNEL valarray_sum: exact
//   a serial stream(8) element 8 reads max(0, n - 1)*taken+4#1 + n writes 2*n conditional max(0, n - 1)*taken+4#1 exact
//   b serial stream(8) element 8 reads n writes n exact
//   a serial invariant element 8 reads min(1, max(-n, n))*min(1, max(0, n)) + taken+4 writes 0 conditional taken+4 exact
KERNEL valarray_sum(long n, double *out) {
  std::valarray<double> a(1.0, n), b(2.0, n);
  a += b;
  *out += a.sum();
}

template <typename T> struct View {
  T *data;
  std::size_t size, step;
  T &operator[](std::size_t i) const { return data[i * step]; }
};
// KERNEL column_view: exact
//   a serial strided(8*m) element 8 reads n writes n exact
KERNEL column_view(long n, long m) {
  double *a = (double *)calloc(n * m, 8);
  View<double> column{a + 3, (std::size_t)n, (std::size_t)m};
  for (std::size_t i = 0; i < column.size; i++)
    column[i] += 1;
  free(a);
}

// KERNEL transformed: exact
//   a serial invariant element 8 reads 0 writes min(1, max(-n, n)) exact
//   a serial stream(64) element 64 reads 0 writes max(0, min(8*n - 8, ceildiv(8*n, 64))) exact
//   b serial invariant element 8 reads 0 writes min(1, max(-n, n)) exact
//   b serial stream(64) element 64 reads 0 writes max(0, min(8*n - 8, ceildiv(8*n, 64))) exact
//   a serial stream(8) element 8 reads 2*elements+3.3*min(1, max(-n, n)) writes elements+3.3*min(1, max(-n, n)) exact
//   b serial stream(8) element 8 reads elements+3.3*min(1, max(-n, n)) writes elements+3.3*min(1, max(-n, n)) exact
KERNEL transformed(long n, double *out) {
  std::vector<double> a(n), b(n);
  std::iota(a.begin(), a.end(), 1.0);
  std::transform(a.begin(), a.end(), b.begin(),
                 [n](double x) { return x * n + 1; });
  *out += std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

struct Moments {
  double sum = 0, square = 0;
  long count = 0;
};
#pragma omp declare reduction(merge : Moments : omp_out.sum += omp_in.sum,     \
                                  omp_out.square += omp_in.square,             \
                                  omp_out.count += omp_in.count)
// KERNEL struct_reduction: exact
//   a parallel stream(8) element 8 reads share(n) writes 0 exact
KERNEL struct_reduction(long n, double *out) {
  double *a = (double *)calloc(n, 8);
  Moments m;
#pragma omp parallel for reduction(merge : m)
  for (long i = 0; i < n; i++) {
    m.sum += a[i];
    m.square += a[i] * a[i];
    m.count++;
  }
  *out += m.sum + m.square + m.count;
  free(a);
}

// KERNEL dynamic_blocks: total dynamic-schedule
//   a parallel stream(8) element 8 reads evenly(m*n) writes evenly(m*n) bound why dynamic-schedule
KERNEL dynamic_blocks(long n, long m) {
  double *a = (double *)calloc(n * m, 8);
#pragma omp parallel for schedule(dynamic, 4)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i * m + j] += i;
  free(a);
}

// KERNEL partitioned: removed EarlyCSEPass
//   a serial invariant element 4 reads 0 writes min(1, max(-n, n)) exact
//   a serial stream(64) element 64 reads 0 writes max(0, min(4*n - 4, ceildiv(4*n, 64))) exact
//   a serial stream(4) element 4 reads trip+7 writes n exact
//   a serial stream(-4) element 4 reads trip+9 writes 0 exact
//   a serial random element 4 reads taken+1 writes taken+1 conditional 2*taken+1 exact why computed-index
//   a serial stream(4) element 4 reads taken+1 writes taken+1 conditional 2*taken+1 exact why conditional-step
KERNEL partitioned(long n, double *out) {
  std::vector<int> a(n);
  for (long i = 0; i < n; i++)
    a[i] = i * 7919 % n;
  long lo = 0, hi = n - 1;
  while (lo < hi) {
    while (lo < hi && a[lo] < n / 2)
      lo++;
    while (lo < hi && a[hi] >= n / 2)
      hi--;
    std::swap(a[lo], a[hi]);
  }
  *out += lo;
}

// KERNEL heap_bits: exact
//   bits serial stream(64) element 64 reads 0 writes 8 exact
//   bits serial invariant element 8 reads n writes n exact
//   bits serial stream(8) element 8 reads 64 writes 0 exact
KERNEL heap_bits(long n, double *out) {
  auto *bits = new std::bitset<4096>;
  for (long i = 0; i < n; i++)
    bits->set(i * 31 % 4096);
  *out += bits->count();
  delete bits;
}

// KERNEL member_loop: exact
//   std serial stream(8) element 8 reads 2*max(0, this->nx - 2)*max(0, this->ny - 2) writes max(0, this->nx - 2)*max(0, this->ny - 2) exact
//   std serial invariant element 8 reads 0 writes min(1, max(-m*n, m*n)) exact
//   std serial stream(64) element 64 reads 0 writes max(0, min(8*m*n - 8, ceildiv(8*m*n, 64))) exact
struct Grid {
  std::vector<double> v;
  long nx, ny;
  double &at(long i, long j) { return v[i * ny + j]; }
  __attribute__((noinline)) void smooth() {
    for (long i = 1; i + 1 < nx; i++)
      for (long j = 1; j + 1 < ny; j++)
        at(i, j) = 0.5 * (at(i - 1, j) + at(i + 1, j));
  }
};
KERNEL member_loop(long n, long m) {
  Grid g{std::vector<double>(n * m), n, m};
  g.smooth();
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  double out = 0;
  array_rows(n, &out);
  valarray_sum(n, &out);
  column_view(n, m);
  transformed(n, &out);
  struct_reduction(n, &out);
  dynamic_blocks(n, m);
  partitioned(n, &out);
  heap_bits(n, &out);
  member_loop(n, m);
  return out < 0;
}
