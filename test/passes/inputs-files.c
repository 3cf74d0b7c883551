// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// Environment variables, numbers in files, and sizes of files.
#include <stdio.h>
#include <stdlib.h>
void keep(void *x);
#include <string.h>
#include <sys/stat.h>
static long rows, columns, entries, limit = 100, keyed = 4;
static size_t bytes, told;
__attribute__((noinline)) static void read_matrix(const char *name) {
  FILE *in = fopen(name, "r");
  if (!in || fscanf(in, "%ld %ld %ld", &rows, &columns, &entries) != 3)
    exit(1);
  fclose(in);
}
__attribute__((noinline)) static void read_settings(void) {
  FILE *in = fopen("settings.dat", "r");
  char line[100];
  while (fgets(line, sizeof line, in)) {
    if (!strncmp(line, "keyed=", 6))
      sscanf(line, "keyed=%ld", &keyed);
  }
  fclose(in);
}
int main(int argc, char **argv) {
  const char *most = getenv("APP_LIMIT");
  if (most)
    limit = atol(most);
  read_matrix(argv[1]);
  read_settings();
  struct stat s;
  stat(argv[2], &s);
  bytes = s.st_size;
  FILE *f = fopen(argv[3], "rb");
  fseek(f, 0, SEEK_END);
  told = ftell(f);
  double *a = malloc(rows * sizeof *a);
  double *b = malloc(columns * sizeof *a);
  double *c = malloc(entries * sizeof *a);
  double *d = malloc(limit * sizeof *a);
  char *e = malloc(bytes);
  char *g = malloc(told / 2);
  double *h = malloc(keyed * sizeof *a);
  keep(a), keep(b), keep(c), keep(d), keep(e), keep(g), keep(h);
}

// CHECK-DAG: {{^}}input main:bytes from size of file of argument 2{{$}}
// CHECK-DAG: {{^}}input main:columns from number in file of argument 1{{$}}
// CHECK-DAG: {{^}}input main:entries from number in file of argument 1{{$}}
// CHECK-DAG: {{^}}input main:keyed from (number in file 'settings.dat' or
// 4){{$}} CHECK-DAG: {{^}}input main:limit from (variable APP_LIMIT or
// 100){{$}} CHECK-DAG: {{^}}input main:rows from number in file of argument
// 1{{$}} CHECK-DAG: {{^}}input main:s.st_size from size of file of argument
// 2{{$}} CHECK-DAG: {{^}}input main:value.28.13 from variable APP_LIMIT{{$}}
// CHECK-DAG: {{^}}input main:value.36.10 from size of file of argument 3{{$}}
