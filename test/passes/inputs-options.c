// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// Values of options that the program looks for itself: in the next argument,
// right after the name, or after an equals sign.
#include <stdio.h>
#include <stdlib.h>
void keep(void *x);
#include <string.h>
static int cells = 10;
struct run {
  long rows, columns;
  int depth, levels, blocks, parts, tiles;
};

__attribute__((noinline)) static void parse(int argc, char **argv,
                                            struct run *r) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-n") == 0)
      cells = atoi(argv[++i]);
    else if (!strcmp(argv[i], "--rows") || !strcmp(argv[i], "-r"))
      r->rows = atol(argv[++i]);
    else if (!strncmp(argv[i], "--columns=", 10))
      r->columns = atol(argv[i] + 10);
    else if (argv[i][0] == '-')
      switch (argv[i][1]) {
      case 'd':
        r->depth = atoi(argv[i + 1]);
        i++;
        break;
      case 'l':
        r->levels = atoi(argv[i] + 2);
        break;
      }
    else
      exit(1);
  }
}
__attribute__((noinline)) static void walk(int argc, char **argv,
                                           struct run *r) {
  while (--argc > 0) {
    ++argv;
    if (!strcasecmp(*argv, "blocks")) {
      r->blocks = atoi(*++argv);
      --argc;
    } else {
      char *value = strchr(*argv, '=');
      if (value && !strncmp(*argv, "parts=", 6))
        r->parts = atoi(value + 1);
    }
  }
}
int main(int argc, char **argv) {
  struct run r = {20, 30, 40, 50, 60, 70, 80};
  parse(argc, argv, &r);
  walk(argc, argv, &r);
  double *a = malloc(cells * sizeof *a);
  double *b = malloc(r.rows * sizeof *a);
  double *c = malloc(r.columns * sizeof *a);
  double *d = malloc(r.depth * sizeof *a);
  double *e = malloc(r.levels * sizeof *a);
  double *f = malloc(r.blocks * sizeof *a);
  double *g = malloc(r.parts * sizeof *a);
  keep(a), keep(b), keep(c), keep(d), keep(e), keep(f), keep(g);
}

// CHECK-DAG: {{^}}input main:cells from (option -n or 10){{$}}
// CHECK-DAG: {{^}}input main:r.blocks from (option blocks or 60){{$}}
// CHECK-DAG: {{^}}input main:r.columns from (option --columns= or 30){{$}}
// CHECK-DAG: {{^}}input main:r.depth from (option -d or 40){{$}}
// CHECK-DAG: {{^}}input main:r.levels from (option -l or 50){{$}}
// CHECK-DAG: {{^}}input main:r.parts from (option parts= or 70){{$}}
// CHECK-DAG: {{^}}input main:r.rows from (option --rows/-r or 20){{$}}
