// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// Symbols computed from numbered arguments: directly, through members, globals
// and helpers, with arithmetic, and with a default.
#include <stdio.h>
#include <stdlib.h>
void keep(double *x);
struct settings {
  long particles;
  int steps;
  double scale;
};
static int width = 64;
static long half, whole;

static long number(char **argv, int k) { return strtol(argv[k], NULL, 0); }
static void read_into(const char *text, long *to) { *to = atol(text); }

__attribute__((noinline)) static void parse(int argc, char **argv,
                                            struct settings *s) {
  s->particles = atol(argv[1]);
  if (argc > 2)
    s->steps = atoi(argv[2]);
  s->scale = atof(argv[3]);
  if (argc > 4)
    width = atoi(argv[4]);
  read_into(argv[5], &half);
  read_into(argv[6], &whole);
}
__attribute__((noinline)) static void touch(double *x, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    x[i] += 1;
}
__attribute__((noinline)) static double *make(long n) {
  return malloc(n * sizeof(double));
}
__attribute__((noinline)) static double use(const struct settings *s, int argc,
                                            char **argv) {
  long rows = number(argv, 7);
  int shift = 0, sized = 0, both = 0;
  sscanf(argv[8], "%d", &shift);
  sscanf(argv[9], "%dx%d", &both, &sized);
  double *a = malloc(s->particles * sizeof *a);
  double *b = malloc(s->particles * s->steps * sizeof *b);
  double *c = malloc((long)(s->scale * 10) * sizeof *c);
  double *d = malloc(width * (long)width * sizeof *d);
  double *e = malloc((half > 100 ? half : 100) * sizeof *e);
  double *f = malloc(whole / 8 * sizeof *f);
  double *g = malloc((1L << shift) * sizeof *g);
  double *h = malloc(sized * sizeof *h);
  double *i = malloc(argc * sizeof *i);
  double *j = make(rows);
  keep(a), keep(b), keep(c), keep(d), keep(e), keep(f), keep(g), keep(h),
      keep(i);
  touch(j, rows);
  return j[0];
}
int main(int argc, char **argv) {
  struct settings s = {0, 5, 1};
  parse(argc, argv, &s);
  printf("%g\n", use(&s, argc, argv));
}

// CHECK-DAG: {{^}}input main:argc from number of arguments{{$}}
// CHECK-DAG: {{^}}input parse:argc from number of arguments{{$}}
// CHECK-DAG: {{^}}input parse:value.25.13 from argument 4{{$}}
// CHECK-DAG: {{^}}input read_into:value.16.59 from argument 5{{$}}
// CHECK-DAG: {{^}}input read_into:value.16.59#1 from argument 6{{$}}
// CHECK-DAG: {{^}}input touch:n from argument 7{{$}}
// CHECK-DAG: {{^}}input use:argc from number of arguments{{$}}
// CHECK-DAG: {{^}}input use:half from argument 5{{$}}
// CHECK-DAG: {{^}}input use:rows from argument 7{{$}}
// CHECK-DAG: {{^}}input use:s->particles from argument 1{{$}}
// CHECK-DAG: {{^}}input use:s->steps from (argument 2 or 5){{$}}
// CHECK-DAG: {{^}}input use:shift from (argument 8 or 0){{$}}
// CHECK-DAG: {{^}}input use:sized from (argument 9 or 0){{$}}
// CHECK-DAG: {{^}}input use:value.45.22 from 10*(argument 3 or 1){{$}}
// CHECK-DAG: {{^}}input use:whole from argument 6{{$}}
// CHECK-DAG: {{^}}input use:width from (argument 4 or 64){{$}}
