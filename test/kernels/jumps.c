// Jumps out of functions, and back to where setjmp was called.
// INPUTS 101 67 | 131 89
#include <setjmp.h>
#include <stdlib.h>

#define KERNEL __attribute__((noinline)) static void
#define APART __attribute__((noinline)) static

static jmp_buf Here;

// KERNEL jumped_out: bound may-jump-out
//   a serial stream(8) element 8 reads n*taken+14 writes n*taken+14 conditional 2*n*taken+14 bound why may-jump-out
APART void jumped_out_at(long i, long stop) {
  if (i == stop)
    longjmp(Here, 1);
}
APART void jumped_out_loop(double *a, long n, long stop) {
  for (long i = 0; i < n; i++) {
    a[i] += 1;
    jumped_out_at(i, stop);
  }
}
KERNEL jumped_out(long n) {
  double *a = calloc(n, sizeof *a);
  if (!setjmp(Here))
    jumped_out_loop(a, n, n - 13);
  free(a);
}

// KERNEL jumped_while: bound may-jump-out
//   a serial stream(8) element 8 reads taken+10 + trip+2 writes trip+2 conditional taken+10 bound why may-jump-out
APART void jumped_while_loop(double *a, long stop) {
  for (long i = 0; a[i] < 1; i++) {
    a[i] += 1;
    jumped_out_at(i, stop);
  }
}
KERNEL jumped_while(long n) {
  double *a = calloc(n, sizeof *a);
  if (!setjmp(Here))
    jumped_while_loop(a, n - 13);
  free(a);
}

// KERNEL never_back: exact
//   a serial stream(8) element 8 reads taken+6 writes taken+6 exact
__attribute__((noreturn)) APART void never_back_end(void) { longjmp(Here, 1); }
APART void never_back_loop(double *a, long n, long stop) {
  for (long i = 0; i < n; i++) {
    if (i == stop)
      never_back_end();
    a[i] += 1;
  }
}
KERNEL never_back(long n) {
  double *a = calloc(n, sizeof *a);
  if (!setjmp(Here))
    never_back_loop(a, n, n / 2);
  if (!setjmp(Here))
    never_back_loop(a, n, 2 * n);
  free(a);
}

// KERNEL jumped_again: exact
//   a serial stream(8) element 8 reads m*trip+5 writes m*trip+5 exact
KERNEL jumped_again(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
  volatile int times = 0;
  setjmp(Here);
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i * m + j] += 1;
  if (++times < 3)
    longjmp(Here, 1);
  free(a);
}

// KERNEL retried: exact
//   a serial stream(8) element 8 reads n*taken+12 writes n*taken+12 exact
//   a serial invariant element 8 reads taken+12 writes taken+12 exact
APART void retried_try(double *a, long n, int left) {
  for (long i = 0; i < n; i++)
    a[i] += 1;
  if (left)
    longjmp(Here, left);
}
KERNEL retried(long n) {
  double *a = calloc(n, sizeof *a);
  volatile int left = 4;
  if (setjmp(Here))
    left--;
  a[left] += 1;
  retried_try(a, n, left);
  free(a);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  jumped_out(n);
  jumped_while(n);
  never_back(n);
  jumped_again(n, m);
  retried(n);
  return 0;
}
