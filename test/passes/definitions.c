// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// A symbol in terms of the symbols of the program's input: through calls,
// captures, fields, copies of structures and loops; and where it has none.
#include <stdlib.h>
struct grid {
  long nx, ny;
  double *u;
};
struct job {
  struct grid fine, coarse;
};
// One value from all callers, each through a variable of its own.
__attribute__((noinline)) static void scale(double *x, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    x[i] *= 2;
}
// Two callers that do not agree.
__attribute__((noinline)) static void fill(double *x, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    x[i] = 1;
}
// Fields of a copy; a product.
__attribute__((noinline)) static void sweep(const struct job *j) {
  long cells = j->fine.nx * j->fine.ny;
  double *u = j->fine.u;
#pragma omp parallel for
  for (long i = 0; i < cells; i++)
    u[i] += 1;
}
// Two stores: no definition.
__attribute__((noinline)) static void shrink(struct grid *g, long by) {
  double *u = g->u;
#pragma omp parallel for
  for (long i = 0; i < g->ny; i++)
    u[i] -= 1;
  g->ny = by;
}
// Beside structures that are copied in both directions.
struct pair {
  long n;
  struct grid now, next;
};
__attribute__((noinline)) static void turn(struct pair *p) {
  long n = p->n;
  double *u = p->now.u;
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    u[i] += 2;
  struct grid swap = p->now;
  p->now = p->next;
  p->next = swap;
}
// Quotients and remainders, rounded as processors round.
__attribute__((noinline)) static void parts(double *x, long n) {
  long half = n / 2, rest = n % 3;
  for (long i = 0; i < half; i++)
    x[i] += 1;
  for (long i = 0; i < rest; i++)
    x[i] += 2;
}
int main(int argc, char **argv) {
  long nx = atol(argv[1]), ny = atol(argv[2]);
  struct grid g = {0};
  g.nx = nx;
  g.ny = 3 * ny;
  g.u = malloc(3 * nx * ny * sizeof(double));
  struct job *j = malloc(sizeof(struct job));
  j->fine = g;
  double *x = malloc(nx * sizeof(double)), *y = malloc(ny * sizeof(double));
  fill(x, nx);
  fill(y, ny);
  for (int k = 0; k < argc; k++) {
    scale(x, nx);
    sweep(j);
  }
  scale(x, nx);
  struct grid other = {nx, ny, g.u};
  shrink(&other, nx);
  struct pair pair = {2 * nx, g, g};
  turn(&pair);
  turn(&pair);
  parts(x, nx);
  return (int)(x[0] + y[0] + g.u[0]);
}
// CHECK-DAG: {{^}}symbol scale:n given program {{.*}} = main:nx{{$}}
// CHECK-DAG: {{^}}symbol fill:n derived task definitions.c:[[#]]:0{{$}}
// CHECK-DAG: {{^}}symbol sweep:cells given program {{.*}} = sweep:j->fine.nx*sweep:j->fine.ny{{$}}
// CHECK-DAG: {{^}}symbol sweep:j->fine.nx given program {{.*}} = main:nx{{$}}
// CHECK-DAG: {{^}}symbol sweep:j->fine.ny given program {{.*}} = 3*main:ny{{$}}
// CHECK-DAG: {{^}}symbol shrink:g->ny given program definitions.c:[[#]]:0{{$}}
// CHECK-DAG: {{^}}symbol turn:p->n given program {{.*}} = 2*main:nx{{$}}
// CHECK-DAG: {{^}}symbol main:nx given program definitions.c:[[#]]:0{{$}}
// CHECK-DAG: {{^}}symbol main:ny given program definitions.c:[[#]]:0{{$}}
// CHECK-DAG: {{^}}symbol parts:half given program {{.*}} = max(floordiv(parts:n, 2), min(0, ceildiv(parts:n, 2))){{$}}
// CHECK-DAG: {{^}}symbol parts:rest given program {{.*}} = parts:n - 3*max(floordiv(parts:n, 3), min(0, ceildiv(parts:n, 3))){{$}}
// INPUTS 24 5 | 38 11
