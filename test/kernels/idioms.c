// Idioms: numbers that double, short and wrapping indices, odd bounds.
// INPUTS 101 67 | 131 89
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <stdint.h>

#define KERNEL __attribute__((noinline)) static void
#define NEW(type, n) malloc((n) * sizeof(type))

// KERNEL doubling: exact
//   a serial random element 8 reads ceillog(n, 2) writes ceillog(n, 2) exact why geometric-step
KERNEL doubling(long n) {
  double *a = calloc(n, sizeof *a);
  for (long i = 1; i < n; i *= 2)
    a[i] += 1;
  free(a);
}

// KERNEL halving: exact
//   a serial random element 8 reads ceillog(n + 1, 2) writes ceillog(n + 1, 2) exact why geometric-step
KERNEL halving(long n) {
  double *a = calloc(n + 1, sizeof *a);
  for (long i = n; i > 0; i /= 2)
    a[i] += 1;
  free(a);
}

// KERNEL shifting: exact
//   a serial random element 8 reads ceillog(n + 1, 2) writes ceillog(n + 1, 2) exact why geometric-step
KERNEL shifting(unsigned n) {
  double *a = calloc(n + 1, sizeof *a);
  for (unsigned i = n; i; i >>= 1)
    a[i] += 1;
  free(a);
}

// KERNEL shift_nest: exact
//   a serial stream(8) element 8 reads ceillog(n, 2)*m writes ceillog(n, 2)*m exact
KERNEL shift_nest(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
  for (long s = 1; s < n; s <<= 1)
    for (long j = 0; j < m; j++)
      a[s * m + j] += 1;
  free(a);
}

// KERNEL fft_pass: exact
//   a serial stream(8) element 8 reads 2*trip+8 writes 2*trip+8 exact
KERNEL fft_pass(long n) {
  long size = 1;
  while (size < n)
    size *= 2;
  double *a = calloc(size + 29, sizeof *a);
  for (long half = 1; half < size; half *= 2)
    for (long k = 0; k < size; k += 2 * half)
      for (long j = k; j < k + half; j++) {
        double u = a[j], v = a[j + half];
        a[j] = u + v;
        a[j + half] = u - v;
      }
  free(a);
}

// KERNEL tree_reduce: exact
//   a serial strided element 8 reads 2*sum(i < ceillog(n, 2): floordiv(max(3*pow(2, i), n) - 3*pow(2, i) - min(1, max(0, n - 3*pow(2, i))), max(1, 2*pow(2, i))) + min(1, max(0, n - 3*pow(2, i))) + 1) writes sum(i < ceillog(n, 2): floordiv(max(3*pow(2, i), n) - 3*pow(2, i) - min(1, max(0, n - 3*pow(2, i))), max(1, 2*pow(2, i))) + min(1, max(0, n - 3*pow(2, i))) + 1) exact why varying-step
KERNEL tree_reduce(long n) {
  double *a = calloc(n, sizeof *a);
  for (long s = 1; s < n; s *= 2)
    for (long i = 0; i + s < n; i += 2 * s)
      a[i] += a[i + s];
  free(a);
}

// KERNEL heap_sift: exact
//   a serial random element 8 reads 0 writes trip+3 exact why computed-index
//   a serial random element 8 reads trip+3 writes 0 exact why geometric-step
KERNEL heap_sift(long n) {
  double *a = calloc(n + 1, sizeof *a);
  for (long i = 1; 2 * i <= n; i = 2 * i + 1)
    a[i] = a[2 * i];
  free(a);
}

// KERNEL heap_up: exact
//   a serial random element 8 reads trip+3 writes trip+3 exact why geometric-step
KERNEL heap_up(long n) {
  double *a = calloc(n, sizeof *a);
  for (long i = n - 1; i > 0; i = (i - 1) / 2)
    a[i] = a[(i - 1) / 2] + 1;
  free(a);
}

// KERNEL levels: exact
//   a serial stream(8) element 8 reads sum(i < ceillog(n + 1, 2): max(1, floordiv(n, pow(2, i)))) writes sum(i < ceillog(n + 1, 2): max(1, floordiv(n, pow(2, i)))) exact
KERNEL levels(long n) {
  double *a = calloc(2 * n, sizeof *a);
  for (long w = n; w >= 1; w /= 2)
    for (long i = 0; i < w; i++)
      a[i] += 1;
  free(a);
}

// KERNEL bump: exact
//   a serial stream(8) element 8 reads n writes n exact
KERNEL bump(long n) {
  double *a = calloc(n, sizeof *a), *p = a, *e = a + n;
  do {
    *p++ += 1;
  } while (p != e);
  free(a);
}

