// Where loops and their tests end: last bits of words, numbers below 0, guards
// shared by several loops, values that differ by call.
// INPUTS 45 29 4 -9 | 61 35 7 3
#include <stdint.h>
#include <stdlib.h>

#define KERNEL __attribute__((noinline)) static void
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
static volatile double sink;

// KERNEL last_bits: removed BDCEPass
//   a serial invariant element 8 reads trip+6 writes 0 exact
//   b serial stream(8) element 8 reads (floordiv(w - 1, 256) - floordiv(w, 256) + 1)*n writes 0 exact
KERNEL last_bits(long n, long w) {
  volatile double *a = calloc(n, sizeof *a);
  double *b = calloc(n, sizeof *b);
  double sum = 0;
  for (long i = 0; i < n; i++)
    for (int8_t j = 0; j != (int8_t)w; j++) {
      sum += b[i];
      sum += a[j & 7];
    }
  b[0] = sum;
  free((void *)a);
  free(b);
}

// KERNEL first_not_0: exact
//   a parallel strided(16) element 8 reads min(1, max(0, n - 3))*share(floordiv(n, 2) - 1) writes 0 conditional min(1, max(0, n - 3))*share(floordiv(n, 2) - 1) exact
KERNEL first_not_0(long n) {
  volatile double *a = calloc(n, sizeof *a);
#pragma omp parallel for
  for (int i = 3; i < n; i += 2)
    a[i];
  free((void *)a);
}

// KERNEL guard_in_front: exact
//   a serial strided(24) element 8 reads floordiv(max(0, d) - 1, 3) + 1 writes 0 exact
//   b serial random element 8 reads 0 writes ceillog(d + 1, 4) exact why geometric-step
KERNEL guard_in_front(long n, long d) {
  volatile double *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);
  for (size_t i = 0; i < (size_t)MAX(0, d); i += 3)
    a[i];
  for (long i = 1; i <= d; i *= 4)
    b[i] = 1;
  free((void *)a);
  free((void *)b);
}

// KERNEL rest_below_0: exact
//   a parallel strided(24) element 8 reads (-min(1, max(0, 5*max(floordiv(d, 5), min(0, ceildiv(d, 5))) - d + 1)) + 1)*share(floordiv(d - 256*floordiv(d - 5*max(floordiv(d, 5), min(0, ceildiv(d, 5))) + 2, 256) - 5*max(floordiv(d, 5), min(0, ceildiv(d, 5))) + 2, 3)) writes 0 conditional (-min(1, max(0, 5*max(floordiv(d, 5), min(0, ceildiv(d, 5))) - d + 1)) + 1)*share(floordiv(d - 256*floordiv(d - 5*max(floordiv(d, 5), min(0, ceildiv(d, 5))) + 2, 256) - 5*max(floordiv(d, 5), min(0, ceildiv(d, 5))) + 2, 3)) exact
KERNEL rest_below_0(long d) {
  volatile double *a = calloc(8, sizeof *a);
#pragma omp parallel for
  for (size_t i = 0; i < (size_t)MAX(0, d % 5); i += 3)
    a[i];
  free((void *)a);
}

// KERNEL missed_limit: exact
//   a serial stream(8) element 8 reads max(0, min(max(-floordiv(d, 4) - 2, 2147483648*floordiv(d, 4) + 4294967296), n - floordiv(d, 4) - 5) + 1)*min(1, max(-floordiv(d, 4) - 1, floordiv(d, 4) + 1))*min(1, max(0, n - floordiv(d, 4) - 4)) writes 0 exact
KERNEL missed_limit(long n, long d) {
  volatile double *a = calloc(n, sizeof *a);
  for (int i = (int)(d >> 2) + 4; i < n; i++) {
    if (i == 3)
      break;
    a[i];
  }
  free((void *)a);
}

// KERNEL not_entered: exact
//   a serial stream(8) element 8 reads max(0, min(max(0, d) - max(0, m), max(0, m, n) - max(0, m))) writes 0 exact
KERNEL not_entered(long n, long m, long d) {
  volatile double *a = calloc(n, sizeof *a);
  for (unsigned i = MAX(0, m); i < (unsigned)MAX(0, d); i++) {
    if ((long)i >= n)
      break;
    a[i];
  }
  free((void *)a);
}

