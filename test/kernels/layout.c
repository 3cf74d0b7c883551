// Layouts and sources of memory: structures, slabs, statics, wrappers, calls.
// INPUTS 101 67 | 131 89
#define _GNU_SOURCE
#include <complex.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL __attribute__((noinline)) static void
#define NEW(type, n) malloc((n) * sizeof(type))

// KERNEL aos_one_field: exact
//   p serial strided(32) element 8 reads n writes n exact
struct particle {
  double x, y, z, mass;
};
KERNEL aos_one_field_loop(struct particle *p, long n) {
  for (long i = 0; i < n; i++)
    p[i].x += 1;
}
KERNEL aos_one_field(long n) {
  struct particle *p = calloc(n, sizeof *p);
  aos_one_field_loop(p, n);
  free(p);
}

// KERNEL aos_all_fields: exact
//   p serial strided(32) element 8 reads 4*n writes 3*n exact
KERNEL aos_all_fields_loop(struct particle *p, long n) {
  for (long i = 0; i < n; i++) {
    p[i].x += p[i].mass;
    p[i].y += p[i].mass;
    p[i].z += p[i].mass;
  }
}
KERNEL aos_all_fields(long n) {
  struct particle *p = calloc(n, sizeof *p);
  aos_all_fields_loop(p, n);
  free(p);
}

// KERNEL soa: exact
//   p.x serial stream(8) element 8 reads p->n writes p->n exact
//   p.y serial stream(8) element 8 reads p->n writes 0 exact
//   p.mass serial stream(8) element 8 reads p->n writes 0 exact
struct particles {
  long n;
  double *x, *y, *mass;
};
KERNEL soa_loop(struct particles *p) {
  for (long i = 0; i < p->n; i++)
    p->x[i] += p->y[i] * p->mass[i];
}
KERNEL soa(long n) {
  struct particles p = {.n = n};
  p.x = calloc(n, sizeof(double));
  p.y = calloc(n, sizeof(double));
  p.mass = calloc(n, sizeof(double));
  soa_loop(&p);
  free(p.x);
  free(p.y);
  free(p.mass);
}

// KERNEL struct_copy: exact
//   b serial stream(64) element 64 reads 0 writes n exact
//   a serial stream(64) element 64 reads n writes 0 exact
KERNEL struct_copy_loop(const struct particle *a, struct particle *b, long n) {
  for (long i = 0; i < n; i++)
    b[n - 1 - i] = a[i];
}
KERNEL struct_copy(long n) {
  struct particle *a = calloc(n, sizeof *a);
  struct particle *b = NEW(struct particle, n);
  struct_copy_loop(a, b, n);
  free(a);
  free(b);
}

// KERNEL packed_bytes: exact
//   p serial strided(12) element 8 reads n writes 0 exact
//   out serial stream(8) element 8 reads 0 writes n exact
KERNEL packed_bytes_loop(const char *p, double *out, long n) {
  for (long i = 0; i < n; i++) {
    double v;
    memcpy(&v, p + 12 * i + 4, sizeof v);
    out[i] = v;
  }
}
KERNEL packed_bytes(long n) {
  char *p = calloc(n, 12);
  double *out = NEW(double, n);
  packed_bytes_loop(p, out, n);
  free(p);
  free(out);
}

// KERNEL complex_axpy: exact
//   y serial strided(16) element 8 reads 2*n writes 2*n exact
//   x serial strided(16) element 8 reads 2*n writes 0 exact
KERNEL complex_axpy_loop(double complex *y, const double complex *x, long n) {
  for (long i = 0; i < n; i++)
    y[i] += 2 * x[i];
}
KERNEL complex_axpy(long n) {
  double complex *y = calloc(n, sizeof *y);
  double complex *x = calloc(n, sizeof *x);
  complex_axpy_loop(y, x, n);
  free(y);
  free(x);
}

// KERNEL pointer_increment: exact
//   a serial stream(8) element 8 reads (e - p) writes 0 exact
__attribute__((noinline)) static double pointer_increment_loop(const double *p,
                                                               const double *e) {
  double s = 0;
  while (p != e)
    s += *p++;
  return s;
}
KERNEL pointer_increment(long n, double *out) {
  double *a = calloc(n, sizeof *a);
  *out += pointer_increment_loop(a, a + n);
  free(a);
}

// KERNEL string_length: exact
//   s serial stream(1) element 1 reads trip+3 writes 0 exact
//   s serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64) exact
//   s serial invariant element 1 reads 0 writes 1 exact
__attribute__((noinline)) static long string_length_loop(const char *p) {
  long n = 0;
  while (p[n] != 0 && p[n] != '#')
    n++;
  return n;
}
KERNEL string_length(long n, double *out) {
  char *s = malloc(8 * n);
  memset(s, 'x', 8 * n);
  s[8 * n - 1] = 0;
  *out += string_length_loop(s);
  free(s);
}

