// C++: what OpenMP's directives make of loops, blocks and tasks.
// INPUTS 101 67 | 131 89
#include <cstdlib>
#include <omp.h>
#define KERNEL __attribute__((noinline)) static void

// KERNEL for_static: exact
//   a parallel stream(8) element 8 reads 0 writes share(n) exact
KERNEL for_static(long n) {
  auto *a = new double[n];
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; i++)
    a[i] = i;
  delete[] a;
}

// KERNEL for_chunked: exact
//   a parallel stream(8) element 8 reads 0 writes m*share(n, 4) exact
KERNEL for_chunked(long n, long m) {
  auto *a = new double[n * m];
#pragma omp parallel for schedule(static, 4)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i * m + j] = j;
  delete[] a;
}

// KERNEL for_guided: total dynamic-schedule
//   a parallel stream(8) element 8 reads 0 writes evenly(n) bound why dynamic-schedule
KERNEL for_guided(long n) {
  auto *a = new double[n];
#pragma omp parallel for schedule(guided, 2)
  for (long i = 0; i < n; i++)
    a[i] = i;
  delete[] a;
}

// KERNEL for_auto: total dynamic-schedule
//   a parallel stream(8) element 8 reads 0 writes evenly(n) bound why dynamic-schedule
KERNEL for_auto(long n) {
  auto *a = new double[n];
#pragma omp parallel for schedule(auto)
  for (long i = 0; i < n; i++)
    a[i] = i;
  delete[] a;
}

// KERNEL for_runtime: total dynamic-schedule
//   a parallel stream(-8) element 8 reads 0 writes evenly(n) bound why dynamic-schedule
KERNEL for_runtime(long n) {
  auto *a = new double[n];
#pragma omp parallel for schedule(runtime)
  for (long i = n - 1; i >= 0; i--)
    a[i] = i;
  delete[] a;
}

// All cells, dealt out: share(n*m).
// KERNEL collapsed: exact
//   data parallel stream(8) element 8 reads 0 writes share(m*n) exact
template <class T> struct Grid {
  T *data;
  long n, m;
  T &operator()(long i, long j) { return data[i * m + j]; }
};
KERNEL collapsed(long n, long m) {
  auto *data = new double[n * m];
  Grid<double> a{data, n, m};
#pragma omp parallel for collapse(2)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a(i, j) = i - j;
  delete[] data;
}

// KERNEL ordered: total dynamic-schedule
//   a parallel stream(8) element 8 reads 0 writes evenly(n) bound why dynamic-schedule
KERNEL ordered(long n, double *out) {
  auto *a = new double[n];
#pragma omp parallel for ordered schedule(dynamic)
  for (long i = 0; i < n; i++) {
    a[i] = i;
#pragma omp ordered
    *out = *out / 2 + i;
  }
  delete[] a;
}

// KERNEL simd_lambda: exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
//   a serial strided(8) element 4 reads n writes n exact
KERNEL simd_lambda(long n) {
  auto *a = new float[2 * n]();
  auto body = [a](long i) { a[2 * i] += 1; };
#pragma omp simd
  for (long i = 0; i < n; i++)
    body(i);
  delete[] a;
}

// Rows to the outer team, cells to the inner ones, which have one thread.
// KERNEL nested: exact
//   a parallel stream(8) element 8 reads 0 writes m*share(n) exact
//   a parallel stream(8) element 8 reads 0 writes share(m) exact
KERNEL nested(long n, long m) {
  auto *a = new double[n * m];
#pragma omp parallel for
  for (long i = 0; i < n; i++)
#pragma omp parallel for
    for (long j = 0; j < m; j++)
      a[i * m + j] = i + j;
  delete[] a;
}

// One thread writes n, one m, and all of them share n once more.
// KERNEL single_and_masked: exact
//   a parallel stream(8) element 8 reads share(n) writes n*taken+7 + share(n) conditional n*taken+7 exact
//   b parallel stream(8) element 8 reads 0 writes m*taken+10 conditional m*taken+10 exact
KERNEL single_and_masked(long n, long m) {
  auto *a = new double[n];
  auto *b = new double[m];
#pragma omp parallel
  {
#pragma omp single
    for (long i = 0; i < n; i++)
      a[i] = i;
#pragma omp masked
    for (long i = 0; i < m; i++)
      b[i] = i;
#pragma omp for
    for (long i = 0; i < n; i++)
      a[i] += 1;
  }
  delete[] a;
  delete[] b;
}

// KERNEL reduced: exact
//   a parallel stream(8) element 8 reads share(n) writes 0 exact
//   b parallel stream(8) element 8 reads share(n) writes 0 exact
KERNEL reduced(long n, double *out) {
  auto *a = new double[n], *b = new double[n];
  double dot = 0;
#pragma omp parallel for reduction(+ : dot)
  for (long i = 0; i < n; i++)
    dot += a[i] * b[i];
  *out += dot > 0;
  delete[] a;
  delete[] b;
}

// A task for each of n rows.
// KERNEL row_tasks: exact
//   a task stream(8) element 8 reads 0 writes m exact
KERNEL row_tasks(long n, long m) {
  auto *a = new double[n * m];
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n; i++) {
#pragma omp task
    for (long j = 0; j < m; j++)
      a[i * m + j] = j;
  }
  delete[] a;
}

// The second of two waits for the first: n reads, n writes.
// KERNEL task_depend: exact
//   a task stream(8) element 8 reads 0 writes n exact
//   b task stream(8) element 8 reads 0 writes n exact
//   a task stream(-8) element 8 reads n writes 0 exact
KERNEL task_depend(long n) {
  auto *a = new double[n], *b = new double[n];
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : a[0])
    for (long i = 0; i < n; i++)
      a[i] = i;
