// C++: how loops go over arrays, through classes, templates and owners.
// INPUTS 101 67 | 131 89
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#define KERNEL __attribute__((noinline)) static void

template <class T> struct Columns {
  T *data;
  long rows;
  T &operator()(long i, long j) const { return data[j * rows + i]; }
};
// Along rows of what lies in columns of n: steps of 8*n, n*m of them.
// KERNEL column_major: exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*m*n, 64) exact
//   a serial strided(8*n) element 8 reads m*n writes m*n exact
KERNEL column_major(long n, long m) {
  auto *a = new double[n * m]();
  Columns<double> at{a, n};
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      at(i, j) += i;
  delete[] a;
}

// Rows of 1, 2, .. n: sum of i + 1.
// KERNEL lower_triangle: exact
//   new serial stream(64) element 64 reads 0 writes ceildiv(8*n*n, 64) exact
//   new serial stream(8) element 8 reads floordiv((n - 1)*n, 2) + n writes floordiv((n - 1)*n, 2) + n exact
KERNEL lower_triangle(long n) {
  std::unique_ptr<double[]> a(new double[n * n]());
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++)
      a[i * n + j] += 1;
}

template <class T> struct Packed {
  T *data;
  T &operator()(long i, long j) const { return data[i * (i + 1) / 2 + j]; }
};
// The same, packed: all of it in order.
// KERNEL packed_triangle: exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*max(floordiv((n + 1)*n, 2), min(0, ceildiv((n + 1)*n, 2))) + 232, 64) exact
//   a serial stream(8) element 8 reads floordiv((n - 1)*n, 2) + n writes floordiv((n - 1)*n, 2) + n exact
KERNEL packed_triangle(long n) {
  auto *a = new double[n * (n + 1) / 2 + 29]();
  Packed<double> at{a};
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++)
      at(i, j) += 1;
  delete[] a;
}

// KERNEL reversed: exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(4*n, 64) exact
//   a serial stream(-4) element 4 reads n writes n exact
KERNEL reversed(long n) {
  auto *a = new float[n]();
  for (long i = n; i-- > 0;)
    a[i] += 1;
  delete[] a;
}

// Tiles of 16 by 16, cut off at the edges: n*m in all.
// KERNEL tiled: exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*m*n, 64) exact
//   a serial stream(8) element 8 reads sum(i < floordiv(m - 1, 16) + 1: max(1, min(16, m - 16*i)))*sum(i < floordiv(n - 1, 16) + 1: max(1, min(16, n - 16*i))) writes sum(i < floordiv(m - 1, 16) + 1: max(1, min(16, m - 16*i)))*sum(i < floordiv(n - 1, 16) + 1: max(1, min(16, n - 16*i))) exact
KERNEL tiled(long n, long m) {
  auto *a = new double[n * m]();
  for (long bi = 0; bi < n; bi += 16)
    for (long bj = 0; bj < m; bj += 16)
      for (long i = bi; i < std::min(bi + 16, n); i++)
        for (long j = bj; j < std::min(bj + 16, m); j++)
          a[i * m + j] += 1;
  delete[] a;
}

// Three points for each of the n - 2 inner ones; the compiler keeps one of them
// from the step before; one of the results is read.
// KERNEL stencil1d: exact
//   new serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
//   new serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
//   new serial stream(8) element 8 reads 0 writes max(0, n - 2) exact
//   new serial stencil(8) points 3 element 8 reads 2*max(0, n - 2) + min(1, max(0, n - 2)) writes 0 dimensions 1 exact
//   new serial invariant element 8 reads 1 writes 0 exact
KERNEL stencil1d(long n, double *out) {
  std::unique_ptr<double[]> a(new double[n]()), b(new double[n]());
  for (long i = 1; i < n - 1; i++)
    b[i] = a[i - 1] + 2 * a[i] + a[i + 1];
  *out += b[n / 2];
}

