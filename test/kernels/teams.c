// OpenMP: collapsed and nested loops, atomics, what threads keep, regions that
// run more than once.
// INPUTS 101 67 | 131 89
#include <omp.h>
#include <stdlib.h>

#define KERNEL __attribute__((noinline)) static void
#define NEW(type, n) malloc((n) * sizeof(type))

// KERNEL atomic_update: exact
//   y parallel random element 8 reads share(n) writes share(n) atomics share(n) index idx exact
//   idx parallel stream(4) element 4 reads share(n) writes 0 exact
KERNEL atomic_update(long n, long m) {
  int *idx = calloc(n, sizeof *idx);
  double *y = calloc(m, sizeof *y);
#pragma omp parallel for
  for (long i = 0; i < n; i++)
#pragma omp atomic
    y[idx[i]] += 1;
  free(idx);
  free(y);
}

// KERNEL atomic_count: exact
//   y parallel random element 8 reads share(n) writes share(n) atomics share(n) index idx exact
//   idx parallel stream(4) element 4 reads share(n) writes 0 exact
KERNEL atomic_count(long n, long m) {
  int *idx = calloc(n, sizeof *idx);
  long *y = calloc(m, sizeof *y);
#pragma omp parallel for
  for (long i = 0; i < n; i++)
#pragma omp atomic
    y[idx[i]]++;
  free(idx);
  free(y);
}

// KERNEL atomic_read_write: exact
//   a parallel stream(8) element 8 reads share(n) writes 0 exact
//   b parallel stream(8) element 8 reads 0 writes share(n) exact
KERNEL atomic_read_write(long n) {
  long *a = calloc(n, sizeof *a);
  long *b = calloc(n, sizeof *b);
#pragma omp parallel for
  for (long i = 0; i < n; i++) {
    long v;
#pragma omp atomic read
    v = a[i];
#pragma omp atomic write
    b[i] = v;
  }
  free(a);
  free(b);
}

// One counter, an element of the list for each that it counts.
// KERNEL atomic_capture: exact
//   next parallel invariant element 8 reads share(n) writes share(n) atomics share(n) exact
//   list parallel random element 8 reads 0 writes share(n) exact why computed-index
KERNEL atomic_capture(long n) {
  long *next = calloc(64, sizeof *next);
  long *list = calloc(n, sizeof *list);
#pragma omp parallel for
  for (long i = 0; i < n; i++) {
    long at;
#pragma omp atomic capture
    at = next[0]++;
    list[at] = i;
  }
  free(next);
  free(list);
}

// KERNEL nested_parallel: exact
//   a parallel stream(8) element 8 reads m*share(n) writes m*share(n) exact
//   a parallel stream(8) element 8 reads share(m) writes share(m) exact
KERNEL nested_parallel(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
#pragma omp parallel for
  for (long i = 0; i < n; i++) {
#pragma omp parallel for
    for (long j = 0; j < m; j++)
      a[i * m + j] += 1;
  }
  free(a);
}

// KERNEL collapse_padded: exact
//   a parallel stream(8) element 8 reads share(m*n) writes share(m*n) exact
//   b parallel stream(8) element 8 reads share(m*n) writes 0 exact
KERNEL collapse_padded(long n, long m) {
  double *a = calloc(n * (m + 3), sizeof *a);
  double *b = calloc(n, sizeof *b);
#pragma omp parallel for collapse(2)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i * (m + 3) + j] += b[i];
  free(a);
  free(b);
}

// KERNEL collapse_stencil: exact
//   b parallel stream(8) element 8 reads 0 writes share(max(0, m - 2)*max(0, n - 2)) exact
//   a parallel stencil(8) points 4 element 8 reads 4*share(max(0, m - 2)*max(0, n - 2)) writes 0 dimensions 2 exact
KERNEL collapse_stencil(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
  double *b = calloc(n * m, sizeof *b);
#pragma omp parallel for collapse(2)
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < m - 1; j++)
      b[i * m + j] = a[(i - 1) * m + j] + a[(i + 1) * m + j] +
                     a[i * m + j - 1] + a[i * m + j + 1];
  free(a);
  free(b);
}

