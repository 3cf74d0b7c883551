// Programs with and without data races, one per word of the first argument.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 400000, BINS = 100000 };

static long counter;
static double total;

static unsigned bin(long i) { return (unsigned)(i * 2654435761u) % BINS; }

// Ordered in every way there is.
static void clean(double *a, double *b, int *bins) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  double *partial = calloc(omp_get_max_threads(), sizeof *partial);
  double sum = 0, most = 0, locked = 0, critical = 0;
  long atomics = 0;
  char *seen = calloc(N, 1);
#pragma omp parallel
  {
    int me = omp_get_thread_num();
#pragma omp for
    for (long i = 0; i < N; i++) // ends within lines that others go on with
      a[i] = (double)i;
#pragma omp for reduction(+ : sum) reduction(max : most)
    for (long i = 0; i < N; i++) {
      b[i] = a[N - 1 - i];
      sum += b[i];
      most = b[i] > most ? b[i] : most;
    }
#pragma omp for schedule(static, 3)
    for (long i = 0; i < N; i++)
      seen[i] = (char)i;
#pragma omp for schedule(dynamic, 7)
    for (long i = 0; i < N; i++) {
#pragma omp atomic
      bins[bin(i)]++;
      partial[me] += a[i];
    }
    for (int k = 0; k < 100; k++) {
#pragma omp critical
      critical += k;
      omp_set_lock(&lock);
      locked += k;
      omp_unset_lock(&lock);
#pragma omp atomic
      atomics += k;
    }
#pragma omp barrier
#pragma omp single
    for (int t = 0; t < omp_get_num_threads(); t++)
      total += partial[t];
#pragma omp for ordered
    for (int k = 0; k < 100; k++) {
#pragma omp ordered
      total += k;
    }
    char *own = malloc(100000); // from hand to hand, but not at once
    memset(own, me, 100000);
    free(own);
  }
  printf("%g %g %g %g %ld %d\n", sum, most, locked, critical, atomics, seen[5]);
  omp_destroy_lock(&lock);
  free(partial);
  free(seen);
}

static void histogram(int *bins) {
#pragma omp parallel for
  for (long i = 0; i < N; i++)
    bins[bin(i)]++;
}

static long on_stack(void) {
  long found = 0;
#pragma omp parallel
  for (long k = 0; k < 50; k++)
    if (bin(k) & 1)
      found++;
  return found;
}

static void in_static(void) {
#pragma omp parallel
  counter++;
}

// Each thread's first element needs what its neighbour changes.
static void sweep(double *a) {
#pragma omp parallel for
  for (long i = 1; i < N - 1; i++)
    a[i] = 0.25 * (a[i - 1] + 2 * a[i] + a[i + 1]);
}

static double half(double *a) {
  double s = 0;
#pragma omp parallel
  {
    if (omp_get_thread_num() & 1) {
#pragma omp critical
      a[5] += 1;
    } else {
      a[5] += 2;
    }
  }
  return s + a[5];
}

static double flag(double *a) {
  int ready = 0;
  double got = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      a[7] = 3;
#pragma omp atomic write release
      ready = 1;
    } else {
      int now = 0;
      while (!now) {
#pragma omp atomic read acquire
        now = ready;
      }
#pragma omp critical
      got = a[7];
    }
  }
  return got;
}

// Three threads take turns on one line: by the lock, by the lock, by an atomic
// operation on other bytes, and again. Each turn also uses a line that takes the
// place of the first one in the recorder's table, which so learns of the turns
// one by one.
enum { TABLE = 512 * 64 / sizeof(long) };
static long hand_over(long *one) {
  int turn = 0;
#pragma omp parallel num_threads(3)
  for (int round = 0; round < 2; round++) {
    int mine = 0;
    while (!mine) {
#pragma omp critical
      {
        mine = turn == 3 * round + omp_get_thread_num();
        if (mine && omp_get_thread_num() != 2) {
          one[0]++;
          one[TABLE]++;
        }
      }
    }
    if (omp_get_thread_num() == 2) {
#pragma omp atomic
      one[1]++;
#pragma omp atomic
      one[TABLE + 1]++;
    }
#pragma omp critical
    turn++;
  }
  return one[0] + one[1];
}

int main(int argc, char **argv) {
  double *a = calloc(N, sizeof *a), *b = calloc(N, sizeof *b);
  int *bins = calloc(BINS, sizeof *bins);
  const char *what = argc > 1 ? argv[1] : "clean";
  double result = 0;
  if (!strcmp(what, "histogram"))
    histogram(bins);
  else if (!strcmp(what, "stack"))
    result = (double)on_stack();
  else if (!strcmp(what, "static"))
    in_static();
  else if (!strcmp(what, "sweep"))
    sweep(a);
  else if (!strcmp(what, "half"))
    result = half(a);
  else if (!strcmp(what, "flag"))
    result = flag(a);
  else if (!strcmp(what, "turns"))
    result = (double)hand_over((long *)a);
  else
    clean(a, b, bins);
  printf("%g %g %d\n", result, a[N / 2] + b[1], bins[0]);
  free(a);
  free(b);
  free(bins);
  return 0;
}
