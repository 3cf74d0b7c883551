// Parts of programs: views, arenas, virtual functions, tasks, private scratch.
// INPUTS 101 67 | 131 89
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <omp.h>
#include <vector>

#define KERNEL __attribute__((noinline)) static void

// KERNEL virtual_shapes: exact
//   a serial stream(8) element 8 reads calls+6 writes 0 exact
//   a serial stream(-8) element 8 reads calls+11 writes 0 exact
template <class T> struct Kernel {
  virtual T at(const T *a, long i) const = 0;
  virtual ~Kernel() = default;
};
template <class T> struct Forward : Kernel<T> {
  T at(const T *a, long i) const override { return a[i]; }
};
template <class T> struct Backward : Kernel<T> {
  long n;
  explicit Backward(long n) : n(n) {}
  T at(const T *a, long i) const override { return a[n - 1 - i]; }
};
KERNEL virtual_shapes(long n, double *out) {
  double *a = (double *)calloc(n, 8);
  Forward<double> f;
  Backward<double> b(n);
  const Kernel<double> *all[] = {&f, &b};
  for (long k = 0; k < 2; k++) {
    const Kernel<double> *v = all[(n + k) & 1];
    for (long i = 0; i < n; i++)
      *out += v->at(a, i);
  }
  free(a);
}

// KERNEL lambda_in_team: exact
//   a parallel stream(8) element 8 reads 0 writes share(n) exact
//   b parallel stream(8) element 8 reads share(n) writes 0 exact
template <class F> static void each(long n, F f) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    f(i);
}
KERNEL lambda_in_team(long n) {
  double *a = (double *)malloc(n * 8), *b = (double *)calloc(n, 8);
  each(n, [=](long i) { a[i] = 2 * b[i]; });
  free(a);
  free(b);
}

// KERNEL unique_rows: exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(248*n, 64) exact
//   a serial strided(8*n) element 8 reads 0 writes 31*n exact
//   a serial stream(8) element 8 reads 31*n writes 0 exact
KERNEL unique_rows(long n, double *out) {
  auto a = std::make_unique<double[]>(n * 31);
  for (long i = 0; i < n; i++)
    for (long j = 0; j < 31; j++)
      a[j * n + i] = i;
  *out += std::accumulate(a.get(), a.get() + n * 31, 0.0);
}

// KERNEL array_of_records: exact
//   p serial stream(64) element 64 reads max(0, n - 1) writes min(1, max(-n, n)) + sum(i < max(0, n - 1): min(48, ceildiv(48*i + 96, 64) - floordiv(48*i + 48, 64))) exact
//   p serial stream(8) element 8 reads 6*elements+4.3*min(1, max(-n, n)) writes 3*elements+4.3*min(1, max(-n, n)) exact
struct Particle { std::array<double, 3> x, v; };
KERNEL array_of_records(long n) {
  std::vector<Particle> p(n);
  for (auto &q : p)
    for (int d = 0; d < 3; d++)
      q.x[d] += 0.5 * q.v[d];
}

// KERNEL span_view: exact
//   a serial stream(8) element 8 reads capture#1*floordiv(n, 8) writes 0 exact
template <class T> struct Span {
  T *first;
  long count;
  T *begin() const { return first; }
  T *end() const { return first + count; }
  Span part(long from, long n) const { return {first + from, n}; }
};
__attribute__((noinline)) static double total(Span<double> s) {
  double t = 0;
  for (double x : s)
    t += x;
  return t;
}
KERNEL span_view(long n, double *out) {
  double *a = (double *)calloc(n, 8);
  Span<double> all{a, n};
  for (long k = 0; k + 8 <= n; k += 8)
    *out += total(all.part(k, 8));
  free(a);
}