// KERNEL heat3d: exact
//   b parallel stream(8) element 8 reads 0 writes max(0, n - 2)*share(max(0, n - 2)*max(0, n - 2)) exact
//   a parallel stencil(8) points 7 element 8 reads 7*max(0, n - 2)*share(max(0, n - 2)*max(0, n - 2)) writes 0 dimensions 3 exact
KERNEL heat3d(int n) {
  double *a = calloc((long)n * n * n, sizeof *a);
  double *b = calloc((long)n * n * n, sizeof *b);
#pragma omp parallel for collapse(2)
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++) {
        long c = ((long)i * n + j) * n + k;
        b[c] = a[c] + a[c - 1] + a[c + 1] + a[c - n] + a[c + n] +
               a[c - (long)n * n] + a[c + (long)n * n];
      }
  free(a);
  free(b);
}

// KERNEL collapse_box: exact
//   b parallel stream(8) element 8 reads 0 writes share(max(0, m - 2)*max(0, n - 2)*max(0, o - 2)) exact
//   a parallel stencil(8) points 6 element 8 reads 6*share(max(0, m - 2)*max(0, n - 2)*max(0, o - 2)) writes 0 dimensions 3 exact
#define CELL(i, j, k) (((i) * m + (j)) * o + (k))
KERNEL collapse_box(int n, int m, int o) {
  double *a = calloc((long)n * m * o, sizeof *a);
  double *b = calloc((long)n * m * o, sizeof *b);
#pragma omp parallel for collapse(3)
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      for (int k = 1; k < o - 1; k++)
        b[CELL(i, j, k)] = a[CELL(i, j, k - 1)] + a[CELL(i, j, k + 1)] +
                           a[CELL(i, j - 1, k)] + a[CELL(i, j + 1, k)] +
                           a[CELL(i - 1, j, k)] + a[CELL(i + 1, j, k)];
  free(a);
  free(b);
}

// KERNEL wavefront: exact
//   t parallel strided(4*n) element 4 reads 0 writes share(hi - lo + 1) exact
//   t parallel stencil(4*n) points 3 element 4 reads 3*share(hi - lo + 1) writes 0 dimensions 2 exact
KERNEL wavefront(long n) {
  int *t = calloc((n + 1) * (n + 1), sizeof *t);
  for (long d = 2; d <= 2 * n; d++) {
    long lo = d - n > 1 ? d - n : 1, hi = d - 1 < n ? d - 1 : n;
#pragma omp parallel for
    for (long i = lo; i <= hi; i++) {
      long j = d - i;
      t[i * (n + 1) + j] = t[(i - 1) * (n + 1) + j - 1] +
                           t[(i - 1) * (n + 1) + j] + t[i * (n + 1) + j - 1];
    }
  }
  free(t);
}

// KERNEL collapse_columns: exact
//   a parallel strided(8*m) element 8 reads share(m*n) writes share(m*n) exact
KERNEL collapse_columns(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
#pragma omp parallel for collapse(2)
  for (long j = 0; j < m; j++)
    for (long i = 0; i < n; i++)
      a[i * m + j] += 1;
  free(a);
}

// KERNEL collapse_guided: total dynamic-schedule
//   a parallel stream(4) element 4 reads evenly(4*m*n) writes evenly(4*m*n) bound why dynamic-schedule
KERNEL collapse_guided(int n, int m) {
  float *a = calloc(4 * n * m, sizeof *a);
#pragma omp parallel for collapse(3) schedule(guided)
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        a[(k * n + i) * m + j] += 1;
  free(a);
}

// KERNEL collapse_inner: exact
//   a parallel stream(8) element 8 reads 8*share(m*n, 4) writes 8*share(m*n, 4) exact
KERNEL collapse_inner(long n, long m) {
  double *a = calloc(8 * n * m, sizeof *a);
#pragma omp parallel for collapse(2) schedule(static, 4)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < 8; k++)
        a[(i * m + j) * 8 + k] += 1;
  free(a);
}

