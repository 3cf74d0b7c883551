// Arrays that a function is handed behind its named arguments.
// INPUTS 101 67 | 131 89
#include <stdarg.h>
#include <stdlib.h>

#define KERNEL __attribute__((noinline)) static void
#define FUNCTION __attribute__((noinline)) static

// KERNEL summed: exact
//   a,b serial stream(8) element 8 reads 2*n writes 0 exact
FUNCTION double summed_each(long n, long count, ...) {
  double sum = 0;
  va_list list;
  va_start(list, count);
  for (long k = 0; k < count; k++) {
    const double *x = va_arg(list, const double *);
    for (long i = 0; i < n; i++)
      sum += x[i];
  }
  va_end(list);
  return sum;
}
KERNEL summed(long n, double *out) {
  double *a = calloc(n, sizeof *a);
  double *b = calloc(n, sizeof *b);
  *out += summed_each(n, 2L, a, b);
  free(a);
  free(b);
}

// KERNEL handed_on: exact
//   a serial stream(8) element 8 reads n writes n exact
FUNCTION void handed_on_list(long n, va_list list) {
  double *x = va_arg(list, double *);
  double by = va_arg(list, double);
  for (long i = 0; i < n; i++)
    x[i] += by;
}
FUNCTION void handed_on_each(long n, ...) {
  va_list list;
  va_start(list, n);
  handed_on_list(n, list);
  va_end(list);
}
KERNEL handed_on(long n) {
  double *a = calloc(n, sizeof *a);
  handed_on_each(n, a, 2.0);
  free(a);
}

// KERNEL twice: exact
//   a serial stream(8) element 8 reads n writes 0 exact
//   a serial strided(16) element 8 reads floordiv(n - 1, 2) + 1 writes 0 exact
FUNCTION double twice_each(long n, ...) {
  double sum = 0;
  va_list list, again;
  va_start(list, n);
  va_copy(again, list);
  double *x = va_arg(list, double *);
  for (long i = 0; i < n; i++)
    sum += x[i];
  double *y = va_arg(again, double *);
  for (long i = 0; i < n; i += 2)
    sum += y[i];
  va_end(again);
  va_end(list);
  return sum;
}
KERNEL twice(long n, double *out) {
  double *a = calloc(n, sizeof *a);
  *out += twice_each(n, a);
  free(a);
}

// KERNEL many: exact
//   total serial stream(8) element 8 reads 6*n writes 6*n exact
//   a serial stream(8) element 8 reads 6*n writes 0 exact
// More than registers hold; and a list of its own type.
struct many_state {
  double *total;
  va_list list;
};
FUNCTION void many_next(struct many_state *s, long n) {
  double *x = va_arg(s->list, double *);
  for (long i = 0; i < n; i++)
    s->total[i] += x[i];
}
FUNCTION void many_each(double *total, long n, long count, ...) {
  struct many_state s;
  s.total = total;
  va_start(s.list, count);
  for (long k = 0; k < count; k++)
    many_next(&s, n);
  va_end(s.list);
}
KERNEL many(long n) {
  double *total = calloc(n, sizeof *total);
  double *a = calloc(n, sizeof *a);
  many_each(total, n, 6L, a, a, a, a, a, a);
  free(total);
  free(a);
}

// KERNEL records: exact
//   a serial stream(8) element 8 reads 0 writes trip+11 exact
// Too large for registers: what is handed over is a copy.
struct records_view {
  long first, last;
  double *data;
};
FUNCTION void records_each(long count, ...) {
  va_list list;
  va_start(list, count);
  for (long k = 0; k < count; k++) {
    struct records_view v = va_arg(list, struct records_view);
    for (long i = v.first; i < v.last; i++)
      v.data[i] = i;
  }
  va_end(list);
}
KERNEL records(long n, long m) {
  double *a = calloc(n, sizeof *a);
  struct records_view low = {0, m, a}, high = {m, n, a};
  records_each(2L, low, high);
  free(a);
}

// KERNEL chosen: exact
//   a serial stream(8) element 8 reads calls+2*n writes calls+2*n exact
//   a serial stream(-8) element 8 reads 0 writes calls+10*n exact
// Which function it is, a pointer says.
FUNCTION void chosen_up(long n, ...) {
  va_list list;
  va_start(list, n);
  double *x = va_arg(list, double *);
  for (long i = 0; i < n; i++)
    x[i] += 1;
  va_end(list);
}
FUNCTION void chosen_down(long n, ...) {
  va_list list;
  va_start(list, n);
  double *x = va_arg(list, double *);
  for (long i = n; i-- > 0;)
    x[i] = i;
  va_end(list);
}
KERNEL chosen(long n, long m) {
  double *a = calloc(n, sizeof *a);
  void (*f)(long, ...) = m & 1 ? chosen_up : chosen_down;
  f(n, a);
  free(a);
}

// KERNEL to_pointers: exact
//   where serial stream(8) element 8 reads n writes n exact
// Places where results go.
FUNCTION void to_pointers_each(long n, ...) {
  va_list list;
  va_start(list, n);
  double **where = va_arg(list, double **);
  *where = calloc(n, sizeof **where);
  va_end(list);
}
KERNEL to_pointers(long n) {
  double *a;
  to_pointers_each(n, &a);
  for (long i = 0; i < n; i++)
    a[i] += i;
  free(a);
}

// KERNEL lengths: exact
//   a,b serial stream(8) element 8 reads trip+9 writes 0 exact
// How long they are is handed over as well.
FUNCTION double lengths_each(long count, ...) {
  double sum = 0;
  va_list list;
  va_start(list, count);
  for (long k = 0; k < count; k++) {
    const double *x = va_arg(list, const double *);
    long n = va_arg(list, long);
    for (long i = 0; i < n; i++)
      sum += x[i];
  }
  va_end(list);
  return sum;
}
KERNEL lengths(long n, long m, double *out) {
  double *a = calloc(n, sizeof *a);
  double *b = calloc(m, sizeof *b);
  *out += lengths_each(2L, a, n, b, m);
  free(a);
  free(b);
}

// KERNEL length: exact
//   a serial stream(8) element 8 reads trip+8 writes 0 exact
// One array each, of another length in the next call.
FUNCTION double length_one(const char *format, ...) {
  double sum = 0;
  va_list list;
  va_start(list, format);
  const double *x = va_arg(list, const double *);
  long n = va_arg(list, long);
  for (long i = 0; i < n; i++)
    sum += x[i];
  va_end(list);
  return sum;
}
KERNEL length(long n, long m, double *out) {
  double *a = calloc(n + m + 1, sizeof *a);
  *out += length_one("pl", a, n);
  *out += length_one("pl", a, m);
  free(a);
}

// KERNEL team: exact
//   a parallel stream(8) element 8 reads share(by*n) writes share(by*n) exact
// Threads go through what one of them was handed.
FUNCTION void team_each(long n, ...) {
  va_list list;
  va_start(list, n);
  double *x = va_arg(list, double *);
  long by = va_arg(list, long);
#pragma omp parallel for
  for (long i = 0; i < n * by; i++)
    x[i] += 1;
  va_end(list);
}
KERNEL team(long n) {
  double *a = calloc(2 * n + 1, sizeof *a);
  team_each(n, a, 2L);
  free(a);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  double out = 0;
  summed(n, &out);
  handed_on(n);
  twice(n, &out);
  many(n);
  records(n, m);
  chosen(n, m);
  to_pointers(n);
  lengths(n, m, &out);
  length(n, m, &out);
  team(n);
  return out != 0;
}