// KERNEL goto_loop: exact
//   a serial stream(8) element 8 reads max(1, n) writes max(1, n) exact
KERNEL goto_loop(long n) {
  double *a = calloc(n, sizeof *a);
  long i = 0;
again:
  a[i] += 1;
  if (++i < n)
    goto again;
  free(a);
}

// KERNEL short_index: exact
//   a serial stream(4) element 4 reads trip+3 writes trip+3 exact
KERNEL short_index(long n) {
  int *a = calloc(n, sizeof *a);
  for (short i = 0; i < (short)n; i++)
    a[i] += 1;
  free(a);
}

// KERNEL byte_index: exact
//   a serial stream(4) element 4 reads n - 256*floordiv(n, 256) writes n - 256*floordiv(n, 256) exact
KERNEL byte_index(long n) {
  int *a = calloc(256 + n, sizeof *a);
  for (unsigned char i = 0; i < (unsigned char)n; i++)
    a[i] += 1;
  free(a);
}

// KERNEL wrap_index: exact
//   a serial invariant element 4 reads n writes n exact
KERNEL wrap_index(long n) {
  int *a = calloc(64 + n, sizeof *a);
  unsigned char k = 0;
  for (long i = 0; i < n; i++)
    a[(k += 7) & 63] += 1;
  free(a);
}

// KERNEL modulo_ring: exact
//   a serial invariant element 4 reads 3*n writes 3*n exact
KERNEL modulo_ring(long n, long m) {
  int *a = calloc(m, sizeof *a);
  for (long i = 0; i < n * 3; i++)
    a[i % m] += 1;
  free(a);
}

// KERNEL counting_down: exact
//   a serial stream(-8) element 8 reads n writes n exact
KERNEL counting_down(unsigned n) {
  double *a = calloc(n, sizeof *a);
  for (unsigned i = n; i-- > 0;)
    a[i] += 1;
  free(a);
}

// KERNEL two_ends: exact
//   a serial stream(8) element 8 reads (floordiv(max(1, n - 2) - min(1, max(0, n - 3)) - 1, 2) + min(1, max(0, n - 3)) + 1)*min(1, max(0, n - 1)) writes (floordiv(max(1, n - 2) - min(1, max(0, n - 3)) - 1, 2) + min(1, max(0, n - 3)) + 1)*min(1, max(0, n - 1)) exact
//   a serial stream(-8) element 8 reads (floordiv(max(1, n - 2) - min(1, max(0, n - 3)) - 1, 2) + min(1, max(0, n - 3)) + 1)*min(1, max(0, n - 1)) writes (floordiv(max(1, n - 2) - min(1, max(0, n - 3)) - 1, 2) + min(1, max(0, n - 3)) + 1)*min(1, max(0, n - 1)) exact
KERNEL two_ends(long n) {
  double *a = calloc(n, sizeof *a);
  for (long i = 0, j = n - 1; i < j; i++, j--) {
    double t = a[i];
    a[i] = a[j];
    a[j] = t + 1;
  }
  free(a);
}

// KERNEL min_bounds: exact
//   a serial stream(8) element 8 reads max(0, n - max(8, min(m, n)) + 5) + min(m, n) writes max(0, n - max(8, min(m, n)) + 5) + min(m, n) exact
KERNEL min_bounds(long n, long m) {
  double *a = calloc(n + m, sizeof *a);
  long hi = n < m ? n : m;
  for (long i = 0; i < hi; i++)
    a[i] += 1;
  for (long i = hi - 5 > 3 ? hi - 5 : 3; i < n; i++)
    a[i] *= 2;
  free(a);
}

struct grid {
  long lo, hi, pad;
  double *v;
};
// KERNEL struct_bounds: exact
//   g.v serial stream(8) element 8 reads max(0, g->hi - g->lo - g->pad) writes max(0, g->hi - g->lo - g->pad) exact
__attribute__((noinline)) static void struct_bounds_run(struct grid *g) {
  for (long i = g->lo; i < g->hi - g->pad; i++)
    g->v[i] += 1;
}
KERNEL struct_bounds(long n) {
  struct grid g = {3, n, 2, 0};
  g.v = calloc(n, sizeof(double));
  struct_bounds_run(&g);
  free(g.v);
}

// KERNEL field_counter: exact
//   g serial invariant element 8 reads min(1, max(0, g->hi - g->lo)) + 2 writes 4 exact
//   field_v serial stream(8) element 8 reads max(0, g->hi - g->lo) writes max(0, g->hi - g->lo) exact
__attribute__((noinline)) static void field_counter_run(struct grid *g) {
  for (g->pad = g->lo; g->pad < g->hi; g->pad++)
    g->v[g->pad] += 1;
}
KERNEL field_counter(long n) {
  struct grid *g = calloc(29, sizeof *g);
  g->lo = 3;
  g->hi = n;
  double *field_v = calloc(n, sizeof(double));
  g->v = field_v;
  field_counter_run(g);
  free(field_v);
  free(g);
}