// KERNEL missed_in_test: exact
//   a serial stream(8) element 8 reads max(0, min(max(-max(floordiv(d, 4), min(0, ceildiv(d, 4))) - 2, 2147483648*max(floordiv(d, 4), min(0, ceildiv(d, 4))) + 4294967296), n - max(floordiv(d, 4), min(0, ceildiv(d, 4))) - 5) + 1)*min(1, max(-max(floordiv(d, 4), min(0, ceildiv(d, 4))) - 1, max(floordiv(d, 4), min(0, ceildiv(d, 4))) + 1))*min(1, max(0, n - max(floordiv(d, 4), min(0, ceildiv(d, 4))) - 4)) writes 0 exact
KERNEL missed_in_test(long n, long d) {
  volatile double *a = calloc(n, sizeof *a);
  for (long i = d / 4 + 4; i < n && i != 3; i++)
    a[i];
  free((void *)a);
}

// What is -1 in one case is no size that new[] could not make.
// KERNEL one_less_or_none: exact
//   a serial stream(8) element 8 reads last + 1 writes 0 exact
KERNEL one_less_or_none(long n, long k) {
  volatile double *a = calloc(n, sizeof *a);
  long last = n < 10 ? -1 : n - k;
  for (long i = 0; i <= last; i++)
    a[i];
  free((void *)a);
}

// KERNEL chunked_third: exact
//   a parallel stream(8) element 8 reads share(i < floordiv(n + 2, 3), 2: i) writes 0 exact
KERNEL chunked_third(long n) {
  volatile double *a = calloc(n, sizeof *a);
#pragma omp parallel for schedule(static, 2)
  for (int i = 0; i < n; i += 3)
    for (int j = 0; j < i / 3; j++)
      a[j];
  free((void *)a);
}

// KERNEL collapsed_down: exact
//   a parallel stream(-8) element 8 reads share((n - 1)*m) writes 0 exact
//   a parallel stream(-8) element 8 reads min(1, max((-min(1, max(-m, m)) + 1)*(d - n) + n - d - 1, 0))*min(1, max(-d, 0))*share(-((-min(1, max(-m, m)) + 1)*(d - n) + n - d - 1)*d) writes 0 conditional min(1, max((-min(1, max(-m, m)) + 1)*(d - n) + n - d - 1, 0))*min(1, max(-d, 0))*share(-((-min(1, max(-m, m)) + 1)*(d - n) + n - d - 1)*d) exact
KERNEL collapsed_down(long n, long m, long d) {
  volatile double *a = calloc(n * m, sizeof *a);
#pragma omp parallel for collapse(2)
  for (long i = 0; i > -m; i--)
    for (long j = n - 1; j > 0; j--)
      a[j - i * n];
#pragma omp parallel for collapse(2)
  for (long i = 0; i > d; i--)
    for (long j = (m != 0 ? n : d) - 1; j > d; j--)
      a[j - d - i];
  free((void *)a);
}

// KERNEL dealt_teams: total dynamic-schedule
//   a parallel stream(8) element 8 reads share(i) writes 0 exact
//   a parallel stream(8) element 8 reads evenly(floordiv((m - 1)*m, 2)) writes 0 bound why dynamic-schedule
KERNEL dealt_teams(long n, long m) {
  volatile double *a = calloc(n, sizeof *a);
#pragma omp parallel for schedule(guided)
  for (long i = 0; i < m; i++) {
#pragma omp parallel for num_threads(2)
    for (long j = 0; j < i; j++)
      a[j];
  }
  free((void *)a);
}

// KERNEL chosen_size: exact
//   a parallel stream(8) element 8 reads share(s->rows + 1) writes 0 exact
//   b parallel stream(8) element 8 reads 0 writes share(n) exact
struct sizes {
  long rows;
};
__attribute__((noinline)) static void chosen_rows(volatile double *a, long m) {
  struct sizes own, *s = &own;
  s->rows = m > 30 ? m - 3 : 5;
#pragma omp parallel for if (m != 31)
  for (long i = 0; i <= s->rows; i++)
    a[i];
}
__attribute__((noinline)) static void halved(volatile double *a, long n,
                                             long k) {
  for (long i = 0; i <= n; i += k)
    n = n / 2;
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] = 1;
}
KERNEL chosen_size(long n, long m, long k) {
  volatile double *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);
  chosen_rows(a, n);
  chosen_rows(a, m);
  halved(b, n, k);
  halved(b, m, k);
  free((void *)a);
  free((void *)b);
}