template <class T> struct Box {
  T *data;
  long ny, nz;
  T &operator()(long i, long j, long k) const {
    return data[(i * ny + j) * nz + k];
  }
};
// Seven points for each of (31 - 2)*(n - 2)*(m - 2) inner ones, one of which is
// kept as above.
// KERNEL stencil3d: exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(248*m*n, 64) exact
//   b serial stream(64) element 64 reads 0 writes ceildiv(248*m*n, 64) exact
//   b serial stream(8) element 8 reads 0 writes 29*max(0, m - 2)*max(0, n - 2) exact
//   a serial strided(8*m) element 8 reads 29*max(0, n - 2)*min(1, max(0, m - 2)) writes 0 exact
//   a serial stencil(8) points 7 element 8 reads 174*max(0, m - 2)*max(0, n - 2) writes 0 dimensions 3 exact
//   b serial invariant element 8 reads 1 writes 0 exact
KERNEL stencil3d(long n, long m, double *out) {
  auto *a = new double[31 * n * m](), *b = new double[31 * n * m]();
  Box<double> from{a, n, m}, to{b, n, m};
  for (long i = 1; i < 30; i++)
    for (long j = 1; j < n - 1; j++)
      for (long k = 1; k < m - 1; k++)
        to(i, j, k) = from(i, j, k) - from(i - 1, j, k) - from(i + 1, j, k) -
                      from(i, j - 1, k) - from(i, j + 1, k) -
                      from(i, j, k - 1) - from(i, j, k + 1);
  *out += to(5, 5, 5);
  delete[] a;
  delete[] b;
}

// Rows of i % 4; what a row holds is for the run to say.
// KERNEL csr: exact
//   a.row serial stream(8) element 8 reads min(1, max(0, times:n)) + times:n writes csr:n exact
//   a.value serial stream(8) element 8 reads trip+9 writes 0 exact
//   x serial random element 8 reads trip+9 writes 0 index a.column exact
//   a.column serial stream(4) element 4 reads trip+9 writes 0 exact
//   y serial stream(8) element 8 reads 0 writes n exact
//   a.column serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
//   a.value serial stream(64) element 64 reads 0 writes ceildiv(16*n, 64) exact
//   x serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
//   a.row serial invariant element 8 reads 0 writes 1 exact
struct Sparse {
  long *row;
  int *column;
  double *value;
  __attribute__((noinline)) void times(const double *x, double *y,
                                       long n) const {
    for (long i = 0; i < n; i++) {
      double sum = 0;
      for (long k = row[i]; k < row[i + 1]; k++)
        sum += value[k] * x[column[k]];
      y[i] = sum;
    }
  }
};
KERNEL csr(long n) {
  Sparse a;
  a.row = new long[n + 1];
  a.column = new int[2 * n]();
  a.value = new double[2 * n]();
  auto *x = new double[n]();
  auto *y = new double[n];
  a.row[0] = 0;
  for (long i = 0; i < n; i++)
    a.row[i + 1] = a.row[i] + i % 4;
  a.times(x, y, n);
  delete[] a.row;
  delete[] a.column;
  delete[] a.value;
  delete[] x;
  delete[] y;
}

// KERNEL scatter: exact
//   y serial stream(64) element 64 reads 0 writes ceildiv(8*m, 64) exact
//   new serial stream(4) element 4 reads n writes n exact
//   y serial random element 8 reads n writes n index new exact
KERNEL scatter(long n, long m) {
  std::unique_ptr<int[]> to(new int[n]);
  auto *y = new double[m]();
  for (long i = 0; i < n; i++)
    to[i] = i * 13 % m;
  for (long i = 0; i < n; i++)
    y[to[i]] += i;
  delete[] y;
}

// n writes, at places that no one knows before; as many reads as the run finds.
// KERNEL hash_insert: exact
//   key serial random element 8 reads trip+6 writes n exact why computed-index
//   key serial stream(64) element 64 reads 0 writes ceildiv(32*n, 64) exact
template <class K> struct Table {
  K *key;
  unsigned long room;
  void insert(K k) {
    unsigned long at = k * 2654435761u % room;
    while (key[at])
      at = (at + 1) % room;
    key[at] = k;
  }
};
KERNEL hash_insert(long n) {
  auto *key = new unsigned long[4 * n]();
  Table<unsigned long> table{key, static_cast<unsigned long>(4 * n)};
  for (long i = 1; i <= n; i++)
    table.insert(i);
  delete[] key;
}