#pragma omp task depend(in : a[0])
    for (long i = 0; i < n; i++)
      b[i] = a[n - 1 - i];
  }
  delete[] a;
  delete[] b;
}

// Halves until 16 are left.
// KERNEL recursive_tasks: exact
//   a task stream(8) element 8 reads trip+3 writes trip+3 conditional 2*trip+3 exact
//   a parallel stream(8) element 8 reads trip+3 writes trip+3 conditional 2*trip+3 exact
//   a task stream(8) element 8 reads trip+3 writes trip+3 conditional 2*trip+3 exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
template <class T> static void recursive_tasks_halve(T *a, long n) {
  if (n <= 16) {
    for (long i = 0; i < n; i++)
      a[i] += 1;
    return;
  }
#pragma omp task
  recursive_tasks_halve(a, n / 2);
#pragma omp task
  recursive_tasks_halve(a + n / 2, n - n / 2);
#pragma omp taskwait
}
KERNEL recursive_tasks(long n) {
  auto *a = new double[n]();
#pragma omp parallel
#pragma omp single
  recursive_tasks_halve(a, n);
  delete[] a;
}

// Each thread goes over a part of its own: n reads and writes a thread.
// KERNEL threadprivate: exact
//   a serial stream(64) element 64 reads 0 writes n exact
//   a parallel stream(8) element 8 reads n writes n exact
static double *threadprivate_own;
#pragma omp threadprivate(threadprivate_own)
KERNEL threadprivate(long n) {
  auto *a = new double[8 * n]();
#pragma omp parallel
  {
    threadprivate_own = a + n * omp_get_thread_num();
    for (long i = 0; i < n; i++)
      threadprivate_own[i] += 1;
  }
  delete[] a;
}

// KERNEL atomic_scatter: exact
//   to serial stream(64) element 64 reads 0 writes ceildiv(4*n, 64) exact
//   y serial stream(64) element 64 reads 0 writes ceildiv(8*m, 64) exact
//   y parallel random element 8 reads share(n) writes share(n) atomics share(n) index to exact
//   to parallel stream(4) element 4 reads share(n) writes 0 exact
KERNEL atomic_scatter(long n, long m) {
  auto *to = new int[n]();
  auto *y = new double[m]();
#pragma omp parallel for
  for (long i = 0; i < n; i++)
#pragma omp atomic
    y[to[i]] += 1;
  delete[] to;
  delete[] y;
}

// One thread at a time, all of them on one element.
// KERNEL critical: exact
//   a serial stream(64) element 64 reads 0 writes 8 exact
//   a parallel invariant element 8 reads share(n) writes share(n) exact
KERNEL critical(long n) {
  auto *a = new double[64]();
#pragma omp parallel for
  for (long i = 0; i < n; i++)
#pragma omp critical
    a[7] += i;
  delete[] a;
}

// One counter, an element of the list for each that it counts.
// KERNEL atomic_capture: exact
//   next serial stream(64) element 64 reads 0 writes 8 exact
//   next parallel invariant element 8 reads share(n) writes share(n) atomics share(n) exact
//   order parallel random element 8 reads 0 writes share(n) exact why computed-index
KERNEL atomic_capture(long n) {
  auto *next = new long[64]();
  auto *order = new long[n];
#pragma omp parallel for
  for (long i = 0; i < n; i++) {
    long at;
#pragma omp atomic capture
    at = next[0]++;
    order[at] = i;
  }
  delete[] next;
  delete[] order;
}

// n by the first thread, then all of it by all of them.
// KERNEL master_then_all: exact
//   a parallel stream(8) element 8 reads 0 writes n + n*taken+6 conditional n*taken+6 exact
KERNEL master_then_all(long n) {
  auto *a = new double[n];
#pragma omp parallel
  {
#pragma omp master
    for (long i = 0; i < n; i++)
      a[i] = i;
#pragma omp barrier
    for (long i = 0; i < n; i++)
      a[i] = -i;
  }
  delete[] a;
}

// A task for each of the 8 parts of n; the group ends before the loop does.
// KERNEL task_group: exact
//   a task stream(8) element 8 reads 0 writes n exact
KERNEL task_group(long n) {
  auto *a = new double[8 * n];
#pragma omp parallel
#pragma omp masked
#pragma omp taskgroup
  for (long b = 0; b < 8; b++) {
#pragma omp task firstprivate(b)
    for (long i = 0; i < n; i++)
      a[b * n + i] = i;
  }
  delete[] a;
}

// KERNEL taskloop_grain: exact
//   a task stream(8) element 8 reads 0 writes m*share(n) exact
KERNEL taskloop_grain(long n, long m) {
  auto *a = new double[n * m];
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(8)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i * m + j] = j;
  delete[] a;
}

// KERNEL for_dynamic: total dynamic-schedule
//   a parallel stream(8) element 8 reads 0 writes evenly(n) bound why dynamic-schedule
KERNEL for_dynamic(long n) {
  auto *a = new double[n];
#pragma omp parallel for schedule(dynamic)
  for (long i = 0; i < n; i++)
    a[i] = i;
  delete[] a;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = std::atol(argv[1]), m = std::atol(argv[2]);
  double out = 0;
  for_static(n);
  for_chunked(n, m);
  for_guided(n);
  for_auto(n);
  for_runtime(n);
  collapsed(n, m);
  ordered(n, &out);
  simd_lambda(n);
  nested(n, m);
  single_and_masked(n, m);
  reduced(n, &out);
  row_tasks(n, m);
  task_depend(n);
  recursive_tasks(n);
  threadprivate(n);
  atomic_scatter(n, m);
  critical(n);
  atomic_capture(n);
  master_then_all(n);
  task_group(n);
  taskloop_grain(n, m);
  for_dynamic(n);
  return out < 0;
}