// What is taken out of a loop runs once for each chunk of it.
// KERNEL chunk_by_chunk: exact
//   a parallel invariant element 4 reads trip+6 writes 0 conditional trip+6 exact
//   b parallel stream(8) element 8 reads 0 writes share(m, 2) exact
//   a parallel invariant element 4 reads trip+11 writes 0 conditional trip+11 exact
//   b parallel strided(16) element 8 reads 0 writes share(floordiv(m - j + 1, 2), capture#5) exact
KERNEL chunk_by_chunk(long n, long m, long k) {
  int *a = calloc(n, sizeof *a);
  double *b = calloc(n, sizeof *b);
  long sum = 0;
  for (long j = 0; j < 3; j++) {
#pragma omp parallel for schedule(static, 2) reduction(+ : sum)
    for (int i = 0; i < m; i++) {
      sum += a[j * 3 + 2];
      b[i] = sum + 1;
    }
#pragma omp parallel for schedule(static, k) reduction(+ : sum)
    for (int i = j; i < m; i += 2) {
      sum += a[j * 3 + 2];
      b[i] = sum + 1;
    }
  }
  sink = sum;
  free(a);
  free(b);
}

// Nothing but large numbers enter the inner loop: what they do is no guard of
// it.
// KERNEL far_start: exact
//   a serial strided(24) element 8 reads (-min(1, max(-n + 21, 0)) + 1)*(floordiv(m - 2, 3) + 1)*max(0, floordiv(n, 3) - 6) writes 0 conditional (-min(1, max(-n + 21, 0)) + 1)*(floordiv(m - 2, 3) + 1)*max(0, floordiv(n, 3) - 6) exact
//   a serial stream(-8) element 8 reads (-min(1, max(-n + 31, 0)) + 1)*max(0, n - 30)*sum(i < m: min(1, max(0, 2*floordiv(i, 2) - 4*floordiv(i, 4) + 1))*min(1, max(0, 4*floordiv(i, 4) - 2*floordiv(i, 2) + 1))) writes 0 conditional (-min(1, max(-n + 31, 0)) + 1)*max(0, n - 30)*sum(i < m: min(1, max(0, 2*floordiv(i, 2) - 4*floordiv(i, 4) + 1))*min(1, max(0, 4*floordiv(i, 4) - 2*floordiv(i, 2) + 1))) exact
KERNEL far_start(long n, long m) {
  volatile double *a = calloc(n, sizeof *a);
  for (long i = 0; i < m; i++)
    if (i % 3 == 1)
      for (long j = 20; j < n; j += 3)
        a[j];
  for (long i = 0; i < m; i++)
    if (i % 4 < 2)
      for (long j = n; j > 30; j--)
        a[j - 30];
  free((void *)a);
}

// Whether the last swap brought the row back is no guard of the copy, however
// seldom two pointers are the same by chance.
// KERNEL swapped_back: exact
//   a,b parallel invariant element 8 reads max(1, ceillog(half + 1, 2))*min(1, max(0, n - 1))*share(m) writes max(1, ceillog(half + 1, 2))*min(1, max(0, n - 1))*share(m) conditional 2*max(1, ceillog(half + 1, 2))*min(1, max(0, n - 1))*share(m) exact why chosen-object
//   a parallel stream(8) element 8 reads 0 writes n*taken+16 conditional n*taken+16 exact
//   a,b parallel stream(8) element 8 reads n*taken+16 writes 0 conditional n*taken+16 exact
KERNEL swapped_back(long n, long m) {
  volatile double *a = calloc(n * (m + 50), sizeof *a);
#pragma omp parallel
  {
    volatile double *b = calloc(n, sizeof *b);
#pragma omp for schedule(static)
    for (long i = 0; i < m; i++) {
      volatile double *from = a + (i + 50) * n, *to = b;
      for (long half = n / 2; half >= 1; half /= 2) {
        to[0] = from[0];
        volatile double *swap = from;
        from = to;
        to = swap;
      }
      if (from != a + (i + 50) * n)
        for (long j = 0; j < n; j++)
          a[(i + 50) * n + j] = from[j];
    }
    free((void *)b);
  }
  free((void *)a);
}

