// Where blocks come from: each family of allocation functions, wrappers of the
// program's, and functions chosen at run time.
// INPUTS 101 67 | 131 89
#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#define KERNEL __attribute__((noinline)) static void

// n writes, m reads from the middle on.
// KERNEL from_aligned_alloc: exact
//   a serial stream(8) element 8 reads m writes n exact
KERNEL from_aligned_alloc(long n, long m, double *out) {
  double *a = aligned_alloc(64, (n * sizeof *a + 63) / 64 * 64 + 64);
  for (long i = 0; i < n; i++)
    a[i] = i;
  for (long i = n - m; i < n; i++)
    *out += a[i];
  free(a);
}

// Every other element: ceil(n/2), read and written.
// KERNEL from_posix_memalign: exact
//   a serial stream(64) element 64 reads 0 writes ceildiv(8*n, 64)*taken+5 conditional ceildiv(8*n, 64)*taken+5 exact
//   a serial strided(16) element 8 reads (floordiv(n - 1, 2) + 1)*taken+5 writes (floordiv(n - 1, 2) + 1)*taken+5 conditional 2*(floordiv(n - 1, 2) + 1)*taken+5 exact
KERNEL from_posix_memalign(long n) {
  double *a;
  if (posix_memalign((void **)&a, 128, n * sizeof *a))
    return;
  memset(a, 0, n * sizeof *a);
  for (long i = 0; i < n; i += 2)
    a[i] += 1;
  free(a);
}

// n * m of 4 bytes, written; m of the last row read.
// KERNEL from_memalign: exact
//   a serial stream(4) element 4 reads m writes m*n exact
KERNEL from_memalign(long n, long m, double *out) {
  float *a = memalign(256, n * m * sizeof *a);
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i * m + j] = i;
  for (long j = 0; j < m; j++)
    *out += a[(n - 1) * m + j];
  free(a);
}

// Column by column: m columns of n elements, m apart; then n from first on.
// KERNEL from_valloc: exact
//   a serial strided(8*m) element 8 reads 0 writes m*n exact
//   a serial stream(8) element 8 reads n writes 0 exact
KERNEL from_valloc(long n, long m, double *out) {
  double *a = valloc(n * m * sizeof *a);
  for (long j = 0; j < m; j++)
    for (long i = 0; i < n; i++)
      a[i * m + j] = i;
  for (long i = 0; i < n; i++)
    *out += a[i];
  free(a);
}

// KERNEL from_pvalloc: exact
//   a serial stream(-8) element 8 reads 0 writes n exact
KERNEL from_pvalloc(long n) {
  double *a = pvalloc(n * sizeof *a);
  for (long i = n; i > 0; i--)
    a[i - 1] = i;
  free(a);
}

