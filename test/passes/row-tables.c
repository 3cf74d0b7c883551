// RUN: %bitcode %s -o %t.bc && %access %t.bc | FileCheck %s
// Objects from which indices select rows are tables: embeddings, the vector of
// a sparse product, buckets of hash tables. Segments of different lengths, and
// objects that are reached by pointers, are not.
#include <stdlib.h>
#include <string.h>
struct bucket {
  long key;
  double value, more;
};
void embed(double *out, const double *table, const int *idx, long n, long d) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (long k = 0; k < d; k++)
      out[i * d + k] = table[idx[i] * d + k];
}
void copied(double *out, const double *rows, const int *idx, long n, long d) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    memcpy(out + i * d, rows + (idx[i] - 1) * d, d * sizeof *rows);
}
void product(double *y, const double *x, const double *value, const int *column,
             const long *first, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++) {
    double sum = 0;
    for (long k = first[i]; k < first[i + 1]; k++)
      sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}
double join(const struct bucket *hash, const long *keys, long n, long size) {
  double sum = 0;
  for (long i = 0; i < n; i++) {
    unsigned long slot = (unsigned long)keys[i] * 11400714819323198485ul % size;
    while (hash[slot].key != keys[i])
      slot = (slot + 1) % size;
    sum += hash[slot].value;
  }
  return sum;
}
void fields(struct bucket *table, const int *idx, long n) {
  for (long i = 0; i < n; i++)
    table[idx[i]].value += table[idx[i]].more;
}
void padded(float (*wide)[32], const int *idx, const int *more, long n) {
  for (long i = 0; i < n; i++)
    for (int k = 0; k < 20; k++)
      wide[idx[i]][k] += wide[more[i]][k];
}
void two(double *both, const int *idx, const int *off, long n, long d) {
  for (long i = 0; i < n; i++)
    both[idx[i] * d + off[i]] = 1;
}
void differ(double *some, const int *idx, long n, long d) {
  for (long i = 0; i < n; i++)
    some[idx[i]] += some[idx[i] * d];
}
void pointers(double **blocks, const int *idx, long n) {
  for (long i = 0; i < n; i++)
    blocks[idx[i]][0] = 1;
}
int main(int argc, char **argv) {
  long n = atol(argv[1]), d = atol(argv[2]);
  double *out = malloc(n * d * 8);
  double *table = malloc(n * d * 8);
  double *rows = malloc(n * d * 8);
  int *idx = malloc(n * 4);
  long *first = malloc((n + 1) * 8);
  double *x = malloc(n * 8);
  double *value = malloc(n * d * 8);
  int *column = calloc(n * d, 4);
  struct bucket *hash = calloc(n, sizeof *hash);
  struct bucket *records = calloc(n, sizeof *records);
  float(*wide)[32] = calloc(n, sizeof *wide);
  double *both = malloc(n * d * 8);
  double *some = malloc(n * d * 8);
  double **blocks = malloc(n * sizeof *blocks);
  for (long i = 0; i < n; i++) {
    idx[i] = 1 + rand() % (n - 1);
    first[i] = hash[i].key = i * d;
    blocks[i] = malloc(64 << 10);
  }
  first[n] = n * d;
  embed(out, table, idx, n, d);
  copied(out, rows, idx, n, d);
  product(out, x, value, column, first, n);
  double sum = join(hash, first, n, n);
  fields(records, idx, n);
  padded(wide, idx, column, n);
  two(both, idx, column, n, d);
  differ(some, idx, n, d);
  pointers(blocks, idx, n);
  return out[0] + sum + records[1].value + wide[1][2] + both[3] + some[4] > 1;
}

// CHECK: {{^}}site malloc row-tables.c:65:17 size {{.*}} live{{$}}
// CHECK-NEXT: {{^}}site malloc row-tables.c:66:19 size {{.*}} live{{$}}
// CHECK-NEXT: {{^}}table malloc row-tables.c:66:19 row 8*main:d index loaded from malloc@row-tables.c:68:14{{$}}
// CHECK-NEXT: {{^}}site malloc row-tables.c:67:18 size {{.*}} live{{$}}
// CHECK-NEXT: {{^}}table malloc row-tables.c:67:18 row 8*main:d index loaded from malloc@row-tables.c:68:14{{$}}
// CHECK-NEXT: {{^}}site malloc row-tables.c:68:14 size {{.*}} live{{$}}
// CHECK-NEXT: {{^}}site malloc row-tables.c:69:17 size {{.*}} live{{$}}
// CHECK-NEXT: {{^}}site malloc row-tables.c:70:15 size {{.*}} live{{$}}
// CHECK-NEXT: {{^}}table malloc row-tables.c:70:15 row 8 index loaded from calloc@row-tables.c:72:17{{$}}
// CHECK: {{^}}table malloc row-tables.c:71:19 row ? index computed why row-length-varies{{$}}
// CHECK: {{^}}table calloc row-tables.c:72:17 row ? index computed why row-length-varies{{$}}
// CHECK: {{^}}table calloc row-tables.c:73:25 row 24 index computed from malloc@row-tables.c:69:17{{$}}
// CHECK: {{^}}table calloc row-tables.c:74:28 row 24 index loaded from malloc@row-tables.c:68:14{{$}}
// CHECK: {{^}}table calloc row-tables.c:75:22 row 128 index loaded from calloc@row-tables.c:72:17,malloc@row-tables.c:68:14{{$}}
// CHECK: {{^}}table malloc row-tables.c:76:18 row ? index computed from calloc@row-tables.c:72:17,malloc@row-tables.c:68:14 why row-of-several-indices{{$}}
// CHECK: {{^}}table malloc row-tables.c:77:18 row ? index loaded from malloc@row-tables.c:68:14 why row-sizes-differ{{$}}
// CHECK: {{^}}table malloc row-tables.c:78:21 row 8 index loaded from malloc@row-tables.c:68:14{{$}}
// CHECK-NEXT: {{^}}site malloc row-tables.c:82:17 size 65536 live{{$}}
// CHECK-NOT: {{^}}table
// CHECK: {{^}}giveup row-length-varies 2{{$}}
// CHECK-NEXT: {{^}}giveup row-of-several-indices 1{{$}}
// CHECK-NEXT: {{^}}giveup row-sizes-differ 1{{$}}
// INPUTS 24 5
