// Forms of loops and of accesses that C programs write.
// INPUTS 101 67 | 131 89
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL __attribute__((noinline)) static void
#define NEW(type, n) malloc((n) * sizeof(type))

// KERNEL bump_by_two: exact
//   a serial strided(16) element 8 reads (end - a)/2 writes (end - a)/2 exact
KERNEL bump_by_two_loop(double *a, double *end) {
  for (double *p = a; p != end; p += 2)
    *p += 1;
}
KERNEL bump_by_two(long n) {
  double *a = calloc(2 * n, sizeof *a);
  bump_by_two_loop(a, a + 2 * n);
  free(a);
}

// KERNEL bump_here: exact
//   a serial stream(8) element 8 reads n writes n exact
KERNEL bump_here(long n) {
  double *a = calloc(n, sizeof *a);
  for (double *p = a, *end = a + n; p < end; ++p)
    *p += 1;
  free(a);
}

// KERNEL counted_down: exact
//   a serial stream(-8) element 8 reads n writes n exact
KERNEL counted_down_loop(double *a, unsigned n) {
  for (unsigned i = n; i-- > 0;)
    a[i] += 1;
}
KERNEL counted_down(long n) {
  double *a = calloc(n, sizeof *a);
  counted_down_loop(a, n);
  free(a);
}

// KERNEL short_index: exact
//   a serial stream(8) element 8 reads n writes n exact
KERNEL short_index_loop(double *a, short n) {
  for (short i = 0; i < n; i++)
    a[i] += 1;
}
KERNEL short_index(long n) {
  double *a = calloc(n, sizeof *a);
  short_index_loop(a, n);
  free(a);
}

// KERNEL byte_index: exact
//   a serial stream(8) element 8 reads n writes n exact
KERNEL byte_index_loop(double *a, unsigned char n) {
  for (unsigned char i = 0; i < n; i++)
    a[i] += 1;
}
KERNEL byte_index(long n) {
  double *a = calloc(n, sizeof *a);
  byte_index_loop(a, n);
  free(a);
}

// KERNEL minus_three: exact
//   a serial strided(-24) element 8 reads floordiv(n - 1, 3) + 1 writes floordiv(n - 1, 3) + 1 exact
KERNEL minus_three_loop(double *a, long n) {
  for (long i = n - 1; i >= 0; i -= 3)
    a[i] += 1;
}
KERNEL minus_three(long n) {
  double *a = calloc(n, sizeof *a);
  minus_three_loop(a, n);
  free(a);
}

// KERNEL doubling: exact
//   a serial random element 8 reads ceillog(n, 2) writes ceillog(n, 2) exact why geometric-step
KERNEL doubling_loop(double *a, long n) {
  for (long i = 1; i < n; i *= 2)
    a[i] += 1;
}
KERNEL doubling(long n) {
  double *a = calloc(n, sizeof *a);
  doubling_loop(a, n);
  free(a);
}

// KERNEL halving_stages: exact
//   a serial stream(8) element 8 reads 2*sum(i < ceillog(floordiv(n, 2) + 1, 2): max(1, floordiv(n, 2*pow(2, i)))) writes sum(i < ceillog(floordiv(n, 2) + 1, 2): max(1, floordiv(n, 2*pow(2, i)))) exact
KERNEL halving_stages_loop(double *a, long n) {
  for (long s = n / 2; s > 0; s /= 2)
    for (long i = 0; i < s; i++)
      a[i] += a[i + s];
}
KERNEL halving_stages(long n) {
  double *a = calloc(n, sizeof *a);
  halving_stages_loop(a, n);
  free(a);
}

// KERNEL two_variables: exact
//   a serial stream(8) element 8 reads (floordiv(max(1, n - 2) - min(1, max(0, n - 3)) - 1, 2) + min(1, max(0, n - 3)) + 1)*min(1, max(0, n - 1)) writes (floordiv(max(1, n - 2) - min(1, max(0, n - 3)) - 1, 2) + min(1, max(0, n - 3)) + 1)*min(1, max(0, n - 1)) exact
//   a serial stream(-8) element 8 reads (floordiv(max(1, n - 2) - min(1, max(0, n - 3)) - 1, 2) + min(1, max(0, n - 3)) + 1)*min(1, max(0, n - 1)) writes (floordiv(max(1, n - 2) - min(1, max(0, n - 3)) - 1, 2) + min(1, max(0, n - 3)) + 1)*min(1, max(0, n - 1)) exact
KERNEL two_variables_loop(double *a, long n) {
  for (long i = 0, j = n - 1; i < j; i++, j--) {
    double t = a[i];
    a[i] = a[j];
    a[j] = t;
  }
}
KERNEL two_variables(long n) {
  double *a = calloc(n, sizeof *a);
  two_variables_loop(a, n);
  free(a);
}

// KERNEL goto_loop: exact
//   a serial stream(8) element 8 reads 0 writes n exact
KERNEL goto_loop_loop(double *a, long n) {
  long i = 0;
again:
  if (i < n) {
    a[i++] = 1;
    goto again;
  }
}
KERNEL goto_loop(long n) {
  double *a = calloc(n, sizeof *a);
  goto_loop_loop(a, n);
  free(a);
}