// n reads and writes by a team.
// KERNEL from_mmap: exact
//   a parallel stream(8) element 8 reads share(n) writes share(n) exact
KERNEL from_mmap(long n) {
  double *a = mmap(NULL, n * sizeof *a, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (a == MAP_FAILED)
    return;
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    a[i] += 1;
  munmap(a, n * sizeof *a);
}

// KERNEL from_reallocarray: exact
//   a serial stream(8) element 8 reads 0 writes n exact
KERNEL from_reallocarray(long n) {
  double *a = reallocarray(NULL, n, sizeof *a);
  for (long i = 0; i < n; i++)
    a[i] = i;
  free(a);
}

// Grows by half: each step writes what is new; all in all m * n. Reads all of
// it once.
// KERNEL grown_by_realloc: exact
//   a serial stream(8) element 8 reads m*n writes m*n exact
KERNEL grown_by_realloc(long n, long m, double *out) {
  double *a = NULL;
  for (long k = 0; k < m; k++) {
    a = realloc(a, (k + 1) * n * sizeof *a);
    for (long i = k * n; i < (k + 1) * n; i++)
      a[i] = k;
  }
  for (long i = 0; i < n * m; i++)
    *out += a[i];
  free(a);
}

// A copy of a string: n letters go in by memcpy (lines of 64 bytes); n + 1 are
// read, the last one ends the loop.
// KERNEL copied_text: exact
//   t serial stream(64) element 64 reads 0 writes ceildiv(n + 1, 64) exact
//   s serial stream(64) element 64 reads ceildiv(n + 1, 64) writes 0 exact
//   s serial stream(1) element 1 reads 0 writes n exact
//   s serial invariant element 1 reads 0 writes 1 exact
//   t serial stream(1) element 1 reads trip+12 + 1 writes 0 exact
static char *copied_text_dup(const char *s, size_t n) {
  char *t = malloc(n + 1);
  memcpy(t, s, n + 1);
  return t;
}
KERNEL copied_text(long n, long *out) {
  char *s = malloc(n + 1);
  for (long i = 0; i < n; i++)
    s[i] = 'a' + i % 26;
  s[n] = 0;
  char *t = copied_text_dup(s, n);
  for (long i = 0; t[i]; i++)
    *out += t[i];
  free(s);
  free(t);
}

// A wrapper that says so, with a check inside: n and m writes, and a read each.
// KERNEL declared_wrapper: exact
//   p serial stream(8) element 8 reads 0 writes n exact
//   p serial stream(4) element 4 reads 0 writes m exact
//   p serial invariant element 8 reads 1 writes 0 exact
//   p serial invariant element 4 reads 1 writes 0 exact
__attribute__((noinline, malloc, alloc_size(1), returns_nonnull)) static void *
declared_wrapper_get(size_t n) {
  void *p = malloc(n);
  if (!p)
    abort();
  return p;
}
KERNEL declared_wrapper(long n, long m, double *out) {
  double *a = declared_wrapper_get(n * sizeof *a);
  int *b = declared_wrapper_get((m + 40) * sizeof *b);
  for (long i = 0; i < n; i++)
    a[i] = i;
  for (long i = 0; i < m; i++)
    b[i] = i;
  *out += a[n / 2] + b[m / 2];
  free(a);
  free(b);
}

// Through a pointer in a structure, as libraries let users set it.
// KERNEL allocator_in_struct: later InstCombinePass,LoopLoadEliminationPass
//   a serial stream(8) element 8 reads 2*max(0, n - 1) writes max(0, n - 1) + n exact
struct allocator {
  void *(*get)(size_t);
  void (*put)(void *);
};
static struct allocator allocator_in_struct_used = {malloc, free};
KERNEL allocator_in_struct(long n) {
  double *a = allocator_in_struct_used.get(n * sizeof *a);
  for (long i = 0; i < n; i++)
    a[i] = i;
  for (long i = 1; i < n; i++)
    a[i] += a[i - 1];
  allocator_in_struct_used.put(a);
}

// One of two, by what the program was asked for.
// KERNEL chosen_function: exact
//   calloc,malloc serial stream(8) element 8 reads 0 writes n exact
static void *chosen_function_or_abort(void *p) {
  if (!p)
    abort();
  return p;
}
static void *chosen_function_zeroed(size_t n) {
  return chosen_function_or_abort(calloc(n, 1));
}
static void *chosen_function_plain(size_t n) {
  return chosen_function_or_abort(malloc(n));
}
__attribute__((noinline)) static double *
chosen_function_call(void *(*get)(size_t), long n) {
  return get(n * sizeof(double));
}
KERNEL chosen_function(long n, long m) {
  double *a = chosen_function_call(
      m % 2 ? chosen_function_zeroed : chosen_function_plain, n);
  for (long i = 0; i < n; i++)
    a[i] = i;
  free(a);
}

// Addresses by hand: the block begins behind what the program skips.
// KERNEL aligned_by_hand: exact
//   raw serial stream(8) element 8 reads 0 writes n exact
KERNEL aligned_by_hand(long n) {
  char *raw = malloc(n * sizeof(double) + 64);
  double *a = (double *)(((uintptr_t)raw + 63) & ~(uintptr_t)63);
  for (long i = 0; i < n; i++)
    a[i] = i;
  free(raw);
}

// An array of 100 * n on the stack: a write, and a read and a write for each of
// the others; one is read in the end.
// KERNEL variable_length: exact
//   line serial invariant element 8 reads 1 writes 1 exact
//   line serial stream(8) element 8 reads max(0, n - 1) writes max(0, n - 1) exact
__attribute__((noinline)) static void variable_length_fill(double *a, long n) {
  a[0] = 1;
  for (long i = 1; i < n; i++)
    a[i] = a[i - 1] + i;
}
KERNEL variable_length(long n, double *out) {
  double line[n * 100];
  variable_length_fill(line, n * 100);
  *out += line[n];
}

// A global array, and every other element of one that only this file knows.
// KERNEL global_arrays: exact
//   global_table serial stream(8) element 8 reads n writes n exact
//   global_hidden serial strided(8) element 4 reads n writes n exact
double global_table[16384];
static float global_hidden[16384];
KERNEL global_arrays(long n) {
  for (long i = 0; i < n; i++)
    global_table[i] += global_hidden[2 * i]++;
}

// A maker that is too long to be taken for a wrapper: still a new block each
// time.
// KERNEL long_maker: later InferAlignmentPass,InstCombinePass,LoopLoadEliminationPass
//   p serial strided element 8 reads 0 writes 61*taken+12 conditional 61*taken+12 exact why fresh-object
//   p serial invariant element 8 reads 2*floordiv(n, 2)*min(1, max(0, n - 1)) + 1 writes floordiv(n, 2)*min(1, max(0, n - 1)) conditional 3*floordiv(n, 2)*min(1, max(0, n - 1)) exact
#define NEXT(k) x = x * 31 + (x >> k), p->f[k] = x
#define TEN(k)                                                                 \
  NEXT(k), NEXT(k + 1), NEXT(k + 2), NEXT(k + 3), NEXT(k + 4), NEXT(k + 5),    \
      NEXT(k + 6), NEXT(k + 7), NEXT(k + 8), NEXT(k + 9)
struct long_record {
  uint64_t f[61];
};
static struct long_record *make_record(uint64_t x) {
  struct long_record *p = malloc(sizeof *p);
  if (!p)
    return NULL;
  TEN(0), TEN(10), TEN(20), TEN(30), TEN(40), TEN(50);
  p->f[60] = x;
  return p;
}
KERNEL long_maker(long n, double *out) {
  for (long i = 0; i < n / 2; i++) {
    struct long_record *r = make_record(i);
    r->f[i % 61] += i;
    *out += r->f[60];
    free(r);
  }
  struct long_record *last = make_record(n);
  *out += last->f[59];
  free(last);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]), letters = 0;
  double out = 0;
  from_aligned_alloc(n, m, &out);
  from_posix_memalign(n);
  from_memalign(n, m, &out);
  from_valloc(n, m, &out);
  from_pvalloc(n);
  from_mmap(n);
  from_reallocarray(n);
  grown_by_realloc(n, m, &out);
  copied_text(n, &letters);
  declared_wrapper(n, m, &out);
  allocator_in_struct(n);
  chosen_function(n, m);
  aligned_by_hand(n);
  variable_length(n, &out);
  global_arrays(n);
  long_maker(n, &out);
  return out < 0 && letters < 0;
}
