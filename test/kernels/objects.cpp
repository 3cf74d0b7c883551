// C++: nested containers, nodes, accessors that are not inlined, iterators.
// INPUTS 101 67 | 131 89
#include <array>
#include <cstdlib>
#include <list>
#include <utility>
#include <vector>

#define KERNEL __attribute__((noinline)) static void

// KERNEL std_list: bound may-be-elsewhere
//   push_back serial strided element 8 reads 0 writes m exact why fresh-object
//   push_back serial chase element 8 dependent reads 2*trip+5 + trip+7 + trip+7#1 writes 0 conditional trip+7 bound why may-be-elsewhere
KERNEL std_list(long m, double *out) {
  std::list<double> l;
  for (long i = 0; i < m; i++)
    l.push_back(i);
  for (double x : l)
    *out += x;
}

// KERNEL grid_stencil: exact
//   a,b serial stream(8) element 8 reads 0 writes max(0, m - 2)*max(0, n - 2) exact
//   a,b serial stencil(8) points 5 element 8 reads 5*max(0, m - 2)*max(0, n - 2) writes 0 dimensions 2 exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*m*n, 64) exact
//   b serial stream(64) element 64 reads 0 writes ceildiv(8*m*n, 64) exact
class Field {
  double *U;
  long Ny;

public:
  Field(double *U, long Ny) : U(U), Ny(Ny) {}
  __attribute__((noinline)) double &at(long I, long J) const {
    return U[I * Ny + J];
  }
};
KERNEL grid_stencil_loop(const Field &a, const Field &b, long n, long m) {
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < m - 1; j++)
      b.at(i, j) = a.at(i - 1, j) + a.at(i + 1, j) + a.at(i, j - 1) +
                   a.at(i, j + 1) - 4 * a.at(i, j);
}
KERNEL grid_stencil(long n, long m) {
  double *a = new double[n * m]();
  double *b = new double[n * m]();
  grid_stencil_loop(Field(a, m), Field(b, m), n, m);
  delete[] a;
  delete[] b;
}

// KERNEL two_shapes: exact
//   a,b serial strided element 8 reads 2*n writes 2*n exact why callees-differ
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
//   b serial stream(64) element 64 reads 0 writes ceildiv(32*n, 64) exact
struct Axis {
  virtual double &at(long I) = 0;
  virtual ~Axis() = default;
};
struct Plain : Axis {
  double *A;
  explicit Plain(double *A) : A(A) {}
  double &at(long I) override { return A[I]; }
};
struct Padded : Axis {
  double *A;
  explicit Padded(double *A) : A(A) {}
  double &at(long I) override { return A[4 * I]; }
};
KERNEL two_shapes_loop(Axis &s, long n) {
  for (long i = 0; i < n; i++)
    s.at(i) += 1;
}
KERNEL two_shapes(long n) {
  double *a = new double[n]();
  double *b = new double[4 * n]();
  Plain p(a);
  Padded q(b);
  two_shapes_loop(p, n);
  two_shapes_loop(q, n);
  delete[] a;
  delete[] b;
}

// KERNEL span: exact
//   a serial stream(8) element 8 reads capture#1 + max(0, capture#1 - 1) writes capture#1 + max(0, capture#1 - 1) exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
template <class T> struct Span {
  T *First;
  long N;
  T *begin() const { return First; }
  T *end() const { return First + N; }
  T &operator[](long I) const { return First[I]; }
  Span part(long From, long Length) const { return {First + From, Length}; }
};
KERNEL span_loop(Span<double> s) {
  for (double &x : s.part(1, s.N - 1))
    x += 1;
  for (long i = 0; i < s.N; i++)
    s[i] *= 2;
}
KERNEL span(long n) {
  double *a = new double[n]();
  span_loop({a, n});
  delete[] a;
}

// KERNEL iterators: exact
//   v serial stream(4) element 4 reads elements+2.3 writes elements+2.3 exact
//   v serial invariant element 4 reads 0 writes min(1, max(-n, n)) exact
//   v serial stream(64) element 64 reads 0 writes max(0, min(4*n - 4, ceildiv(4*n, 64))) exact
KERNEL iterators_loop(std::vector<float> &v) {
  for (auto it = v.begin(); it != v.end(); ++it)
    *it += 1;
}
KERNEL iterators(long n) {
  std::vector<float> v(n);
  iterators_loop(v);
}

// KERNEL reverse_iterators: exact
//   v serial stream(-4) element 4 reads elements+2.3 writes elements+2.3 exact
//   v serial invariant element 4 reads 0 writes min(1, max(-n, n)) exact
//   v serial stream(64) element 64 reads 0 writes max(0, min(4*n - 4, ceildiv(4*n, 64))) exact
KERNEL reverse_iterators_loop(std::vector<float> &v) {
  for (auto it = v.rbegin(); it != v.rend(); ++it)
    *it += 1;
}
KERNEL reverse_iterators(long n) {
  std::vector<float> v(n);
  reverse_iterators_loop(v);
}

// KERNEL pairs_sum: exact
//   p serial strided(16) element 8 reads pairs_sum_loop:n writes pairs_sum:n exact
//   p serial strided(16) element 4 reads 0 writes n exact
KERNEL pairs_sum_loop(const std::pair<int, double> *p, long n, double *out) {
  double s = 0;
  for (long i = 0; i < n; i++)
    s += p[i].second;
  *out += s;
}
KERNEL pairs_sum(long n, double *out) {
  auto *p = new std::pair<int, double>[n]();
  pairs_sum_loop(p, n, out);
  delete[] p;
}

// KERNEL row_lambda: exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*m*n, 64) exact
//   a serial stream(8) element 8 reads m*n writes m*n exact
template <class F> static void for_rows(long n, F f) {
  for (long i = 0; i < n; i++)
    f(i);
}
KERNEL row_lambda(long n, long m) {
  double *a = new double[n * m]();
  for_rows(n, [&](long i) {
    for (long j = 0; j < m; j++)
      a[i * m + j] += 1;
  });
  delete[] a;
}

// KERNEL fixed_matrix: exact
//   c serial stream(64) element 64 reads 0 writes 72 exact
//   b serial stream(64) element 64 reads 0 writes 72 exact
//   a serial stream(64) element 64 reads 0 writes 72 exact
//   c serial stream(8) element 8 reads 576 writes 13824 exact
//   a serial stream(8) element 8 reads 13824 writes 0 reuse 24 exact
//   b serial strided(192) element 8 reads 13824 writes 0 reuse 24 exact
template <class T, int N> class Square {
  std::array<T, N * N> Data{};

public:
  T &operator()(int I, int J) { return Data[I * N + J]; }
};
KERNEL fixed_matrix_loop(Square<double, 24> &a, Square<double, 24> &b,
                         Square<double, 24> &c) {
  for (int i = 0; i < 24; i++)
    for (int j = 0; j < 24; j++)
      for (int k = 0; k < 24; k++)
        c(i, j) += a(i, k) * b(k, j);
}
KERNEL fixed_matrix() {
  auto *a = new Square<double, 24>();
  auto *b = new Square<double, 24>();
  auto *c = new Square<double, 24>();
  fixed_matrix_loop(*a, *b, *c);
  delete a;
  delete b;
  delete c;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = std::atol(argv[1]), m = std::atol(argv[2]);
  double out = 0;
  std_list(m, &out);
  grid_stencil(n, m);
  two_shapes(n);
  span(n);
  iterators(n);
  reverse_iterators(n);
  pairs_sum(n, &out);
  row_lambda(n, m);
  fixed_matrix();
  return out < 0;
}