// KERNEL nested_do: exact
//   a serial stream(8) element 8 reads max(1, m)*max(1, n) writes max(1, m)*max(1, n) exact
KERNEL nested_do_loop(double *a, long n, long m) {
  long i = 0;
  do {
    long j = 0;
    do
      a[i * m + j] += 1;
    while (++j < m);
  } while (++i < n);
}
KERNEL nested_do(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
  nested_do_loop(a, n, m);
  free(a);
}

// KERNEL getter: exact
//   a serial strided(8*m) element 8 reads m*n writes 0 exact
__attribute__((noinline)) static double getter_at(const double *a, long ld,
                                                  long i, long j) {
  return a[i * ld + j];
}
KERNEL getter(long n, long m, double *out) {
  double *a = calloc(n * m, sizeof *a);
  for (long j = 0; j < m; j++)
    for (long i = 0; i < n; i++)
      *out += getter_at(a, m, i, j);
  free(a);
}

// KERNEL getter_stencil: exact
//   a serial stencil(8) points 3 element 8 reads 3*max(0, n - 2) writes 0 dimensions 1 exact
__attribute__((noinline)) static double getter_stencil_at(const double *a,
                                                          long i) {
  return a[i];
}
KERNEL getter_stencil(long n, double *out) {
  double *a = calloc(n, sizeof *a);
  for (long i = 1; i < n - 1; i++)
    *out += getter_stencil_at(a, i - 1) + getter_stencil_at(a, i) +
            getter_stencil_at(a, i + 1);
  free(a);
}

// KERNEL address_of: exact
//   a serial strided(16) element 8 reads n writes n exact
__attribute__((noinline)) static double *address_of_at(double *a, long i) {
  return a + 2 * i;
}
KERNEL address_of(long n) {
  double *a = calloc(2 * n, sizeof *a);
  for (long i = 0; i < n; i++)
    *address_of_at(a, i) += 1;
  free(a);
}

// KERNEL leading_dimension: exact
//   a serial strided(8*ld) element 8 reads m*n writes m*n exact
KERNEL leading_dimension_loop(double *a, long n, long m, long ld) {
  for (long j = 0; j < m; j++)
    for (long i = 0; i < n; i++)
      a[i * ld + j] += 1;
}
KERNEL leading_dimension(long n, long m) {
  double *a = calloc(n * (m + 3), sizeof *a);
  leading_dimension_loop(a, n, m, m + 3);
  free(a);
}

// KERNEL flattened: exact
//   a serial stream(8) element 8 reads m*n writes m*n exact
KERNEL flattened_loop(double *a, long n, long m, long ld) {
  for (long t = 0; t < n * m; t++)
    a[t / m * ld + t % m] += 1;
}
KERNEL flattened(long n, long m) {
  double *a = calloc(n * (m + 3), sizeof *a);
  flattened_loop(a, n, m, m + 3);
  free(a);
}

// KERNEL ring: exact
//   a serial invariant element 8 reads n writes n exact
KERNEL ring_loop(double *a, long size, long n) {
  for (long t = 0; t < n; t++)
    a[t % size] += t;
}
KERNEL ring(long n, long m) {
  double *a = calloc(m, sizeof *a);
  ring_loop(a, m, n * 5);
  free(a);
}

// KERNEL masked_ring: exact
//   a serial invariant element 8 reads n writes n exact
KERNEL masked_ring_loop(double *a, long n) {
  for (long t = 0; t < n; t++)
    a[t & 63] += t;
}
KERNEL masked_ring(long n) {
  double *a = calloc(64, sizeof *a);
  masked_ring_loop(a, n * 5);
  free(a);
}

// KERNEL hashed_counter: exact
//   a serial random element 8 reads n writes n exact why computed-index
KERNEL hashed_counter_loop(double *a, unsigned n) {
  for (unsigned t = 0; t < n; t++)
    a[t * 2654435761u % 4093] += t;
}
KERNEL hashed_counter(long n) {
  double *a = calloc(4093, sizeof *a);
  hashed_counter_loop(a, n);
  free(a);
}

// KERNEL bit_fields: exact
//   b serial strided(8) element 2 reads n writes n exact
struct bits {
  unsigned low : 5, high : 11;
  int rest;
};
KERNEL bit_fields_loop(struct bits *b, long n) {
  for (long i = 0; i < n; i++)
    b[i].high += 1;
}
KERNEL bit_fields(long n) {
  struct bits *b = calloc(n, sizeof *b);
  bit_fields_loop(b, n);
  free(b);
}

// KERNEL unions: exact
//   u serial stream(8) element 8 reads n writes n exact
//   u serial strided(8) element 4 reads 0 writes n exact
union number {
  double d;
  int64_t i;
  float f[2];
};
KERNEL unions_loop(union number *u, long n) {
  for (long i = 0; i < n; i++) {
    u[i].d += 1;
    u[i].f[1] = 2;
  }
}
KERNEL unions(long n) {
  union number *u = calloc(n, sizeof *u);
  unions_loop(u, n);
  free(u);
}