// KERNEL arena: exact
//   malloc serial stream(8) element 8 reads 0 writes n exact
//   malloc[8*n] serial stream(8) element 8 reads 0 writes n exact
//   malloc serial stream(-8) element 8 reads n writes 0 exact
//   malloc[8*n] serial invariant element 8 reads 1 writes 0 exact
struct Arena {
  char *base;
  size_t used = 0;
  explicit Arena(size_t n) : base((char *)malloc(n)) {}
  ~Arena() { free(base); }
  template <class T> T *take(size_t n) {
    T *p = (T *)(base + used);
    used += n * sizeof(T);
    return p;
  }
};
KERNEL arena(long n, double *out) {
  Arena of(n * 16 + 64);
  double *a = of.take<double>(n), *b = of.take<double>(n);
  for (long i = 0; i < n; i++)
    a[i] = i;
  for (long i = 0; i < n; i++)
    b[i] = a[n - 1 - i];
  *out += b[0];
}

// KERNEL depend_chain: exact
//   a task stream(8) element 8 reads 2*m writes m exact
KERNEL depend_chain(long n, long m) {
  double *a = (double *)calloc(n * m, 8);
#pragma omp parallel
#pragma omp single
  for (long i = 1; i < n; i++) {
#pragma omp task depend(in : a[(i - 1) * m]) depend(out : a[i * m])
    for (long j = 0; j < m; j++)
      a[i * m + j] += a[(i - 1) * m + j];
  }
  free(a);
}

// KERNEL taskloop_collapse: exact
//   a task stream(8) element 8 reads max(0, value+5.1#1 - value+5.1 + 1)*min(1, max(0, m))*min(1, max(0, n)) writes max(0, value+5.1#1 - value+5.1 + 1)*min(1, max(0, m))*min(1, max(0, n)) conditional 2*max(0, value+5.1#1 - value+5.1 + 1)*min(1, max(0, m))*min(1, max(0, n)) exact why assumes-positive-step
KERNEL taskloop_collapse(long n, long m) {
  double *a = (double *)calloc(n * m, 8);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop collapse(2) grainsize(64)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i * m + j] += 1;
  free(a);
}

// KERNEL sections_apart: exact
//   a parallel stream(8) element 8 reads 0 writes n*taken+6 conditional n*taken+6 exact
//   b parallel stream(-8) element 8 reads 0 writes n*taken+9 conditional n*taken+9 exact
KERNEL sections_apart(long n) {
  double *a = (double *)malloc(n * 8), *b = (double *)malloc(n * 8);
#pragma omp parallel sections
  {
#pragma omp section
    for (long i = 0; i < n; i++)
      a[i] = i;
#pragma omp section
    for (long i = n - 1; i >= 0; i--)
      b[i] = i;
  }
  free(a);
  free(b);
}

// KERNEL private_scratch: exact
//   scratch parallel stream(8) element 8 reads 0 writes m*share(n) reuse share(n) exact
//   a parallel stream(8) element 8 reads 0 writes share(n) exact
//   scratch parallel invariant element 8 reads share(n) writes 0 exact
static double *scratch;
#pragma omp threadprivate(scratch)
KERNEL private_scratch(long n, long m) {
  double *a = (double *)calloc(n, 8);
#pragma omp parallel
  {
    scratch = (double *)malloc(m * 8);
#pragma omp for
    for (long i = 0; i < n; i++) {
      for (long j = 0; j < m; j++)
        scratch[j] = i + j;
      a[i] = scratch[i % m];
    }
    free(scratch);
  }
  free(a);
}

// KERNEL ordered_output: exact
//   a parallel stream(8) element 8 reads share(n) writes share(n) exact
//   log parallel stream(8) element 8 reads 0 writes share(n) exact why conditional-step
KERNEL ordered_output(long n) {
  double *a = (double *)malloc(n * 8), *log = (double *)malloc(n * 8);
  long at = 0;
#pragma omp parallel for ordered schedule(static)
  for (long i = 0; i < n; i++) {
    a[i] = i;
#pragma omp ordered
    log[at++] = a[i];
  }
  free(a);
  free(log);
}

