// C++: containers, accessors, templates, lambdas, virtual calls, new.
// INPUTS 101 67 | 131 89
#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#define KERNEL __attribute__((noinline)) static void

// KERNEL vector_index: exact
//   v serial stream(8) element 8 reads (v._M_impl._M_finish - v._M_impl._M_start) writes (v._M_impl._M_finish - v._M_impl._M_start) exact
//   v serial invariant element 8 reads 0 writes min(1, max(-n, n)) exact
//   v serial stream(64) element 64 reads 0 writes max(0, min(8*n - 8, ceildiv(8*n, 64))) exact
KERNEL vector_index_loop(std::vector<double> &v) {
  for (std::size_t i = 0; i < v.size(); i++)
    v[i] += 1;
}
KERNEL vector_index(long n) {
  std::vector<double> v(n);
  vector_index_loop(v);
}

// KERNEL vector_range_for: exact
//   v serial stream(8) element 8 reads elements+4.3 writes n exact
__attribute__((noinline)) static double
vector_range_for_loop(const std::vector<double> &v) {
  double s = 0;
  for (double x : v)
    s += x;
  return s;
}
KERNEL vector_range_for(long n, double *out) {
  std::vector<double> v(n, 1.5);
  *out += vector_range_for_loop(v);
}

// KERNEL vector_push_back: exact
//   push_back serial random element 8 reads 0 writes taken+5#2 conditional taken+5#2 exact why computed-index
//   push_back,reserve serial stream(64) element 64 reads lines+5#1 writes 0 conditional lines+5#1 exact
//   push_back serial stream(64) element 64 reads 0 writes lines+5 conditional lines+5 exact
//   push_back,reserve serial stream(8) element 8 reads 0 writes taken+5 conditional taken+5 exact why new-blocks
KERNEL vector_push_back(long n) {
  std::vector<double> v;
  v.reserve(n);
  for (long i = 0; i < n; i++)
    v.push_back(i);
  v[0] = v[n - 1];
}

// KERNEL accessor: exact
//   Data serial invariant element 8 reads 0 writes min(1, max(-m*n, m*n)) exact
//   Data serial stream(64) element 64 reads 0 writes max(0, min(8*m*n - 8, ceildiv(8*m*n, 64))) exact
//   Data serial stream(8) element 8 reads m*n writes m*n exact
template <class T> class Matrix {
  std::vector<T> Data;
  long Columns;

public:
  Matrix(long Rows, long Columns) : Data(Rows * Columns), Columns(Columns) {}
  T &operator()(long I, long J) { return Data[I * Columns + J]; }
};
KERNEL accessor_loop(Matrix<double> &a, long n, long m) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a(i, j) += 1;
}
KERNEL accessor(long n, long m) {
  Matrix<double> a(n, m);
  accessor_loop(a, n, m);
}

// KERNEL member_array: exact
//   new serial stream(64) element 64 reads 0 writes ceildiv(8*m*n, 64) exact
//   new serial strided(8*this->Ny) element 8 reads this->Nx*this->Ny writes this->Nx*this->Ny exact
class Grid {
  double *U;
  long Nx, Ny;

public:
  Grid(long Nx, long Ny) : U(new double[Nx * Ny]()), Nx(Nx), Ny(Ny) {}
  ~Grid() { delete[] U; }
  __attribute__((noinline)) void step() {
    for (long j = 0; j < Ny; j++)
      for (long i = 0; i < Nx; i++)
        U[i * Ny + j] += 1;
  }
};
KERNEL member_array(long n, long m) {
  Grid g(n, m);
  g.step();
}

// KERNEL new_array: exact
//   a serial stream(4) element 4 reads n writes n exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(4*n, 64) exact
KERNEL new_array_loop(float *a, long n) {
  for (long i = 0; i < n; i++)
    a[i] = a[i] * 2;
}
KERNEL new_array(long n) {
  float *a = new float[n]();
  new_array_loop(a, n);
  delete[] a;
}

// KERNEL unique_array: exact
//   a serial stream(-8) element 8 reads n writes n exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
KERNEL unique_array_loop(std::unique_ptr<long[]> &a, long n) {
  for (long i = n - 1; i >= 0; i--)
    a[i] += i;
}
KERNEL unique_array(long n) {
  auto a = std::make_unique<long[]>(n);
  unique_array_loop(a, n);
}