// The guard and the loop read the variable each.
// KERNEL read_again: exact
//   a parallel stream(8) element 8 reads max(0, max(0, n) - 10)*min(least, limit) writes 0 reuse min(least, limit) exact
KERNEL read_again(long n, long m, long k) {
  volatile double *a = calloc(n, sizeof *a);
  static long limit;
  long least = k;
  limit = m;
#pragma omp parallel
  for (long i = 0; i < (unsigned)MAX(0, MIN(limit, least)); i++)
    for (long j = 10; j < (unsigned)MAX(0, n); j++)
      a[j - 10];
  least = n;
  free((void *)a);
}

// A field's bits are moved up and down in a word that drops the others.
// KERNEL bit_fields: exact
//   a parallel stream(8) element 8 reads share(65536*floordiv(value+13.19#1 + 32768, 65536) + value+13.19 - 32*floordiv(value+13.19, 32) - value+13.19#1) writes 0 exact
//   b serial stream(8) element 8 reads max(-value+6.0 + 9, 0)*own.n writes 0 reuse own.n exact
struct fields {
  long n;
  unsigned short all : 5;
  signed char few : 4;
};
KERNEL bit_fields(long n, long k) {
  volatile double *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);
  static struct fields own, *s = &own;
  s->n = n;
  s->all = n;
  s->few = k + 3;
#pragma omp parallel for
  for (int i = s->few; i < s->all; i++)
    a[i + 8];
  for (long i = 0; i < s->n; i++)
    for (int j = s->few; j < 9; j++)
      b[j + 8];
  free((void *)a);
  free((void *)b);
}

// What a variable is before tasks are made is another value than in them.
// KERNEL set_before_tasks: exact
//   a serial stream(8) element 8 reads rows + 1 writes 0 exact
//   a parallel stream(8) element 8 reads share(rows#1) writes 0 exact
//   a task stream(8) element 8 reads rows#1 writes 0 exact
KERNEL set_before_tasks(long n, long k) {
  volatile double *a = calloc(n, sizeof *a);
  static long rows;
  for (long i = 0; i <= rows; i++)
    a[i];
  rows = rows + k;
#pragma omp parallel
#pragma omp single
  for (long t = 0; t < 3; t++) {
#pragma omp task
    {
#pragma omp parallel for num_threads(2)
      for (long i = 0; i < rows; i++)
        a[i];
    }
  }
  free((void *)a);
}

// A thread that makes no team of its own runs the body, once a round.
// KERNEL seldom_forked: exact
//   a parallel stream(8) element 8 reads trip+7 writes 0 exact
//   a parallel stream(8) element 8 reads trip+7 writes 0 exact
KERNEL seldom_forked(long n, long m, long k) {
  volatile double *a = calloc(n, sizeof *a);
#pragma omp parallel for
  for (unsigned i = 0; i < (unsigned)MAX(0, m); i++) {
#pragma omp parallel for if ((long)i < k) num_threads(2)
    for (int j = 0; j < k; j++)
      for (long t = 2; t < (long)i; t++)
        a[t + j];
  }
  free((void *)a);
}

// One of two tests in front of a loop has nothing to do with it.
// KERNEL left_by_round: exact
//   a serial strided(8*k) element 8 reads (-min(1, max(-n + 9, 0)) + 1)*max(0, m - 6)*max(1, ceildiv(n - 8, k)) + (-min(1, max(-n + 9, 0)) + 1)*max(0, min(5, m))*max(1, ceildiv(n - 8, k)) writes 0 exact why assumes-positive-step
KERNEL left_by_round(long n, long m, long k) {
  volatile double *a = calloc(n + m, sizeof *a);
  for (int i = 0; i < m; i++)
    for (long j = 8; j < n; j += k) {
      if (i == 5)
        break;
      a[j + i];
    }
  free((void *)a);
}