// KERNEL do_while: exact
//   a serial stream(8) element 8 reads max(1, n) writes max(1, n) exact
KERNEL do_while_loop(double *a, long n) {
  long i = 0;
  do
    a[i] += 1;
  while (++i < n);
}
KERNEL do_while(long n) {
  double *a = calloc(n, sizeof *a);
  do_while_loop(a, n);
  free(a);
}

// KERNEL switch_in_loop: exact
//   kind serial stream(4) element 4 reads switch_in_loop_loop:n writes switch_in_loop:n exact
//   a serial stream(8) element 8 reads taken+5 writes taken+11 + taken+5 conditional 2*taken+5 + taken+11 exact
//   b serial stream(8) element 8 reads taken+11 + taken+8 writes taken+8 conditional 2*taken+8 + taken+11 exact
KERNEL switch_in_loop_loop(double *a, double *b, const int *kind, long n) {
  for (long i = 0; i < n; i++)
    switch (kind[i]) {
    case 0:
      a[i] += 1;
      break;
    case 1:
      b[i] -= 1;
      break;
    case 2:
      a[i] = b[i];
      break;
    default:
      break;
    }
}
KERNEL switch_in_loop(long n) {
  double *a = calloc(n, sizeof *a);
  double *b = calloc(n, sizeof *b);
  int *kind = NEW(int, n);
  for (long i = 0; i < n; i++)
    kind[i] = i % 5;
  switch_in_loop_loop(a, b, kind, n);
  free(a);
  free(b);
  free(kind);
}

// KERNEL continue_and_break: exact
//   b serial stream(8) element 8 reads trip+2 writes n exact
//   a serial stream(8) element 8 reads 0 writes taken+7 conditional taken+7 exact
KERNEL continue_and_break_loop(double *a, const double *b, long n) {
  for (long i = 0; i < n; i++) {
    if (b[i] < 10)
      continue;
    if (b[i] > 90)
      break;
    a[i] = b[i];
  }
}
KERNEL continue_and_break(long n) {
  double *a = NEW(double, n);
  double *b = NEW(double, n);
  for (long i = 0; i < n; i++)
    b[i] = i;
  continue_and_break_loop(a, b, n);
  free(a);
  free(b);
}

// KERNEL static_array: exact
//   static_array_data serial stream(8) element 8 reads n writes n exact
static double static_array_data[16384];
KERNEL static_array(long n) {
  for (long i = 0; i < n; i++)
    static_array_data[i] += 1;
}

// KERNEL function_static: exact
//   table serial strided(1024) element 8 reads 100*n writes 100*n exact
KERNEL function_static(long n) {
  static double table[128][128];
  for (long i = 0; i < n; i++)
    for (long j = 0; j < 100; j++)
      table[j][i % 128] += 1;
}

// KERNEL calloc_family: exact
//   c serial stream(8) element 8 reads 0 writes n exact
KERNEL calloc_family(long n) {
  double *a = calloc(n, sizeof *a);
  double *b = aligned_alloc(64, (n * 8 + 63) / 64 * 64 + 64);
  double *c = 0;
  if (posix_memalign((void **)&c, 64, n * 8))
    abort();
  for (long i = 0; i < n; i++) {
    b[i] = a[i];
    c[i] = i;
  }
  free(a);
  free(b);
  free(c);
}

// KERNEL realloc_growth: exact
//   a serial stream(8) element 8 reads 0 writes n exact why new-blocks
//   a serial invariant element 8 reads 1 writes 0 exact
KERNEL realloc_growth(long n, double *out) {
  long room = 64, used = 0;
  double *a = NEW(double, room);
  for (long i = 0; i < n; i++) {
    if (used == room) {
      room *= 2;
      a = realloc(a, room * sizeof *a);
    }
    a[used++] = i;
  }
  *out += a[n - 1];
  free(a);
}

// KERNEL slab: exact
//   slab serial stream(8) element 8 reads 0 writes n exact
//   slab[8*slab:n] serial stream(8) element 8 reads slab_loop:n writes 0 exact
//   slab[16*slab:n] serial stream(-8) element 8 reads slab_loop:n writes 0 exact
KERNEL slab_loop(double *x, double *y, double *z, long n) {
  for (long i = 0; i < n; i++)
    x[i] = y[i] + z[n - 1 - i];
}
KERNEL slab(long n) {
  double *slab = calloc(3 * n, sizeof *slab);
  slab_loop(slab, slab + n, slab + 2 * n, n);
  free(slab);
}