// KERNEL big_struct: exact
//   b serial stream(64) element 64 reads 5*n writes 0 exact
//   a serial stream(64) element 64 reads 0 writes 5*n exact
//   a serial invariant element 8 reads 1 writes 0 exact
struct big {
  double v[40];
};
KERNEL big_struct_loop(struct big *restrict a, const struct big *restrict b,
                       long n) {
  for (long i = 0; i < n; i++)
    a[i] = b[i];
}
KERNEL big_struct(long n, double *out) {
  struct big *a = calloc(n, sizeof *a);
  struct big *b = calloc(n, sizeof *b);
  big_struct_loop(a, b, n);
  *out += a[n - 1].v[3];
  free(a);
  free(b);
}

// KERNEL restrict_axpy: exact
//   y serial stream(8) element 8 reads n writes n exact
//   x serial stream(8) element 8 reads n writes 0 exact
KERNEL restrict_axpy_loop(double *restrict y, const double *restrict x, long n,
                          double f) {
  for (long i = 0; i < n; i++)
    y[i] += f * x[i];
}
KERNEL restrict_axpy(long n) {
  double *y = calloc(n, sizeof *y);
  double *x = calloc(n, sizeof *x);
  restrict_axpy_loop(y, x, n, 3);
  free(y);
  free(x);
}

// KERNEL recursion_forward: exact
//   a serial stream(8) element 8 reads taken+4 writes taken+4 conditional 2*taken+4 exact
KERNEL recursion_forward_step(double *a, long n) {
  if (n == 0)
    return;
  recursion_forward_step(a + 1, n - 1);
  *a += 1;
}
KERNEL recursion_forward(long n) {
  double *a = calloc(n, sizeof *a);
  recursion_forward_step(a, n);
  free(a);
}

// KERNEL every_exit: exact
//   a serial stream(8) element 8 reads trip+3 writes n exact
__attribute__((noinline)) static long every_exit_loop(const long *a, long n) {
  long found = 0;
  for (long i = 0; i < n; i++) {
    if (a[i] < 0)
      break;
    if (a[i] == 3)
      continue;
    if (a[i] > 90)
      return i;
    found += a[i];
  }
  return found;
}
KERNEL every_exit(long n, double *out) {
  long *a = NEW(long, n);
  for (long i = 0; i < n; i++)
    a[i] = i * 3 % 101;
  *out += every_exit_loop(a, n);
  free(a);
}

// KERNEL inlined_and_called: exact
//   a serial stream(8) element 8 reads trip+3 + trip+3~1 writes n exact
static long place_of(const double *a, long n, double x) {
  long i = 0;
  while (i < n && a[i] < x)
    i++;
  return i;
}
KERNEL inlined_and_called(long n, double *out) {
  double *a = malloc(n * sizeof *a);
  for (long i = 0; i < n; i++)
    a[i] = i;
  [[clang::noinline]] *out += place_of(a, n, n / 2);
  [[clang::always_inline]] *out += place_of(a, n, n / 3);
  free(a);
}

// KERNEL below_zero: exact
//   a serial strided(-24) element 8 reads trip+3 writes trip+3 exact
KERNEL below_zero(unsigned n) {
  double *a = calloc(n, sizeof *a);
  for (unsigned i = n - 1; i < n; i -= 3)
    a[i] += 1;
  free(a);
}

// KERNEL every_byte: exact
//   a serial stream(8) element 8 reads 256 writes 256 exact
KERNEL every_byte(void) {
  double *a = calloc(257, sizeof *a);
  unsigned char i = 0;
  do
    a[i] += 1;
  while (++i);
  free(a);
}

// KERNEL wrapped_byte: exact
//   a serial invariant element 8 reads -256*floordiv(-n + 49, 256) - n + 50 writes -256*floordiv(-n + 49, 256) - n + 50 exact
KERNEL wrapped_byte(long n) {
  double *a = calloc(257, sizeof *a);
  unsigned char i = n;
  do
    a[i] += 1;
  while (++i != 50);
  free(a);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  double out = 0;
  bump_by_two(n);
  bump_here(n);
  counted_down(n);
  short_index(n);
  byte_index(n);
  minus_three(n);
  doubling(n);
  halving_stages(n);
  two_variables(n);
  goto_loop(n);
  nested_do(n, m);
  getter(n, m, &out);
  getter_stencil(n, &out);
  address_of(n);
  leading_dimension(n, m);
  flattened(n, m);
  ring(n, m);
  masked_ring(n);
  hashed_counter(n);
  bit_fields(n);
  unions(n);
  big_struct(n, &out);
  restrict_axpy(n);
  recursion_forward(n);
  every_exit(n, &out);
  inlined_and_called(n, &out);
  below_zero(n);
  every_byte();
  wrapped_byte(n);
  return out < 0;
}