// KERNEL run_twice: exact
//   a parallel stream(8) element 8 reads share(part) writes share(part) exact
KERNEL run_twice(long n) {
  double *a = calloc(2 * n, sizeof *a);
  for (long part = n; part <= 2 * n; part += n) {
#pragma omp parallel for
    for (long i = 0; i < part; i++)
      a[i] += 1;
  }
  free(a);
}

// KERNEL shrinking: exact
//   a parallel stream(8) element 8 reads share(left) writes share(left) exact
KERNEL shrinking(long n) {
  double *a = calloc(n, sizeof *a);
  for (long left = n; left > 0; left /= 2) {
#pragma omp parallel for
    for (long i = 0; i < left; i++)
      a[i] += 1;
  }
  free(a);
}

// KERNEL threadprivate: exact
//   a parallel stream(8) element 8 reads n writes n exact
static double *threadprivate_own;
#pragma omp threadprivate(threadprivate_own)
KERNEL threadprivate(long n) {
  double *a = calloc(n * 8, sizeof *a);
#pragma omp parallel
  {
    threadprivate_own = a + n * omp_get_thread_num();
    for (long i = 0; i < n; i++)
      threadprivate_own[i] += 1;
  }
  free(a);
}

// KERNEL array_reduction: exact
//   a parallel stream(8) element 8 reads share(n) writes 0 exact
KERNEL array_reduction(long n) {
  double *a = calloc(n, sizeof *a), sum[4] = {0};
  double *s = calloc(29, sizeof *s);
#pragma omp parallel for reduction(+ : sum[ : 4])
  for (long i = 0; i < n; i++)
    sum[i % 4] += a[i];
  s[0] = sum[0] + sum[3];
  free(a);
  free(s);
}

// KERNEL masked_block: exact
//   a parallel stream(8) element 8 reads n*taken+6 + share(n) writes n*taken+6 + share(n) conditional 2*n*taken+6 exact
KERNEL masked_block(long n) {
  double *a = calloc(n, sizeof *a);
#pragma omp parallel
  {
#pragma omp master
    for (long i = 0; i < n; i++)
      a[i] += 1;
#pragma omp barrier
#pragma omp for nowait
    for (long i = 0; i < n; i++)
      a[i] *= 2;
  }
  free(a);
}

// KERNEL hand_shared: exact
//   a parallel strided(8*value+5.46) element 8 reads (floordiv(max(n, value+5.14 + value+5.46) - min(1, max(0, n - value+5.14 - value+5.46)) - value+5.14 - value+5.46, value+5.46) + min(1, max(0, n - value+5.14 - value+5.46)) + 1)*taken+6 writes (floordiv(max(n, value+5.14 + value+5.46) - min(1, max(0, n - value+5.14 - value+5.46)) - value+5.14 - value+5.46, value+5.46) + min(1, max(0, n - value+5.14 - value+5.46)) + 1)*taken+6 exact
KERNEL hand_shared(long n) {
  double *a = calloc(n, sizeof *a);
#pragma omp parallel
  {
    long t = omp_get_thread_num(), threads = omp_get_num_threads();
    for (long i = t; i < n; i += threads)
      a[i] += 1;
  }
  free(a);
}

// KERNEL row_tasks: exact
//   a task stream(8) element 8 reads m*max(0, min(8, n - i)) writes m*max(0, min(8, n - i)) exact
KERNEL row_tasks(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
#pragma omp parallel
#pragma omp single
  for (long i = 0; i < n; i += 8) {
#pragma omp task firstprivate(i)
    for (long k = i; k < (i + 8 < n ? i + 8 : n); k++)
      for (long j = 0; j < m; j++)
        a[k * m + j] += 1;
  }
  free(a);
}

// KERNEL depend_chain: exact
//   a task stream(8) element 8 reads 0 writes n exact
//   b task stream(8) element 8 reads 0 writes n exact
//   a task stream(8) element 8 reads n writes 0 exact
//   a task stream(8) element 8 reads 0 writes n exact
//   b task stream(8) element 8 reads n writes 0 exact
KERNEL depend_chain(long n) {
  double *a = calloc(n, sizeof *a);
  double *b = calloc(n, sizeof *b);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : a[0])
    for (long i = 0; i < n; i++)
      a[i] = i;