// KERNEL slab_in_fields: exact
//   s->x serial stream(8) element 8 reads 0 writes n exact
//   s->x[8*m*slab_parts_make:n + 8*slab_parts_make:n] serial stream(4) element 4 reads slab_parts_add:n writes slab_parts_fill:n exact
//   s->x[8*slab_parts_make:n] serial stream(8) element 8 reads 0 writes m*slab_parts_fill:n exact
//   s->x[8*slab_parts_make:n] serial random element 8 reads slab_parts_add:n writes 0 index s->x exact
struct slab_parts {
  double *x, *y;
  int *index;
};
KERNEL slab_parts_make(struct slab_parts *s, long n, long m) {
  s->x = malloc(8 * n + 8 * n * m + 4 * n);
  s->y = s->x + n;
  s->index = (int *)(s->y + n * m);
}
KERNEL slab_parts_fill(struct slab_parts *s, long n, long m) {
  for (long i = 0; i < n; i++) {
    s->x[i] = 0;
    s->index[i] = (int)(n - i);
    for (long j = 0; j < m; j++)
      s->y[i * m + j] = j;
  }
}
KERNEL slab_parts_add(struct slab_parts *s, long n, double *out) {
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += s->y[s->index[i]];
  *out += sum;
}
KERNEL slab_in_fields(long n, long m, double *out) {
  struct slab_parts s;
  slab_parts_make(&s, n, m);
  slab_parts_fill(&s, n, m);
  slab_parts_add(&s, n, out);
  free(s.x);
}

// KERNEL wrapper: exact
//   p serial stream(8) element 8 reads n writes 2*n exact
//   p serial stream(4) element 4 reads n writes n exact
__attribute__((noinline)) static void *wrapper_alloc(long n) {
  void *p = malloc(n);
  if (!p)
    abort();
  return p;
}
KERNEL wrapper(long n) {
  double *a = wrapper_alloc(n * 8);
  int *b = wrapper_alloc(n * 4);
  for (long i = 0; i < n; i++)
    a[i] = i;
  for (long i = 0; i < n; i++)
    b[i] = i;
  for (long i = 0; i < n; i++)
    a[i] += b[i];
  free(a);
  free(b);
}

// KERNEL called_twice: exact
//   a,b serial stream(8) element 8 reads trip+2 writes trip+2 exact
KERNEL called_twice_loop(double *a, long n) {
  for (long i = 0; i < n; i++)
    a[i] += 1;
}
KERNEL called_twice(long n, long m) {
  double *a = calloc(n, sizeof *a);
  double *b = calloc(m, sizeof *b);
  called_twice_loop(a, n);
  called_twice_loop(b, m);
  free(a);
  free(b);
}

// KERNEL called_in_loop: exact
//   a serial stream(8) element 8 reads called_in_loop:n*called_in_loop_row:n writes called_in_loop:n*called_in_loop_row:n exact
KERNEL called_in_loop_row(double *a, long n) {
  for (long i = 0; i < n; i++)
    a[i] += 1;
}
KERNEL called_in_loop(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
  for (long i = 0; i < n; i++)
    called_in_loop_row(a + i * m, m);
  free(a);
}

// KERNEL called_with_counter: exact
//   a serial stream(8) element 8 reads trip+2 writes trip+2 exact
KERNEL called_with_counter_row(double *a, long n) {
  for (long i = 0; i < n; i++)
    a[i] += 1;
}
KERNEL called_with_counter(long n) {
  double *a = calloc(n, sizeof *a);
  for (long i = 0; i < n; i++)
    called_with_counter_row(a, i);
  free(a);
}

// KERNEL helper_inlined_twice: exact
//   c serial stream(8) element 8 reads trip+3#1 writes 0 exact
//   a serial stream(8) element 8 reads trip+3 writes 0 exact
//   d serial stream(8) element 8 reads taken+4#1 writes 0 exact
//   b serial stream(8) element 8 reads taken+4 writes 0 exact
static inline double helper_dot(const double *a, const double *b, long n) {
  double s = 0;
  for (long i = 0; i < n && a[i] >= 0; i++)
    s += a[i] * b[i];
  return s;
}
KERNEL helper_inlined_twice(long n, long m, double *out) {
  double *a = calloc(n, sizeof *a);
  double *b = calloc(n, sizeof *b);
  double *c = calloc(m, sizeof *c);
  double *d = calloc(m, sizeof *d);
  *out += helper_dot(a, b, n);
  *out += helper_dot(c, d, m);
  free(a);
  free(b);
  free(c);
  free(d);
}

// KERNEL function_pointer: exact
//   a serial stream(8) element 8 reads n writes n exact
static double function_pointer_square(double x) { return x * x; }
KERNEL function_pointer_apply(double *a, long n, double (*f)(double)) {
  for (long i = 0; i < n; i++)
    a[i] = f(a[i]);
}
KERNEL function_pointer(long n) {
  double *a = calloc(n, sizeof *a);
  function_pointer_apply(a, n, function_pointer_square);
  free(a);
}

