// OpenMP: schedules, collapse, sections, tasks, nesting, reductions.
// INPUTS 101 67 | 131 89
#include <stdlib.h>

#define KERNEL __attribute__((noinline)) static void
#define NEW(type, n) malloc((n) * sizeof(type))

// KERNEL par_static: exact
//   a parallel stream(8) element 8 reads 0 writes share(n) exact
KERNEL par_static(long n) {
  double *a = NEW(double, n);
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] = i;
  free(a);
}

// KERNEL par_chunked: exact
//   a parallel stream(8) element 8 reads 0 writes share(n, 8) exact
KERNEL par_chunked(long n) {
  double *a = NEW(double, n);
#pragma omp parallel for schedule(static, 8)
  for (long i = 0; i < n; i++)
    a[i] = i;
  free(a);
}

// KERNEL par_dynamic: total dynamic-schedule
//   a parallel stream(8) element 8 reads 0 writes evenly(n) bound why dynamic-schedule
KERNEL par_dynamic(long n) {
  double *a = NEW(double, n);
#pragma omp parallel for schedule(dynamic, 4)
  for (long i = 0; i < n; i++)
    a[i] = i;
  free(a);
}

// KERNEL par_guided: total dynamic-schedule
//   a parallel stream(8) element 8 reads 0 writes evenly(n) bound why dynamic-schedule
KERNEL par_guided(long n) {
  double *a = NEW(double, n);
#pragma omp parallel for schedule(guided)
  for (long i = 0; i < n; i++)
    a[i] = i;
  free(a);
}

// KERNEL par_runtime: total dynamic-schedule
//   a parallel stream(8) element 8 reads 0 writes evenly(n) bound why dynamic-schedule
KERNEL par_runtime(long n) {
  double *a = NEW(double, n);
#pragma omp parallel for schedule(runtime)
  for (long i = 0; i < n; i++)
    a[i] = i;
  free(a);
}

// KERNEL par_auto: total dynamic-schedule
//   a parallel stream(8) element 8 reads 0 writes evenly(n) bound why dynamic-schedule
KERNEL par_auto(long n) {
  double *a = NEW(double, n);
#pragma omp parallel for schedule(auto)
  for (long i = 0; i < n; i++)
    a[i] = i;
  free(a);
}

// KERNEL collapse2: exact
//   a parallel stream(8) element 8 reads 0 writes share(m*n) exact
KERNEL collapse2(long n, long m) {
  double *a = NEW(double, n * m);
#pragma omp parallel for collapse(2)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i * m + j] = i + j;
  free(a);
}

// KERNEL collapse3: exact
//   a parallel stream(4) element 4 reads 0 writes share(5*m*n) exact
KERNEL collapse3(long n, long m) {
  float *a = NEW(float, n * m * 5);
#pragma omp parallel for collapse(3)
  for (long k = 0; k < 5; k++)
    for (long i = 0; i < n; i++)
      for (long j = 0; j < m; j++)
        a[(k * n + i) * m + j] = 1;
  free(a);
}

// KERNEL par_nest: exact
//   a parallel stream(8) element 8 reads 0 writes m*share(n) exact
KERNEL par_nest(long n, long m) {
  double *a = NEW(double, n * m);
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i * m + j] = i + j;
  free(a);
}

// KERNEL par_triangle: exact
//   a parallel stream(8) element 8 reads 0 writes share(i < n: i + 1) exact
KERNEL par_triangle(long n) {
  double *a = NEW(double, n * n);
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++)
      a[i * n + j] = i + j;
  free(a);
}

// KERNEL par_stencil: exact
//   a,b parallel stream(8) element 8 reads 0 writes m*share(n - 2) exact
//   a,b parallel stencil(8) points 3 element 8 reads 3*m*share(n - 2) writes 0 dimensions 1 exact
KERNEL par_stencil(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
  double *b = calloc(n * m, sizeof *b);
  for (int t = 0; t < 3; t++) {
#pragma omp parallel for
    for (long i = 1; i < n - 1; i++)
      for (long j = 0; j < m; j++)
        b[i * m + j] = a[(i - 1) * m + j] + a[i * m + j] + a[(i + 1) * m + j];
    double *s = a;
    a = b;
    b = s;
  }
  free(a);
  free(b);
}

