// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// Values of options that getopt finds, and the arguments after all options.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
void keep(void *x);
static int rows = 10, columns = 20, depth = 30;
static long size;
__attribute__((noinline)) static void handle(int letter, const char *value) {
  switch (letter) {
  case 'd':
    depth = atoi(value);
    break;
  }
}
__attribute__((noinline)) static void parse(int argc, char **argv) {
  static const struct option names[] = {
      {"rows", required_argument, NULL, 'r'},
      {"columns", required_argument, NULL, 256},
      {"verbose", no_argument, NULL, 'v'},
      {NULL, 0, NULL, 0}};
  int c;
  while ((c = getopt_long(argc, argv, "r:d:v", names, NULL)) != -1) {
    if (c == 'r')
      rows = strtol(optarg, NULL, 10);
    else if (c == 256)
      columns = atoi(optarg);
    else
      handle(c, optarg);
  }
  if (optind < argc)
    size = atol(argv[optind]);
}
int main(int argc, char **argv) {
  parse(argc, argv);
  double *a = malloc(rows * sizeof *a);
  double *b = malloc(columns * sizeof *a);
  double *c = malloc(depth * sizeof *a);
  double *d = malloc(size * sizeof *a);
  keep(a), keep(b), keep(c), keep(d);
}

// CHECK-DAG: {{^}}input handle:value.12.13 from option -d{{$}}
// CHECK-DAG: {{^}}input main:argc from number of arguments{{$}}
// CHECK-DAG: {{^}}input main:columns from (option --columns or 20){{$}}
// CHECK-DAG: {{^}}input main:depth from (option -d or 30){{$}}
// CHECK-DAG: {{^}}input main:rows from (option --rows/-r or 10){{$}}
// CHECK-DAG: {{^}}input main:size from operand 1{{$}}
// CHECK-DAG: {{^}}input parse:argc from number of arguments{{$}}
// CHECK-DAG: {{^}}input parse:value.32.12 from operand 1{{$}}