// KERNEL dispatch_table: exact
//   a serial stream(8) element 8 reads calls+1*n writes calls+1*n exact
//   a serial strided(16) element 8 reads (floordiv(n - 1, 2) + 1)*calls+5 writes (floordiv(n - 1, 2) + 1)*calls+5 exact
__attribute__((noinline)) static void table_add(double *a, long n) {
  for (long i = 0; i < n; i++)
    a[i] += 1;
}
__attribute__((noinline)) static void table_scale(double *a, long n) {
  for (long i = 0; i < n; i += 2)
    a[i] *= 2;
}
static void (*volatile table_chosen)(double *, long) = table_add;
KERNEL dispatch_table(long n) {
  double *a = calloc(n, sizeof *a);
  for (int k = 0; k < 3; k++) {
    table_chosen(a, n);
    table_chosen = table_scale;
  }
  free(a);
}

// KERNEL recursion_halves: exact
//   a serial stream(8) element 8 reads trip+3 writes trip+3 exact
KERNEL recursion_halves_part(double *a, long n) {
  if (n < 8) {
    for (long i = 0; i < n; i++)
      a[i] += 1;
    return;
  }
  recursion_halves_part(a, n / 2);
  recursion_halves_part(a + n / 2, n - n / 2);
}
KERNEL recursion_halves(long n) {
  double *a = calloc(n, sizeof *a);
  recursion_halves_part(a, n);
  free(a);
}

// KERNEL double_buffer: exact
//   a,b serial stream(8) element 8 reads 8*max(0, n - 2) writes 4*max(0, n - 2) exact
KERNEL double_buffer_step(const double *restrict a, double *restrict b,
                          long n) {
  for (long i = 1; i < n - 1; i++)
    b[i] = a[i - 1] + a[i + 1];
}
KERNEL double_buffer(long n) {
  double *a = calloc(n, sizeof *a);
  double *b = calloc(n, sizeof *b);
  for (int t = 0; t < 4; t++) {
    double_buffer_step(a, b, n);
    double *s = a;
    a = b;
    b = s;
  }
  free(a);
  free(b);
}

// KERNEL memmove_and_copy: exact
//   b serial stream(64) element 64 reads 0 writes ceildiv(max(floordiv(n, 2), min(0, ceildiv(n, 2))), 64) + ceildiv(n, 64) exact
//   a serial stream(64) element 64 reads ceildiv(n, 64) + max(0, min(ceildiv(n, 64), n - 8)) writes ceildiv(n - 8, 64) exact
KERNEL memmove_and_copy_calls(char *a, char *b, long n) {
  memcpy(b, a, n);
  memmove(a, a + 8, n - 8);
  memset(b, 1, n / 2);
}
KERNEL memmove_and_copy(long n) {
  char *a = calloc(8 * n, 1);
  char *b = malloc(8 * n);
  memmove_and_copy_calls(a, b, 8 * n);
  free(a);
  free(b);
}

// KERNEL insertion_sort: exact
//   a serial stream(8) element 8 reads max(0, insertion_sort_loop:n - 1) writes insertion_sort:n exact
//   a serial stream(-8) element 8 reads trip+5 writes taken+6 exact
//   a serial random element 8 reads 0 writes max(0, n - 1) exact why computed-index
KERNEL insertion_sort_loop(double *a, long n) {
  for (long i = 1; i < n; i++) {
    double v = a[i];
    long j = i;
    for (; j > 0 && a[j - 1] > v; j--)
      a[j] = a[j - 1];
    a[j] = v;
  }
}
KERNEL insertion_sort(long n) {
  double *a = NEW(double, n);
  for (long i = 0; i < n; i++)
    a[i] = i * 31 % 53;
  insertion_sort_loop(a, n);
  free(a);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  double out = 0;
  aos_one_field(n);
  aos_all_fields(n);
  soa(n);
  struct_copy(n);
  packed_bytes(n);
  complex_axpy(n);
  pointer_increment(n, &out);
  string_length(n, &out);
  do_while(n);
  switch_in_loop(n);
  continue_and_break(n);
  static_array(n);
  function_static(n);
  calloc_family(n);
  realloc_growth(n, &out);
  slab(n);
  slab_in_fields(n, m, &out);
  wrapper(n);
  called_twice(n, m);
  called_in_loop(n, m);
  called_with_counter(n);
  helper_inlined_twice(n, m, &out);
  function_pointer(n);
  dispatch_table(n);
  recursion_halves(n);
  double_buffer(n);
  memmove_and_copy(n);
  insertion_sort(n);
  return out < 0;
}
