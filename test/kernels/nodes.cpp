// C++: containers of nodes, classes that hold vectors, ranges of pointers.
// INPUTS 101 67 | 131 89
#include <cstdlib>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#define KERNEL __attribute__((noinline)) static void

// KERNEL std_map: bound may-be-elsewhere
//   t serial chase element 8 dependent reads 2*trip+4 + 2*trip+4#1 + 2*trip+4#2 + 2*trip+4#3 + 2*trip@stl_tree.h + trip+5 writes 0 conditional 2*trip+4#1 + 2*trip+4#2 + 2*trip+4#3 bound why may-be-elsewhere
//   t serial random element 8 reads taken+4#1 + taken+4#11 + taken+4#12 + taken+4#15 + taken+4#18 + taken+4#19 + taken+4#22 + taken+4#24 + taken+4#4 + taken+4#8 + taken+4#9 writes m conditional taken+4#1 + taken+4#11 + taken+4#12 + taken+4#15 + taken+4#18 + taken+4#19 + taken+4#22 + taken+4#24 + taken+4#4 + taken+4#8 + taken+4#9 index t bound why may-be-elsewhere
//   t serial strided element 8 reads taken+4#24 + taken+4#4 + taken+4#6 + taken+4#8 + taken+4#9 writes 2*taken+4#2 conditional 2*taken+4#2 + taken+4#24 + taken+4#4 + taken+4#6 + taken+4#8 + taken+4#9 exact why fresh-object
KERNEL std_map(long m, double *out) {
  std::map<long, double> t;
  for (long i = 0; i < m; i++)
    t[i * 37 % m] = i;
  for (auto &[key, value] : t)
    *out += value;
}

// KERNEL hash_map: bound may-be-elsewhere
//   t serial chase element 8 dependent reads 2*taken+4#6 + 2*trip+6 + 2*trip+6#1 + 3*trip+4#1 + taken+4#1 + taken+4#5 + trip+4 + trip+7 + trip+7#1 writes 2*taken+4#5 + taken+4#6 + taken+4#7 conditional 2*trip+6 + 2*trip+6#1 + 3*taken+4#5 + 3*taken+4#6 + 3*trip+4#1 + taken+4#7 + trip+7 bound why may-be-elsewhere
//   t serial random element 8 reads 2*taken+4 + 2*taken+4#9 + 2*taken+6#1 + m*taken+5 + taken+4#11 + taken+4#8 + trip+3 writes taken+4#10 + taken+4#11 + taken+4#12 + taken+4#9 conditional 2*taken+4#11 + 2*taken+6#1 + 3*taken+4#9 + m*taken+5 + taken+4#10 + taken+4#12 + taken+4#8 index t bound why may-be-elsewhere
//   t serial stream(64) element 64 reads 0 writes lines+4 + lines+7 + lines+7#1 conditional lines+4 + lines+7#1 bound why may-be-elsewhere
//   t serial strided element 8 reads 0 writes 3*taken+4#2 + taken+4#10 + taken+4#9 conditional 3*taken+4#2 + taken+4#10 + taken+4#9 exact why fresh-object
//   t serial strided(56) element 8 reads taken+6#1 writes 0 conditional taken+6#1 bound why may-be-elsewhere
KERNEL hash_map(long m, double *out) {
  std::unordered_map<long, double> t;
  for (long i = 0; i < m; i++)
    t[i * 7] = i;
  for (long i = 0; i < m; i++)
    *out += t.find(i * 7)->second;
}

// KERNEL owned_tree: bound callers-differ,may-be-elsewhere
//   node serial stream(64) element 64 reads 0 writes calls+5 exact
//   node serial strided element 8 reads 2*taken+8 writes 2*taken+8 + calls+5 conditional 4*taken+8 exact why fresh-object
//   node serial chase element 8 dependent reads 3*taken+14 writes 0 conditional 3*taken+14 exact
//   node serial random element 8 reads calls@unique_ptr.h writes calls@unique_ptr.h bound why callers-differ, may-be-elsewhere
struct Node {
  std::unique_ptr<Node> Left, Right;
  double Value = 1;
};
__attribute__((noinline)) static std::unique_ptr<Node> grow(int depth) {
  auto node = std::make_unique<Node>();
  if (depth > 0) {
    node->Left = grow(depth - 1);
    node->Right = grow(depth - 1);
  }
  return node;
}
__attribute__((noinline)) static double owned_tree_sum(const Node *n) {
  return n ? n->Value + owned_tree_sum(n->Left.get()) +
                 owned_tree_sum(n->Right.get())
           : 0;
}
KERNEL owned_tree(double *out) {
  auto root = grow(5);
  *out += owned_tree_sum(root.get());
}

