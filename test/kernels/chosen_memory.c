// Memory whose kind the program chooses: memkind and its hbw interface.
// INPUTS 101 67 | 131 89
// NEEDS -lmemkind
#include <hbwmalloc.h>
#include <memkind.h>
#include <stdlib.h>
#include <string.h>
#define KERNEL __attribute__((noinline)) static void

// KERNEL from_hbw_malloc: exact
//   a serial stream(8) element 8 reads 0 writes n exact
KERNEL from_hbw_malloc(long n) {
  double *a = hbw_malloc(n * sizeof *a);
  for (long i = 0; i < n; i++)
    a[i] = i;
  hbw_free(a);
}

// Read and written by a team.
// KERNEL from_hbw_calloc: exact
//   a parallel stream(8) element 8 reads m*share(n) writes m*share(n) exact
KERNEL from_hbw_calloc(long n, long m) {
  double *a = hbw_calloc(n * m, sizeof *a);
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i * m + j] += 1;
  hbw_free(a);
}

// m * n written as the block grows, all of it read.
// KERNEL from_hbw_realloc: exact
//   a serial stream(8) element 8 reads 0 writes n exact
//   a serial stream(8) element 8 reads m*n writes max(-(-m + 1)*n, 0) exact
//   a serial invariant element 8 reads 1 writes 0 exact
KERNEL from_hbw_realloc(long n, long m, double *out) {
  double *a = hbw_malloc(n * sizeof *a);
  for (long i = 0; i < n; i++)
    a[i] = i;
  a = hbw_realloc(a, n * m * sizeof *a);
  for (long i = n; i < n * m; i++)
    a[i] = i;
  for (long i = 0; i < n * m; i++)
    if (a[i] != i)
      abort();
  *out += a[n];
  hbw_free(a);
}

// Every third element: ceil(n / 3).
// KERNEL from_hbw_posix_memalign: exact
//   a serial strided(12) element 4 reads 0 writes floordiv(n - 1, 3) + 1 exact
KERNEL from_hbw_posix_memalign(long n) {
  float *a;
  if (hbw_posix_memalign((void **)&a, 64, n * sizeof *a))
    abort();
  for (long i = 0; i < n; i += 3)
    a[i] = i;
  hbw_free(a);
}

// KERNEL from_memkind_malloc: exact
//   a serial stream(8) element 8 reads 0 writes n exact
//   a serial stream(-8) element 8 reads 2*max(0, n - 1) writes max(0, n - 1) exact
KERNEL from_memkind_malloc(long n) {
  double *a = memkind_malloc(MEMKIND_DEFAULT, n * sizeof *a);
  for (long i = 0; i < n; i++)
    a[i] = i;
  for (long i = n - 1; i > 0; i--)
    a[i - 1] += a[i];
  memkind_free(MEMKIND_DEFAULT, a);
}

// KERNEL from_memkind_calloc: exact
//   a serial strided(8*m) element 8 reads m*n writes m*n exact
KERNEL from_memkind_calloc(long n, long m) {
  double *a = memkind_calloc(MEMKIND_REGULAR, n * m, sizeof *a);
  for (long j = 0; j < m; j++)
    for (long i = 0; i < n; i++)
      a[i * m + j] += 1;
  memkind_free(MEMKIND_REGULAR, a);
}

// KERNEL from_memkind_posix_memalign: exact
//   a serial stream(8) element 8 reads 0 writes n exact
KERNEL from_memkind_posix_memalign(long n) {
  double *a;
  if (memkind_posix_memalign(MEMKIND_DEFAULT, (void **)&a, 64, n * sizeof *a))
    abort();
  for (long i = 0; i < n; i++)
    a[i] = i;
  memkind_free(NULL, a);
}

// Refused memory stays refused: the heap's is what the loop writes.
// KERNEL fallen_back: exact
//   a serial stream(8) element 8 reads 0 writes n exact
KERNEL fallen_back(long n) {
  double *a = memkind_malloc(MEMKIND_DAX_KMEM, n * sizeof *a);
  int refused = !a;
  if (refused)
    a = malloc(n * sizeof *a);
  for (long i = 0; i < n; i++)
    a[i] = i;
  if (refused)
    free(a);
  else
    memkind_free(MEMKIND_DAX_KMEM, a);
}

// Released through a pointer.
// KERNEL released_by_pointer: exact
//   hbw_malloc serial stream(8) element 8 reads 0 writes n exact
struct released_by_pointer_buffer {
  double *data;
  void (*put)(void *);
};
__attribute__((noinline)) static void
released_by_pointer_end(struct released_by_pointer_buffer *b) {
  b->put(b->data);
}
KERNEL released_by_pointer(long n) {
  struct released_by_pointer_buffer b = {hbw_malloc(n * sizeof(double)),
                                         hbw_free};
  for (long i = 0; i < n; i++)
    b.data[i] = i;
  released_by_pointer_end(&b);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  double out = 0;
  from_hbw_malloc(n);
  from_hbw_calloc(n, m);
  from_hbw_realloc(n, m, &out);
  from_hbw_posix_memalign(n);
  from_memkind_malloc(n);
  from_memkind_calloc(n, m);
  from_memkind_posix_memalign(n);
  fallen_back(n);
  released_by_pointer(n);
  return out < 0;
}