// KERNEL template_two_types: exact
//   b serial stream(4) element 4 reads n~1 writes n~1 exact
//   a serial stream(8) element 8 reads n writes n exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
//   b serial stream(64) element 64 reads 0 writes ceildiv(4*n, 64) exact
template <class T>
__attribute__((noinline)) static void template_loop(T *a, long n) {
  for (long i = 0; i < n; i++)
    a[i] += 1;
}
KERNEL template_two_types(long n) {
  double *a = new double[n]();
  int *b = new int[n]();
  template_loop(a, n);
  template_loop(b, n);
  delete[] a;
  delete[] b;
}

// KERNEL lambda: exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
//   a serial stream(8) element 8 reads n writes n exact
KERNEL lambda(long n, double f) {
  double *a = new double[n]();
  auto scale = [=](long i) { a[i] = a[i] * f + 1; };
  for (long i = 0; i < n; i++)
    scale(i);
  delete[] a;
}

// KERNEL for_each: exact
//   v serial invariant element 8 reads 0 writes min(1, max(-n, n)) exact
//   v serial stream(64) element 64 reads 0 writes max(0, min(8*n - 8, ceildiv(8*n, 64))) exact
//   v serial stream(8) element 8 reads elements+3.3*min(1, max(-n, n)) writes elements+3.3*min(1, max(-n, n)) exact
KERNEL for_each(long n) {
  std::vector<double> v(n);
  std::for_each(v.begin(), v.end(), [](double &x) { x += 1; });
}

// KERNEL transform_and_sum: exact
//   a serial invariant element 8 reads 0 writes min(1, max(-n, n)) exact
//   a serial stream(64) element 64 reads 0 writes max(0, min(8*n - 8, ceildiv(8*n, 64))) exact
//   b serial invariant element 8 reads 0 writes min(1, max(-n, n)) exact
//   b serial stream(64) element 64 reads 0 writes max(0, min(8*n - 8, ceildiv(8*n, 64))) exact
//   a serial stream(8) element 8 reads elements+3.3*min(1, max(-n, n)) writes 0 exact
//   b serial stream(8) element 8 reads elements+5.11*min(1, max(-n, n)) writes elements+3.3*min(1, max(-n, n)) exact
KERNEL transform_and_sum(long n, double *out) {
  std::vector<double> a(n), b(n);
  std::transform(a.begin(), a.end(), b.begin(),
                 [](double x) { return 2 * x + 1; });
  *out += std::accumulate(b.begin(), b.end(), 0.0);
}

// KERNEL fill_and_copy: exact
//   a serial invariant element 8 reads 0 writes min(1, max(-n, n)) exact
//   a serial stream(64) element 64 reads lines+4#1 writes max(0, min(8*n - 8, ceildiv(8*n, 64))) exact
//   b serial invariant element 8 reads 1 writes min(1, max(-n, n)) exact
//   b serial stream(64) element 64 reads 0 writes lines+4 + max(0, min(8*n - 8, ceildiv(8*n, 64))) exact
//   a serial stream(8) element 8 reads 0 writes elements+3.3*min(1, max(-n, n)) exact
KERNEL fill_and_copy(long n, double *out) {
  std::vector<double> a(n), b(n);
  std::fill(a.begin(), a.end(), 3.0);
  std::copy(a.begin(), a.end(), b.begin());
  *out += b[n / 2];
}

// KERNEL virtual_call: exact
//   a serial stream(8) element 8 reads n writes n exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
struct Shape {
  double *A;
  explicit Shape(double *A) : A(A) {}
  virtual double &at(long I) = 0;
  virtual ~Shape() = default;
};
struct Forward : Shape {
  using Shape::Shape;
  double &at(long I) override { return A[I]; }
};
KERNEL virtual_call_loop(Shape &s, long n) {
  for (long i = 0; i < n; i++)
    s.at(i) += 1;
}
KERNEL virtual_call(long n) {
  double *a = new double[n]();
  Forward f(a);
  virtual_call_loop(f, n);
  delete[] a;
}

