// One place in the source, several functions: a text that functions' bodies
// include, several times each.
// INPUTS 101 67 | 131 89
#include <stdlib.h>
#define KERNEL __attribute__((noinline)) static void

// KERNEL twice: exact
//   x parallel stream(8) element 8 reads calls@add.inc:1*share(n) writes calls@add.inc:1*share(n) exact
//   y parallel stream(8) element 8 reads calls@add.inc:1~1*share(floordiv(m, 2)) writes calls@add.inc:1~1*share(floordiv(m, 2)) exact
KERNEL twice(long n, long m) {
  double *x = calloc(n, sizeof *x), *y = calloc(m, sizeof *y);
#define TO x
#define COUNT n
#define OP +
#include "Inputs/add.inc"
#define TO y
#define COUNT m / 2
#define OP -
#include "Inputs/add.inc"
  free(x);
  free(y);
}

// KERNEL one_loop: exact
//   x parallel stream(4) element 4 reads calls@add.inc:1*share(k) writes calls@add.inc:1*share(k) exact
//   x parallel stream(4) element 4 reads calls@add.inc:1~1*share(n) writes calls@add.inc:1~1*share(n) exact
KERNEL one_loop(long n, long m) {
  float *x = calloc(n, sizeof *x);
  for (long k = 0; k < m; k++) {
#define TO x
#define COUNT n
#define OP +
#include "Inputs/add.inc"
    {
#define TO x
#define COUNT k
#define OP -
#include "Inputs/add.inc"
    }
  }
  free(x);
}

__attribute__((noinline)) static void scale(double *a, long n) {
#define TO a
#define COUNT n
#define OP +
#include "Inputs/add.inc"
}
__attribute__((noinline)) static void half(double *a, long n) {
#define TO a
#define COUNT n / 2
#define OP + 2 *
#include "Inputs/add.inc"
}
// KERNEL two_functions: exact
//   y parallel stream(8) element 8 reads calls@add.inc:1*share(floordiv(n, 2)) writes calls@add.inc:1*share(floordiv(n, 2)) exact
//   x,y parallel stream(8) element 8 reads calls@add.inc:1*share(n) writes calls@add.inc:1*share(n) exact
KERNEL two_functions(long n, long m) {
  double *x = calloc(n, sizeof *x), *y = calloc(m, sizeof *y);
  scale(x, n);
  half(y, m);
  scale(y, m);
  free(x);
  free(y);
}

int main(int argc, char **argv) {
  long n = atol(argv[1]), m = atol(argv[2]);
  twice(n, m);
  one_loop(n, m);
  two_functions(n, m);
  return argc > 3;
}