// KERNEL missed_number: exact
//   a serial stream(8) element 8 reads max(0, min(max(-2147483648*k + 12884901888, k - 6), max(4, floordiv(n, 2)) - 4) + 1)*min(1, max(-4*floordiv(max(floordiv(n, 2), min(0, ceildiv(n, 2))), 4), 4*floordiv(max(floordiv(n, 2), min(0, ceildiv(n, 2))), 4)))*min(1, max(-k + 5, k - 5))*min(1, max(0, n + 2)) writes 0 conditional max(0, min(max(-2147483648*k + 12884901888, k - 6), max(4, floordiv(n, 2)) - 4) + 1)*min(1, max(-4*floordiv(max(floordiv(n, 2), min(0, ceildiv(n, 2))), 4), 4*floordiv(max(floordiv(n, 2), min(0, ceildiv(n, 2))), 4)))*min(1, max(-k + 5, k - 5))*min(1, max(0, n + 2)) exact
KERNEL missed_number(long n, long k) {
  volatile double *a = calloc(n, sizeof *a);
  for (unsigned i = 3; i < (unsigned)MAX(0, n / 2) && i != k - 2; i++)
    a[i];
  free((void *)a);
}

// Two numbers without a place in the source, in a region and beside it.
// KERNEL fields_beside: exact
//   a parallel stream(-8) element 8 reads max(0, value+1.0#2 - 32*floordiv(value+1.0#2, 32) - 2)*share(m) writes 0 reuse share(m) exact
//   a parallel strided(8*k) element 8 reads trip+11 writes 0 conditional trip+11 exact
//   b serial stream(-8) element 8 reads m*max(0, value+1.0 - 65536*floordiv(value+1.0 + 32768, 65536)) writes 0 reuse max(0, value+1.0 - 65536*floordiv(value+1.0 + 32768, 65536)) exact
KERNEL fields_beside(long n, long m, long k) {
  volatile double *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);
  static struct fields own, *s = &own;
  s->n = n;
  s->all = n;
  s->few = k - 4;
#pragma omp parallel for
  for (long i = 0; i < m; i++) {
    for (long j = MAX(0, s->all - 2); j > 0; j--)
      a[j];
    for (volatile double *p = a; p < a + s->n; p += k)
      *p;
  }
  for (int i = 0; i < s->few; i++)
    for (long j = MAX(0, m); j > 0; j--)
      b[j];
  free((void *)a);
  free((void *)b);
}

// A number that is widened without a sign where it is above 0 has one before.
// KERNEL signed_before: exact
//   a serial random element 4 reads ceillog(value+7.20 + 1, 2) writes ceillog(value+7.20 + 1, 2) exact why geometric-step
struct parts {
  unsigned all : 5;
  int few : 4;
};
__attribute__((noinline)) static void halved_field(float *a,
                                                   const struct parts *s) {
  for (long i = s->few; i > 0; i >>= 1)
    a[i + 8] += 3;
}
KERNEL signed_before(long n, long k) {
  float *a = calloc(n, 2 * sizeof *a);
  static struct parts own, *s = &own;
  s->all = n;
  s->few = k - 6;
  halved_field(a, s);
  free(a);
}

// Rounds of the loop in front leave something else each.
// KERNEL left_by_rounds: exact
//   a parallel invariant element 8 reads trip+7 writes 0 exact
//   a parallel strided(24) element 8 reads trip+13 writes 0 exact
KERNEL left_by_rounds(long n, long m, long k) {
  volatile double *a = calloc(n, sizeof *a);
#pragma omp parallel
  {
    long last = m, i = k;
    do {
      for (signed char j = 5; j != (signed char)(k & 3); j--) {
        a[j & 31];
        last = MIN(last + 1, 59);
      }
      i++;
    } while (i < n / 4);
    for (long j = 0; j <= MAX(0, last - m); j += 3)
      a[j];
  }
  free((void *)a);
}

int main(int argc, char **argv) {
  if (argc < 5)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]), k = atol(argv[3]),
       d = atol(argv[4]);
  last_bits(n, n > 50 ? n << 8 : n);
  first_not_0(n);
  guard_in_front(n, d);
  chunked_third(n);
  collapsed_down(n, m, d);
  dealt_teams(n, m);
  chosen_size(n, m, k);
  rest_below_0(d);
  one_less_or_none(n, k);
  missed_limit(n, d);
  missed_in_test(n, d);
  not_entered(n, m, d);
  chunk_by_chunk(n, m, k);
  far_start(n, m);
  swapped_back(n, m);
  read_again(n, m, k);
  bit_fields(n, k);
  set_before_tasks(n, k);
  seldom_forked(n, m, k);
  left_by_round(n, m, k);
  missed_number(n, k);
  fields_beside(n, m, k);
  signed_before(n, k);
  left_by_rounds(n, m, k);
  return 0;
}