#pragma omp task depend(in : a[0]) depend(out : b[0])
    for (long i = 0; i < n; i++)
      b[i] = a[i];
#pragma omp task depend(in : b[0])
    for (long i = 0; i < n; i++)
      a[i] = -b[i];
  }
  free(a);
  free(b);
}

// KERNEL taskloop_tasks: exact
//   a task stream(8) element 8 reads share(n) writes share(n) exact
KERNEL taskloop_tasks(long n) {
  double *a = calloc(n, sizeof *a);
#pragma omp parallel
#pragma omp master
#pragma omp taskloop num_tasks(5)
  for (long i = 0; i < n; i++)
    a[i] += i;
  free(a);
}

// KERNEL simd_strided: exact
//   a serial strided(12) element 4 reads n writes n exact
KERNEL simd_strided(long n) {
  float *a = calloc(3 * n, sizeof *a);
#pragma omp simd
  for (long i = 0; i < n; i++)
    a[3 * i] += 1;
  free(a);
}

// A team's bound, chosen in one loop around it and kept in the next.
// KERNEL chosen_outside: exact
//   sizes serial stream(8) element 8 reads 31 writes 31 exact
//   a parallel stream(8) element 8 reads 0 writes share(m) exact
KERNEL chosen_outside(long n) {
  double *a = malloc((n + 29) * sizeof *a);
  long *sizes = malloc(31 * sizeof *sizes);
  for (long r = 0; r < 31; r++)
    sizes[r] = n / (r + 1);
  for (long r = 0; r < 31; r++) {
    long m = sizes[r];
    for (long k = 0; k < 2; k++) {
#pragma omp parallel for firstprivate(m)
      for (long i = 0; i < m; i++)
        a[i] = i + k;
    }
  }
  free(a);
  free(sizes);
}

// KERNEL team_of_one: exact
//   a serial stream(8) element 8 reads share(n) writes share(n) exact
KERNEL team_of_one(long n) {
  double *a = calloc(n, sizeof *a);
#pragma omp parallel for if (0)
  for (long i = 0; i < n; i++)
    a[i] += 1;
  free(a);
}

// KERNEL team_by_size: exact
//   a parallel stream(8) element 8 reads share(n) writes share(n) exact
KERNEL team_by_size(long n) {
  double *a = calloc(n, sizeof *a);
#pragma omp parallel for if (n > 110)
  for (long i = 0; i < n; i++)
    a[i] += 1;
  free(a);
}

// What a function is handed is one number to its own loops, which are measured,
// and another to each team that it forks.
// KERNEL other_sizes: exact
//   a parallel stream(8) element 8 reads share(n) writes share(n) exact
//   a serial stream(8) element 8 reads trip+5 writes trip+5 exact
KERNEL other_sizes_loops(double *a, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] += 1;
  for (long i = 0; i < n; i++)
    a[i] += 1;
}
KERNEL other_sizes(long n, long m) {
  double *a = calloc(n, sizeof *a);
  other_sizes_loops(a, n);
  other_sizes_loops(a, m);
  free(a);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  atomic_update(n, m);
  atomic_count(n, m);
  atomic_read_write(n);
  atomic_capture(n);
  nested_parallel(n, m);
  other_sizes(n, m);
  collapse_padded(n, m);
  collapse_stencil(n, m);
  heat3d(n);
  collapse_box(n, m, n);
  wavefront(n);
  collapse_columns(n, m);
  collapse_guided(n, m);
  collapse_inner(n, m);
  run_twice(n);
  shrinking(n);
  threadprivate(n);
  array_reduction(n);
  masked_block(n);
  hand_shared(n);
  row_tasks(n, m);
  depend_chain(n);
  taskloop_tasks(n);
  simd_strided(n);
  chosen_outside(n);
  team_of_one(n);
  team_by_size(n);
  return 0;
}