// KERNEL nowait_pair: exact
//   a parallel stream(8) element 8 reads 0 writes share(n) exact
//   b parallel strided(16) element 8 reads 0 writes share(floordiv(n + 1, 2)) exact
KERNEL nowait_pair(long n) {
  double *a = NEW(double, n);
  double *b = NEW(double, n);
#pragma omp parallel
  {
#pragma omp for nowait
    for (long i = 0; i < n; i++)
      a[i] = i;
#pragma omp for
    for (long i = 0; i < n; i += 2)
      b[i] = i;
  }
  free(a);
  free(b);
}

// KERNEL reduction: exact
//   a parallel stream(8) element 8 reads share(n) writes 0 exact
KERNEL reduction(long n, double *out) {
  double *a = calloc(n, sizeof *a), s = 0;
#pragma omp parallel for reduction(+ : s)
  for (long i = 0; i < n; i++)
    s += a[i];
  *out += s;
  free(a);
}

// KERNEL simd: later LoopVectorizePass
//   a serial stream(4) element 4 reads n writes n exact
KERNEL simd(long n) {
  float *a = calloc(n, sizeof *a);
#pragma omp simd
  for (long i = 0; i < n; i++)
    a[i] = a[i] * 2 + 1;
  free(a);
}

// KERNEL par_simd: later LoopVectorizePass
//   a parallel stream(4) element 4 reads share(n) writes share(n) exact
KERNEL par_simd(long n) {
  float *a = calloc(n, sizeof *a);
#pragma omp parallel for simd
  for (long i = 0; i < n; i++)
    a[i] = a[i] * 2 + 1;
  free(a);
}

// KERNEL ordered: exact
//   a parallel stream(8) element 8 reads share(n) writes 0 exact
KERNEL ordered(long n, double *out) {
  double *a = calloc(n, sizeof *a), s = 0;
#pragma omp parallel for ordered
  for (long i = 0; i < n; i++) {
    double v = a[i] * 2;
#pragma omp ordered
    s += v;
  }
  *out += s;
  free(a);
}

// KERNEL ordered_static: exact
//   a parallel stream(8) element 8 reads share(n - 2) writes 0 exact
KERNEL ordered_static(long n, double *out) {
  double *a = calloc(n, sizeof *a), s = 0;
#pragma omp parallel for ordered schedule(static)
  for (long i = 2; i < n; i++) {
    double v = a[i] * 2;
#pragma omp ordered
    s += v;
  }
  *out += s;
  free(a);
}

// KERNEL ordered_chunks: exact
//   a parallel stream(8) element 8 reads share(n, 7) writes 0 exact
KERNEL ordered_chunks(long n, double *out) {
  double *a = calloc(n, sizeof *a), s = 0;
#pragma omp parallel for ordered schedule(static, 7)
  for (long i = 0; i < n; i++) {
    double v = a[i] * 2;
#pragma omp ordered
    s += v;
  }
  *out += s;
  free(a);
}

// KERNEL ordered_rows: exact
//   a parallel stream(8) element 8 reads m*share(n) writes 0 exact
KERNEL ordered_rows(long n, long m, double *out) {
  double *a = calloc(n * m, sizeof *a), s = 0;
#pragma omp parallel for ordered schedule(static)
  for (long i = 0; i < n; i++) {
    double v = 0;
    for (long j = 0; j < m; j++)
      v += a[i * m + j];
#pragma omp ordered
    s += v;
  }
  *out += s;
  free(a);
}

// KERNEL ordered_dynamic: total dynamic-schedule
//   a parallel stream(8) element 8 reads evenly(n) writes 0 bound why dynamic-schedule
KERNEL ordered_dynamic(long n, double *out) {
  double *a = calloc(n, sizeof *a), s = 0;
#pragma omp parallel for ordered schedule(dynamic, 2)
  for (long i = 0; i < n; i++) {
    double v = a[i] * 2;
#pragma omp ordered
    s += v;
  }
  *out += s;
  free(a);
}

// KERNEL sections: exact
//   a parallel stream(8) element 8 reads 0 writes n*taken+7 conditional n*taken+7 exact
//   b parallel stream(8) element 8 reads 0 writes n*taken+10 conditional n*taken+10 exact
KERNEL sections(long n) {
  double *a = NEW(double, n);
  double *b = NEW(double, n);
#pragma omp parallel sections
  {
#pragma omp section
    for (long i = 0; i < n; i++)
      a[i] = i;
#pragma omp section
    for (long i = 0; i < n; i++)
      b[i] = -i;
  }
  free(a);
  free(b);
}