// KERNEL std_function: exact
//   a serial stream(8) element 8 reads n writes n exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
KERNEL std_function_loop(double *a, long n, const std::function<double(double)> &f) {
  for (long i = 0; i < n; i++)
    a[i] = f(a[i]);
}
KERNEL std_function(long n, double f) {
  double *a = new double[n]();
  std_function_loop(a, n, [f](double x) { return x + f; });
  delete[] a;
}

// KERNEL array_of_arrays: exact
//   a serial stream(8) element 8 reads 4*n writes 4*n exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(32*n, 64) exact
KERNEL array_of_arrays_loop(std::array<double, 4> *a, long n) {
  for (long i = 0; i < n; i++)
    for (double &x : a[i])
      x += 1;
}
KERNEL array_of_arrays(long n) {
  auto *a = new std::array<double, 4>[n]();
  array_of_arrays_loop(a, n);
  delete[] a;
}

// KERNEL gather_vector: exact
//   y serial stream(8) element 8 reads 0 writes (idx._M_impl._M_finish - idx._M_impl._M_start) exact
//   x serial random element 8 reads (idx._M_impl._M_finish - idx._M_impl._M_start) writes 0 index idx exact
//   idx serial stream(4) element 4 reads (idx._M_impl._M_finish - idx._M_impl._M_start) writes 0 exact
//   idx serial invariant element 4 reads 0 writes min(1, max(-n, n)) exact
//   idx serial stream(64) element 64 reads 0 writes max(0, min(4*n - 4, ceildiv(4*n, 64))) exact
//   x serial invariant element 8 reads 0 writes min(1, max(-n, n)) exact
//   x serial stream(64) element 64 reads 0 writes max(0, min(8*n - 8, ceildiv(8*n, 64))) exact
//   y serial invariant element 8 reads 0 writes min(1, max(-n, n)) exact
//   y serial stream(64) element 64 reads 0 writes max(0, min(8*n - 8, ceildiv(8*n, 64))) exact
KERNEL gather_vector_loop(const std::vector<int> &idx,
                          const std::vector<double> &x,
                          std::vector<double> &y) {
  for (std::size_t i = 0; i < idx.size(); i++)
    y[i] = x[idx[i]];
}
KERNEL gather_vector(long n) {
  std::vector<int> idx(n);
  std::vector<double> x(n), y(n);
  gather_vector_loop(idx, x, y);
}

// KERNEL vector_parallel: exact
//   a serial invariant element 8 reads 0 writes min(1, max(-n, n)) exact
//   a serial stream(64) element 64 reads 0 writes max(0, min(8*n - 8, ceildiv(8*n, 64))) exact
//   b serial invariant element 8 reads 0 writes min(1, max(-n, n)) exact
//   b serial stream(64) element 64 reads 0 writes max(0, min(8*n - 8, ceildiv(8*n, 64))) exact
//   a parallel stream(8) element 8 reads share(n) writes share(n) exact
//   b parallel stream(8) element 8 reads share(n) writes 0 exact
KERNEL vector_parallel(long n) {
  std::vector<double> a(n), b(n);
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] += 2 * b[i];
}

// KERNEL linked_new: exact
//   head serial strided element 8 reads 0 writes 3*m exact why fresh-object
//   head serial chase element 8 dependent reads 2*trip+9 + trip+11 writes 0 exact
struct Link {
  Link *Next;
  double Value, Pad;
};
KERNEL linked_new(long m, double *out) {
  Link *head = nullptr;
  for (long i = 0; i < m; i++)
    head = new Link{head, double(i), 0};
  for (Link *p = head; p; p = p->Next)
    *out += p->Value;
  while (head) {
    Link *next = head->Next;
    delete head;
    head = next;
  }
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = std::atol(argv[1]), m = std::atol(argv[2]);
  double out = 0;
  vector_index(n);
  vector_range_for(n, &out);
  vector_push_back(n);
  accessor(n, m);
  member_array(n, m);
  new_array(n);
  unique_array(n);
  template_two_types(n);
  lambda(n, m);
  for_each(n);
  transform_and_sum(n, &out);
  fill_and_copy(n, &out);
  virtual_call(n);
  std_function(n, m);
  array_of_arrays(n);
  gather_vector(n);
  vector_parallel(n);
  linked_new(m, &out);
  return out < 0;
}