struct Particles {
  double *x, *v;
  float *mass;
};
// Three arrays side by side: n reads each, n writes to the first.
// KERNEL struct_of_arrays: exact
//   p.x serial stream(8) element 8 reads n writes n exact
//   p.v serial stream(8) element 8 reads n writes 0 exact
//   p.mass serial stream(4) element 4 reads n writes 0 exact
//   p.x serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
//   p.v serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
//   p.mass serial stream(64) element 64 reads 0 writes ceildiv(4*n, 64) exact
KERNEL struct_of_arrays_move(Particles &p, long n) {
  for (long i = 0; i < n; i++)
    p.x[i] += p.v[i] * p.mass[i];
}
KERNEL struct_of_arrays(long n) {
  Particles p;
  p.x = new double[n]();
  p.v = new double[n]();
  p.mass = new float[n]();
  struct_of_arrays_move(p, n);
  delete[] p.x;
  delete[] p.v;
  delete[] p.mass;
}

// Rows of m, as a type of variable length says.
// KERNEL vla_rows: exact
//   block serial stream(64) element 64 reads 0 writes ceildiv(8*m*n, 64) exact
//   block serial stream(8) element 8 reads max(0, m - 1)*n writes max(0, m - 1)*n exact
KERNEL vla_rows(long n, long m) {
  auto *block = new double[n * m]();
  typedef double Row[m];
  auto *a = reinterpret_cast<Row *>(block);
  for (long i = 0; i < n; i++)
    for (long j = 1; j < m; j++)
      a[i][j] += 1;
  delete[] block;
}

// Halves until 8 are left; how many leaves there are is measured.
// KERNEL recursion: exact
//   a serial stream(8) element 8 reads trip+5 writes 0 conditional trip+5 exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
template <class T>
__attribute__((noinline)) static T recursion_sum(const T *a, long n) {
  if (n <= 8) {
    T sum = 0;
    for (long i = 0; i < n; i++)
      sum += a[i];
    return sum;
  }
  return recursion_sum(a, n / 2) + recursion_sum(a + n / 2, n - n / 2);
}
KERNEL recursion(long n, double *out) {
  auto *a = new double[n]();
  *out += recursion_sum(a, n);
  delete[] a;
}

// 8*n writes one by one; n lines of 64 bytes read and written as a block.
// KERNEL block_copy: exact
//   a serial stream(8) element 8 reads 0 writes 8*n exact
//   b serial stream(64) element 64 reads 0 writes n exact
//   a serial stream(64) element 64 reads n writes 0 exact
//   b serial invariant element 8 reads 1 writes 0 exact
KERNEL block_copy(long n, double *out) {
  auto *a = new double[8 * n], *b = new double[8 * n];
  for (long i = 0; i < 8 * n; i++)
    a[i] = i;
  std::memcpy(b, a, 64 * n);
  *out += b[n];
  delete[] a;
  delete[] b;
}

// 3*n lines of 64 bytes cleared, n of them set again; all elements read.
// KERNEL block_clear: exact
//   a serial stream(64) element 64 reads 0 writes 4*n exact
//   a serial stream(8) element 8 reads 24*n writes 0 exact
KERNEL block_clear(long n, double *out) {
  auto *a = new double[24 * n]();
  std::memset(a + 8 * n, 1, 64 * n);
  for (long i = 0; i < 24 * n; i++)
    *out += a[i];
  delete[] a;
}

// Every third: as often as the run takes the branch, or ceil(n / 3).
// KERNEL conditional_rows: exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
//   a serial stream(8) element 8 reads floordiv(n - 1, 3) + 1 writes floordiv(n - 1, 3) + 1 conditional 2*floordiv(n - 1, 3) + 2 exact
KERNEL conditional_rows(long n) {
  auto *a = new double[n]();
  for (long i = 0; i < n; i++)
    if (i % 3 == 0)
      a[i] += 1;
  delete[] a;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = std::atol(argv[1]), m = std::atol(argv[2]);
  double out = 0;
  column_major(n, m);
  lower_triangle(n);
  packed_triangle(n);
  reversed(n);
  tiled(n, m);
  stencil1d(n, &out);
  stencil3d(n, m, &out);
  csr(n);
  scatter(n, m);
  hash_insert(n);
  struct_of_arrays(n);
  vla_rows(n, m);
  recursion(n, &out);
  block_copy(n, &out);
  block_clear(n, &out);
  conditional_rows(n);
  return out < 0;
}