// KERNEL single: exact
//   a parallel stream(8) element 8 reads 0 writes n*taken+6 conditional n*taken+6 exact
//   a parallel invariant element 8 reads 0 writes taken+9 conditional taken+9 exact
KERNEL single(long n) {
  double *a = NEW(double, n);
#pragma omp parallel
  {
#pragma omp single
    for (long i = 0; i < n; i++)
      a[i] = i;
#pragma omp master
    a[0] = 3;
  }
  free(a);
}

// One thread writes n; one, chosen by number, one more.
// KERNEL masked: exact
//   a parallel stream(8) element 8 reads 0 writes n*taken+6 conditional n*taken+6 exact
//   a parallel invariant element 8 reads 0 writes taken+10 conditional taken+10 exact
KERNEL masked(long n) {
  double *a = NEW(double, n);
#pragma omp parallel
  {
#pragma omp masked
    for (long i = 0; i < n; i++)
      a[i] = i;
#pragma omp barrier
#pragma omp masked filter(0)
    a[1] = 3;
  }
  free(a);
}

// KERNEL critical: exact
//   a parallel invariant element 8 reads share(n) writes share(n) exact
KERNEL critical(long n) {
  double *a = calloc(n, sizeof *a);
#pragma omp parallel for
  for (long i = 0; i < n; i++)
#pragma omp critical
    a[0] += i;
  free(a);
}

// KERNEL block_tasks: exact
//   a task stream(8) element 8 reads m writes m exact
KERNEL block_tasks(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
#pragma omp parallel
#pragma omp single
  for (long b = 0; b < 31; b++) {
#pragma omp task firstprivate(b)
    for (long i = 0; i < m; i++)
      a[b * m + i] += 1;
  }
  free(a);
}

// KERNEL depend_tasks: exact
//   a task stream(8) element 8 reads m writes m exact
KERNEL depend_tasks(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
#pragma omp parallel
#pragma omp single
  for (long t = 0; t < 3; t++)
    for (long b = 0; b < 17 * m; b += m) {
#pragma omp task depend(inout : a[b])
      for (long i = b; i < b + m; i++)
        a[i] += t;
    }
  free(a);
}

// KERNEL taskloop: exact
//   a task stream(8) element 8 reads share(n) writes share(n) exact
KERNEL taskloop(long n) {
  double *a = calloc(n, sizeof *a);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(16)
  for (long i = 0; i < n; i++)
    a[i] += i;
  free(a);
}

// KERNEL recursive_tasks: exact
//   a task stream(8) element 8 reads trip+3 writes trip+3 conditional 2*trip+3 exact
//   a task stream(8) element 8 reads trip+3 writes trip+3 conditional 2*trip+3 exact
//   a parallel stream(8) element 8 reads trip+3 writes trip+3 conditional 2*trip+3 exact
static void recursive_tasks_halve(double *a, long n) {
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
  double *a = calloc(n, sizeof *a);
#pragma omp parallel
#pragma omp single
  recursive_tasks_halve(a, n);
  free(a);
}

// KERNEL orphaned: exact
//   a parallel stream(8) element 8 reads share(n) writes share(n) exact
__attribute__((noinline)) static void orphaned_loop(double *a, long n) {
#pragma omp for
  for (long i = 0; i < n; i++)
    a[i] += 1;
}
KERNEL orphaned(long n) {
  double *a = calloc(n, sizeof *a);
#pragma omp parallel
  orphaned_loop(a, n);
  free(a);
}

// KERNEL private_copy: exact
//   a parallel invariant element 8 reads taken+5 writes 0 conditional taken+5 exact
KERNEL private_copy(long n, double *out) {
  double *a = calloc(n, sizeof *a);
  double last = 0;
#pragma omp parallel for lastprivate(last) firstprivate(a)
  for (long i = 0; i < n; i++)
    last = a[i] + i;
  *out += last;
  free(a);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  double out = 0;
  par_static(n);
  par_chunked(n);
  par_dynamic(n);
  par_guided(n);
  par_runtime(n);
  par_auto(n);
  collapse2(n, m);
  collapse3(n, m);
  par_nest(n, m);
  par_triangle(n);
  par_stencil(n, m);
  nowait_pair(n);
  reduction(n, &out);
  simd(n);
  par_simd(n);
  ordered(n, &out);
  ordered_static(n, &out);
  ordered_chunks(n, &out);
  ordered_rows(n, m, &out);
  ordered_dynamic(n, &out);
  sections(n);
  single(n);
  masked(n);
  critical(n);
  block_tasks(n, m);
  depend_tasks(n, m);
  taskloop(n);
  recursive_tasks(n);
  orphaned(n);
  private_copy(n, &out);
  return out < 0;
}