// KERNEL two_exits: exact
//   a serial stream(8) element 8 reads trip+4 writes trip+4 exact
KERNEL two_exits(long n, double limit) {
  double *a = calloc(n, sizeof *a);
  double s = 0;
  for (long i = 0; i < n && s < limit; i++) {
    s += a[i] + 1;
    a[i] = s;
  }
  free(a);
}

// KERNEL skip_odd: exact
//   a serial stream(8) element 8 reads n - floordiv(n, 2) writes n - floordiv(n, 2) conditional 2*n - 2*floordiv(n, 2) exact
KERNEL skip_odd(long n) {
  double *a = calloc(n, sizeof *a);
  for (long i = 0; i < n; i++) {
    if (i & 1)
      continue;
    a[i] += 1;
  }
  free(a);
}

// KERNEL border_only: exact
//   a serial stream(8) element 8 reads m*n - max(0, m - 2)*max(0, n - 2) writes m*n - max(0, m - 2)*max(0, n - 2) conditional 2*m*n - 2*max(0, m - 2)*max(0, n - 2) exact
KERNEL border_only(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      if (i == 0 || j == 0 || i == n - 1 || j == m - 1)
        a[i * m + j] += 1;
  free(a);
}

// KERNEL checkerboard: exact
//   a serial strided(16) element 8 reads trip+5 writes trip+5 exact
KERNEL checkerboard(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
  for (long c = 0; c < 2; c++)
    for (long i = 0; i < n; i++)
      for (long j = (i + c) % 2; j < m; j += 2)
        a[i * m + j] += 1;
  free(a);
}

// KERNEL peeled_switch: exact
//   a serial stream(8) element 8 reads taken+6 writes taken+6 + taken+9 conditional 2*taken+6 + taken+9 exact
KERNEL peeled_switch(long n) {
  double *a = calloc(n, sizeof *a);
  for (long i = 0; i < n; i++)
    switch (i % 3) {
    case 0:
      a[i] += 1;
      break;
    case 1:
      a[i] = 4;
      break;
    default:
      break;
    }
  free(a);
}

// KERNEL mapped: exact
//   a serial stream(8) element 8 reads n writes n exact
KERNEL mapped(long n) {
  double *a = mmap(0, n * sizeof *a, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (long i = 0; i < n; i++)
    a[i] += 1;
  munmap(a, n * sizeof *a);
}

// KERNEL moved: exact
//   a serial stream(64) element 64 reads max(0, floordiv(m, 2) - 1) writes max(0, floordiv(m, 2) - 1) exact
//   a serial invariant element 1 reads 2 writes 0 exact
KERNEL moved(long n, long m, double *out) {
  char *a = calloc(n * 64, 1);
  for (long i = 1; i < m / 2; i++)
    memmove(a + 64 * (i - 1), a + 64 * i, 64);
  a[0] = a[64] + a[128];
  *out += a[0];
  free(a);
}

// KERNEL grown: exact
//   a serial stream(8) element 8 reads 0 writes n exact why new-blocks
KERNEL grown(long n) {
  long cap = 32;
  double *a = malloc(cap * sizeof *a);
  for (long i = 0; i < n; i++) {
    if (i == cap) {
      cap *= 2;
      a = realloc(a, cap * sizeof *a);
    }
    a[i] = i;
  }
  free(a);
}

// KERNEL sentinel: exact
//   a serial stream(4) element 4 reads trip+6 + 1 writes n + trip+6 exact
KERNEL sentinel(long n) {
  int *a = calloc(n + 1, sizeof *a);
  for (long i = 0; i < n; i++)
    a[i] = 1 + i;
  int *p = a;
  while (*p)
    *p++ += 2;
  free(a);
}

// KERNEL every_third_row: exact
//   a serial strided(-8) element 4 reads (floordiv(m - min(1, m - 1), 2) + 1)*(floordiv(n - 2, 3) + 1)*min(1, max(0, m)) writes (floordiv(m - min(1, m - 1), 2) + 1)*(floordiv(n - 2, 3) + 1)*min(1, max(0, m)) exact
KERNEL every_third_row(int n, int m) {
  float *a = calloc((long)n * m, sizeof *a);
  for (int i = 1; i < n; i += 3)
    for (int j = m - 1; j >= 0; j -= 2)
      a[i * m + j] += 1;
  free(a);
}

// KERNEL unsigned_wrap: exact
//   a serial stream(8) element 8 reads max(0, n - m - 1) writes max(0, n - m - 1) exact
KERNEL unsigned_wrap(unsigned n, unsigned m) {
  double *a = calloc(n, sizeof *a);
  for (unsigned i = m; i < n - 1; i++) /* n > m */
    a[i - m + 1] += 1;
  free(a);
}

// The table of rows is read again in each round: who knows what a call does.
// KERNEL rows_read_again: exact
//   picture_rows serial stream(8) element 8 reads m*n writes n exact
//   all serial stream(4) element 4 reads 0 writes m*n exact
int **picture_rows;
KERNEL rows_read_again(long n, long m) {
  int *all = calloc(n * m, sizeof *all);
  picture_rows = NEW(int *, n);
  for (long i = 0; i < n; i++)
    picture_rows[i] = all + i * m;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      picture_rows[i][j] = rand() % 10;
  free(picture_rows);
  free(all);
}

// So is a number that says which row, next to results of its type.
// KERNEL row_of_choice: exact
//   keys serial random(4) element 4 reads 32*n writes 0 blocks random of 128 bytes index row exact
//   row serial stream(8) element 8 reads 32*row_of_choice_loop:n writes row_of_choice:n exact
//   found serial stream(8) element 8 reads 0 writes taken+6 conditional taken+6 exact
//   keys serial stream(4) element 4 reads 0 writes 32*m exact
typedef int thirty_two[32];
KERNEL row_of_choice_loop(thirty_two *keys, long *row, long *found, long n) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < 32; k++)
      if (keys[row[i]][k] == i % 32)
        found[i] = k;
}
KERNEL row_of_choice(long n, long m) {
  thirty_two *keys = calloc(m, sizeof *keys);
  long *row = calloc(n, sizeof *row), *found = calloc(n, sizeof *found);
  for (long i = 0; i < n; i++)
    row[i] = i * 37 % m;
  for (long i = 0; i < m * 32; i++)
    keys[i / 32][i % 32] = i % 32;
  row_of_choice_loop(keys, row, found, n);
  free(found);
  free(row);
  free(keys);
}