// KERNEL tree_of_tasks: exact
//   a task stream(8) element 8 reads trip+3 writes trip+3 conditional 2*trip+3 exact
//   a parallel stream(8) element 8 reads trip+3 writes trip+3 conditional 2*trip+3 exact
//   a task stream(8) element 8 reads trip+3 writes trip+3 conditional 2*trip+3 exact
static void halves(double *a, long n) {
  if (n < 16) {
    for (long i = 0; i < n; i++)
      a[i] += 1;
    return;
  }
#pragma omp task
  halves(a, n / 2);
#pragma omp task
  halves(a + n / 2, n - n / 2);
#pragma omp taskwait
}
KERNEL tree_of_tasks(long n) {
  double *a = (double *)calloc(n, 8);
#pragma omp parallel
#pragma omp single
  halves(a, n);
  free(a);
}

// KERNEL member_matrix: exact
//   v serial invariant element 8 reads 1 writes 2 exact
//   v serial stream(64) element 64 reads 0 writes 2*max(0, min(248*n - 8, ceildiv(248*n, 64))) exact
//   v serial stream(8) element 8 reads 31*n writes 0 exact
//   v serial strided(8*n) element 8 reads 0 writes 31*n exact
//   v serial strided(248) element 8 reads 0 writes n exact
class Matrix {
  std::vector<double> v;
  long rows_, cols_;
public:
  Matrix(long r, long c) : v(r * c), rows_(r), cols_(c) {}
  double &operator()(long i, long j) { return v[i * cols_ + j]; }
  double operator()(long i, long j) const { return v[i * cols_ + j]; }
  Matrix transposed() const {
    Matrix t(cols_, rows_);
    for (long i = 0; i < rows_; i++)
      for (long j = 0; j < cols_; j++)
        t(j, i) = (*this)(i, j);
    return t;
  }
};
KERNEL member_matrix(long n, double *out) {
  Matrix a(n, 31);
  for (long i = 0; i < n; i++)
    a(i, 3) = i;
  *out += a.transposed()(3, 5);
}

// KERNEL caught_overflow: exact
//   v serial stream(8) element 8 reads checked:n*min(1, max((v._M_impl._M_finish - v._M_impl._M_start) - checked:n + 1, 0))*min(1, max(0, checked:n)) writes caught_overflow:n conditional checked:n*min(1, max((v._M_impl._M_finish - v._M_impl._M_start) - checked:n + 1, 0))*min(1, max(0, checked:n)) exact
__attribute__((noinline)) static double checked(const std::vector<double> &v, long n) {
  double s = 0;
  for (long i = 0; i < n; i++)
    s += v.at(i);
  return s;
}
KERNEL caught_overflow(long n, double *out) {
  std::vector<double> v(n, 1.0);
  try {
    *out += checked(v, n + 3);
  } catch (const std::exception &) {
    *out += 1;
  }
}

// KERNEL nested_for: exact
//   a parallel stream(8) element 8 reads 3*share(m*n, 5) writes 3*share(m*n, 5) exact
KERNEL nested_for(long n, long m) {
  double *a = (double *)calloc(n * m, 8);
#pragma omp parallel
  for (long t = 0; t < 3; t++) {
#pragma omp for collapse(2) nowait schedule(static, 5)
    for (long i = 0; i < n; i++)
      for (long j = 0; j < m; j++)
        a[i * m + j] += t;
#pragma omp barrier
  }
  free(a);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  double out = 0;
  virtual_shapes(n, &out);
  lambda_in_team(n);
  unique_rows(n, &out);
  array_of_records(n);
  span_view(n, &out);
  arena(n, &out);
  depend_chain(n, m);
  taskloop_collapse(n, m);
  sections_apart(n);
  private_scratch(n, m);
  ordered_output(n);
  tree_of_tasks(n);
  member_matrix(n, &out);
  caught_overflow(n, &out);
  nested_for(n, m);
  return out < 0;
}
