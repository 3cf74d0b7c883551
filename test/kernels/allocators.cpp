// C++: every form of new, allocators of containers, owners.
// INPUTS 101 67 | 131 89
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>
#define KERNEL __attribute__((noinline)) static void

// n writes, n reads and writes.
// KERNEL new_aligned: exact
//   a serial stream(8) element 8 reads n writes 2*n exact
KERNEL new_aligned(long n) {
  double *a = new (std::align_val_t(64)) double[n];
  for (long i = 0; i < n; i++)
    a[i] = i;
  for (long i = 0; i < n; i++)
    a[i] *= 2;
  ::operator delete[](a, std::align_val_t(64));
}

// n elements of 64 bytes; one of their fields is written.
struct alignas(64) Cell {
  double value, rest[7];
};
// KERNEL new_overaligned: exact
//   a serial strided(64) element 8 reads max(0, n - 1) writes 2*max(0, n - 1) + n exact
KERNEL new_overaligned(long n) {
  Cell *a = new Cell[n];
  for (long i = 0; i < n; i++)
    a[i].value = i;
  for (long i = 1; i < n; i++)
    a[i].value += a[i - 1].rest[3] = i;
  delete[] a;
}

// KERNEL new_nothrow: exact
//   a serial stream(8) element 8 reads 0 writes n*taken+5 conditional n*taken+5 exact
//   a serial stream(-8) element 8 reads n*taken+5 writes n*taken+5 conditional 2*n*taken+5 exact
KERNEL new_nothrow(long n) {
  double *a = new (std::nothrow) double[n];
  if (!a)
    return;
  for (long i = 0; i < n; i++)
    a[i] = i;
  for (long i = n; i > 0; i--)
    a[i - 1] += 1;
  delete[] a;
}

// KERNEL new_aligned_nothrow: exact
//   a serial strided(4*m) element 4 reads n writes m*n + n exact
KERNEL new_aligned_nothrow(long n, long m) {
  float *a = new (std::align_val_t(128), std::nothrow) float[n * m];
  for (long j = 0; j < m; j++)
    for (long i = 0; i < n; i++)
      a[i * m + j] = i;
  for (long i = 0; i < n; i++)
    a[i * m] += 1;
  ::operator delete[](a, std::align_val_t(128));
}

// KERNEL new_object: exact
//   b serial stream(8) element 8 reads 0 writes 211 exact
//   b serial strided(16) element 8 reads 106 writes 0 exact
struct Block {
  double data[211];
};
KERNEL new_object(double *out) {
  Block *b = new Block;
  for (int i = 0; i < 211; i++)
    b->data[i] = i;
  for (int i = 0; i < 211; i += 2)
    *out += b->data[i];
  delete b;
}

// KERNEL operator_new: exact
//   a parallel stream(8) element 8 reads 0 writes share(n) exact
KERNEL operator_new(long n) {
  double *a = static_cast<double *>(::operator new(n * sizeof(double)));
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] = i;
  ::operator delete(a);
}

// A pool that hands out parts of one block.
// KERNEL placement_new: exact
//   pool serial stream(8) element 8 reads n writes n exact
//   pool[8*n] serial stream(8) element 8 reads n writes 2*n exact
KERNEL placement_new(long n) {
  char *pool = static_cast<char *>(std::malloc(2 * n * sizeof(double)));
  double *a = new (pool) double[n];
  double *b = new (pool + n * sizeof(double)) double[n];
  for (long i = 0; i < n; i++)
    a[i] = i;
  for (long i = 0; i < n; i++)
    b[i] = a[i];
  for (long i = 0; i < n; i++)
    b[i] += 1;
  std::free(pool);
}

// KERNEL class_new: exact
//   p serial stream(8) element 8 reads 0 writes 8*n exact
//   p serial strided(64) element 8 reads n writes n exact
struct Aligned {
  double value[8];
  static void *operator new[](std::size_t bytes) {
    void *p = std::aligned_alloc(64, bytes);
    if (!p)
      std::abort();
    return p;
  }
  static void operator delete[](void *p) { std::free(p); }
};
KERNEL class_new(long n) {
  auto *a = new Aligned[n];
  for (long i = 0; i < n; i++)
    for (int j = 0; j < 8; j++)
      a[i].value[j] = i;
  for (long i = 0; i < n; i++)
    a[i].value[0] += 1;
  delete[] a;
}

// KERNEL own_allocator: exact
//   p serial stream(8) element 8 reads max(1, n)*min(1, max(-n, n)) + n writes max(1, n)*min(1, max(-n, n)) + n exact
// An allocator of the program's for a container: n are set, n changed, n read.
template <class T> struct Lines {
  using value_type = T;
  Lines() = default;
  template <class U> Lines(const Lines<U> &) {}
  T *allocate(std::size_t n) {
    void *p = std::aligned_alloc(64, (n * sizeof(T) + 63) / 64 * 64 + 64);
    if (!p)
      throw std::bad_alloc();
    return static_cast<T *>(p);
  }
  void deallocate(T *p, std::size_t) { std::free(p); }
  bool operator==(const Lines &) const { return true; }
  bool operator!=(const Lines &) const { return false; }
};
KERNEL own_allocator(long n, double *out) {
  std::vector<double, Lines<double>> v(n, 1.0);
  for (long i = 0; i < n; i++)
    v[i] += i;
  for (double x : v)
    *out += x;
}

// KERNEL unique_new: exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
//   a serial stream(8) element 8 reads n writes n exact
KERNEL unique_new(long n) {
  auto a = std::make_unique<double[]>(n);
  for (long i = 0; i < n; i++)
    a[i] += i;
}

// The C library's memory, owned.
// KERNEL unique_malloc: exact
//   p serial stream(8) element 8 reads n writes 2*n exact
struct Release {
  void operator()(double *p) const { std::free(p); }
};
KERNEL unique_malloc(long n) {
  auto *p = static_cast<double *>(std::calloc(n, sizeof(double)));
  std::unique_ptr<double, Release> owner(p);
  for (long i = 0; i < n; i++)
    p[i] = i;
  for (long i = 0; i < n; i++)
    p[i] += 1;
}

// KERNEL static_member: exact
//   table serial strided(24) element 8 reads n writes n exact
template <class T> struct Constants {
  static T table[8192];
};
template <class T> T Constants<T>::table[8192];
KERNEL static_member(long n) {
  for (long i = 0; i < n; i++)
    Constants<double>::table[3 * i] += i;
}

// 512 columns of 64 elements.
// KERNEL function_static: exact
//   table serial strided(2048) element 4 reads 32768 writes 32768 exact
KERNEL function_static(long n) {
  static float table[64][512];
  for (long j = 0; j < 512; j++)
    for (long i = 0; i < 64; i++)
      table[i][j] += n;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = std::atol(argv[1]), m = std::atol(argv[2]);
  double out = 0;
  new_aligned(n);
  new_overaligned(n);
  new_nothrow(n);
  new_aligned_nothrow(n, m);
  new_object(&out);
  operator_new(n);
  placement_new(n);
  class_new(n);
  own_allocator(n, &out);
  unique_new(n);
  unique_malloc(n);
  static_member(n);
  function_static(n);
  return out < 0;
}