// Not where the loop itself, or a function that it calls, chooses again.
// KERNEL row_of_last_choice: exact
//   found serial stream(8) element 8 reads 0 writes 32*n reuse n exact
//   keys serial random element 4 reads 32*n writes 0 exact why computed-index
//   row serial stream(8) element 8 reads 33*n writes 32*n exact
//   found serial invariant element 8 reads 32*n writes 0 exact
KERNEL row_of_last_choice_loop(thirty_two *keys, long *row, long *found, long m,
                               long n) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < 32; k++) {
      found[k] = keys[row[i]][k];
      row[i] = (row[i] * 5 + found[i & 31]) % m;
    }
}
KERNEL row_of_last_choice(long n, long m) {
  thirty_two *keys = calloc(m, sizeof *keys);
  long *row = calloc(n, sizeof *row), *found = calloc(n, sizeof *found);
  row_of_last_choice_loop(keys, row, found, m, n);
  free(found);
  free(row);
  free(keys);
}

// KERNEL row_of_call: exact
//   keys serial random element 4 reads 32*n writes 0 exact
long current_row;
KERNEL next_row(long m) { current_row = (current_row * 5 + 3) % m; }
KERNEL row_of_call(long n, long m, double *out) {
  thirty_two *keys = calloc(m, sizeof *keys);
  for (long i = 0; i < n; i++)
    for (long k = 0; k < 32; k++) {
      *out += keys[current_row][k];
      next_row(m);
    }
  free(keys);
}

// KERNEL sorted: bound library-estimate
//   a serial stream(8) element 8 reads 2*calls+1 writes 0 exact why library-sort
//   a serial stream(8) element 8 reads 0 writes n exact
//   a serial stream(64) element 64 reads ceildiv(8*n, 64) writes ceildiv(8*n, 64) bound why library-estimate
static int sorted_compare(const void *x, const void *y) {
  double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}
KERNEL sorted(long n) {
  double *a = calloc(n, sizeof *a);
  for (long i = 0; i < n; i++)
    a[i] = i * 37 % 101;
  qsort(a, n, sizeof *a, sorted_compare);
  free(a);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  doubling(n);
  sorted(n);
  halving(n);
  shifting(n);
  shift_nest(n, m);
  fft_pass(n);
  tree_reduce(n);
  heap_sift(n);
  heap_up(n);
  levels(n);
  bump(n);
  goto_loop(n);
  short_index(n);
  byte_index(n);
  wrap_index(n);
  modulo_ring(n, m);
  counting_down(n);
  two_ends(n);
  min_bounds(n, m);
  struct_bounds(n);
  field_counter(n);
  two_exits(n, m);
  skip_odd(n);
  border_only(n, m);
  checkerboard(n, m);
  peeled_switch(n);
  mapped(n);
  double out = 0;
  moved(n, m, &out);
  grown(n);
  sentinel(n);
  every_third_row(n, m);
  unsigned_wrap(n, m);
  rows_read_again(n, m);
  row_of_choice(n, m);
  row_of_last_choice(n, m);
  row_of_call(n, m, &out);
  return out < 0;
}