// KERNEL class_vector: exact
//   X serial invariant element 8 reads 0 writes min(1, max(-n, n)) exact
//   X serial stream(64) element 64 reads 0 writes max(0, min(8*n - 8, ceildiv(8*n, 64))) exact
//   Y serial invariant element 8 reads 0 writes min(1, max(-n, n)) exact
//   Y serial stream(64) element 64 reads 0 writes max(0, min(8*n - 8, ceildiv(8*n, 64))) exact
//   Cell serial invariant element 4 reads 0 writes min(1, max(-n, n)) exact
//   Cell serial stream(64) element 64 reads 0 writes max(0, min(4*n - 4, ceildiv(4*n, 64))) exact
//   X serial stream(8) element 8 reads (this->X._M_impl._M_finish - this->X._M_impl._M_start) writes (this->X._M_impl._M_finish - this->X._M_impl._M_start) exact
//   Y serial stream(8) element 8 reads (this->X._M_impl._M_finish - this->X._M_impl._M_start) writes 0 exact
//   Cell serial stream(4) element 4 reads elements+11.5 writes 0 exact
//   X serial random element 8 reads elements+11.5 writes 0 index Cell exact
struct Mesh {
  std::vector<double> X, Y;
  std::vector<int> Cell;
  explicit Mesh(long n) : X(n), Y(n), Cell(n) {}
  __attribute__((noinline)) void move(double dt) {
    for (std::size_t i = 0; i < X.size(); i++)
      X[i] += dt * Y[i];
  }
  __attribute__((noinline)) double pick() const {
    double s = 0;
    for (int c : Cell)
      s += X[c];
    return s;
  }
};
KERNEL class_vector(long n, double *out) {
  Mesh mesh(n);
  mesh.move(.5);
  *out += mesh.pick();
}

// KERNEL class_parallel: exact
//   U serial invariant element 8 reads 0 writes min(1, max(-n, n)) exact
//   U serial stream(64) element 64 reads 0 writes max(0, min(8*n - 8, ceildiv(8*n, 64))) exact
//   V serial invariant element 8 reads 0 writes min(1, max(-n, n)) exact
//   V serial stream(64) element 64 reads 0 writes max(0, min(8*n - 8, ceildiv(8*n, 64))) exact
//   U parallel stream(8) element 8 reads share((this->U._M_impl._M_finish - this->U._M_impl._M_start)) writes share((this->U._M_impl._M_finish - this->U._M_impl._M_start)) exact
//   V parallel stream(8) element 8 reads share((this->U._M_impl._M_finish - this->U._M_impl._M_start)) writes 0 exact
struct Field {
  std::vector<double> U, V;
  explicit Field(long n) : U(n), V(n) {}
  __attribute__((noinline)) void step() {
#pragma omp parallel for
    for (std::size_t i = 0; i < U.size(); i++)
      U[i] += V[i];
  }
};
KERNEL class_parallel(long n) {
  Field f(n);
  f.step();
}

// KERNEL pointer_pair: exact
//   a serial stream(8) element 8 reads trip+2 writes trip+2 exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
KERNEL pointer_pair_loop(double *p, double *end) {
  for (; p != end; ++p)
    *p += 1;
}
KERNEL pointer_pair(long n) {
  double *a = new double[n]();
  pointer_pair_loop(a, a + n);
  pointer_pair_loop(a + 3, a + n);
  delete[] a;
}

// KERNEL pointer_pair_once: exact
//   a serial stream(4) element 4 reads (end - p) writes 0 exact
//   a serial invariant element 4 reads 0 writes 1 exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(4*n, 64) exact
KERNEL pointer_pair_once_loop(const float *p, const float *end, float *out) {
  float s = 0;
  while (p < end)
    s += *p++;
  *out = s;
}
KERNEL pointer_pair_once(long n) {
  float *a = new float[n]();
  pointer_pair_once_loop(a, a + n, a);
  delete[] a;
}

// KERNEL row_pointers: exact
//   a[i] serial stream(8) element 8 reads 37*m writes 37*m exact
//   a serial stream(8) element 8 reads 37*min(1, max(0, m)) + 37 writes 37 exact
//   a[i] serial stream(64) element 64 reads 0 writes 37*ceildiv(8*m, 64) exact
KERNEL row_pointers_loop(double **a, long n, long m) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i][j] += 1;
}
KERNEL row_pointers(long m) {
  double **a = new double *[37];
  for (long i = 0; i < 37; i++)
    a[i] = new double[m]();
  row_pointers_loop(a, 37, m);
  for (long i = 0; i < 37; i++)
    delete[] a[i];
  delete[] a;
}

// KERNEL matrix_class: exact
//   new serial stream(64) element 64 reads 0 writes ceildiv(232*m, 64) + ceildiv(232*n, 64) + ceildiv(8*m*n, 64) exact
//   new serial stream(8) element 8 reads a.C*a.R*b.C writes a.R*b.C exact
//   new serial strided(8*b.C) element 8 reads a.C*a.R*b.C writes 0 reuse a.R exact
class Matrix {
  std::unique_ptr<double[]> Data;
  long R, C;

public:
  Matrix(long R, long C) : Data(new double[R * C]()), R(R), C(C) {}
  long rows() const { return R; }
  long cols() const { return C; }
  double &operator()(long i, long j) { return Data[i * C + j]; }
  double operator()(long i, long j) const { return Data[i * C + j]; }
};
__attribute__((noinline)) static void multiply(const Matrix &a, const Matrix &b,
                                               Matrix &c) {
  for (long i = 0; i < a.rows(); i++)
    for (long j = 0; j < b.cols(); j++) {
      double s = 0;
      for (long k = 0; k < a.cols(); k++)
        s += a(i, k) * b(k, j);
      c(i, j) = s;
    }
}
KERNEL matrix_class(long n, long m) {
  Matrix a(n, m), b(m, 29), c(n, 29);
  multiply(a, b, c);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = std::atol(argv[1]), m = std::atol(argv[2]);
  double out = 0;
  std_map(m, &out);
  hash_map(m, &out);
  owned_tree(&out);
  class_vector(n, &out);
  class_parallel(n);
  pointer_pair(n);
  pointer_pair_once(n);
  row_pointers(m);
  matrix_class(n, m);
  return out < 0;
}
