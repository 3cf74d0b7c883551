// How blocks move that block operations copy or fill: rows picked by an index,
// every other row, records, payload of linked nodes.
// INPUTS 101 67 | 131 89
#include <cstdlib>
#include <cstring>

#define KERNEL __attribute__((noinline)) static void

// KERNEL gathered_rows: exact
//   pick serial stream(8) element 8 reads n writes n exact
//   table serial stream(64) element 64 reads lines+7 writes 0 blocks random of 8*m bytes index pick exact
//   out serial stream(64) element 64 reads 0 writes sum(i < n: min(8*m, ceildiv(8*i*m + 8*m, 64) - floordiv(8*i*m, 64))) exact
//   out serial invariant element 8 reads 1 writes 0 exact
KERNEL gathered_rows(long n, long m, double *sum) {
  double *table = (double *)calloc(n * m, 8), *out = (double *)malloc(n * m * 8);
  long *pick = (long *)malloc(n * 8);
  for (long i = 0; i < n; i++)
    pick[i] = i * 17 % n;
  for (long i = 0; i < n; i++)
    memcpy(out + i * m, table + pick[i] * m, m * 8);
  *sum += out[n * m / 2];
  free(table);
  free(out);
  free(pick);
}

// KERNEL scattered_records: exact
//   place serial stream(4) element 4 reads n writes n exact
//   to serial random element 64 reads 0 writes n index place exact
//   from serial stream(64) element 64 reads n writes 0 exact
//   to serial invariant element 8 reads 1 writes 0 exact
struct Record {
  double v[4];
};
KERNEL scattered_records(long n, double *sum) {
  Record *from = (Record *)calloc(n, sizeof(Record));
  Record *to = (Record *)malloc(n * sizeof(Record));
  int *place = (int *)malloc(n * 4);
  for (long i = 0; i < n; i++)
    place[i] = i * 7 % n;
  for (long i = 0; i < n; i++)
    memcpy(to + place[i], from + i, sizeof(Record));
  *sum += to[n / 2].v[1];
  free(from);
  free(to);
  free(place);
}

// KERNEL every_other_row: exact
//   a serial stream(64) element 64 reads 0 writes sum(i < n: min(8*m, ceildiv(16*i*m + 8*m, 64) - floordiv(16*i*m, 64))) blocks strided(16*m) of 8*m bytes exact
//   a serial invariant element 8 reads 1 writes 0 exact
KERNEL every_other_row(long n, long m, double *sum) {
  double *a = (double *)malloc(2 * n * m * 8);
  for (long i = 0; i < n; i++)
    memset(a + 2 * i * m, 0, m * 8);
  *sum += a[0];
  free(a);
}

// KERNEL heads_of_records: exact
//   heads serial stream(64) element 64 reads 0 writes sum(i < n: min(24, ceildiv(24*i + 24, 64) - floordiv(24*i, 64))) exact
//   a serial strided(1024) element 64 reads n writes 0 exact
//   heads serial invariant element 1 reads 1 writes 0 exact
struct Large {
  char head[24], rest[1000];
};
KERNEL heads_of_records(long n, double *sum) {
  Large *a = (Large *)calloc(n, sizeof(Large));
  char *heads = (char *)malloc(n * 24);
  for (long i = 0; i < n; i++)
    memcpy(heads + 24 * i, a[i].head, 24);
  *sum += heads[n];
  free(a);
  free(heads);
}

// KERNEL rows_by_call: exact
//   a serial stream(64) element 64 reads lines+3#1 writes 0 blocks strided(8*rows_by_call:m + 40) of 8*copy_row:m bytes exact
//   b serial stream(64) element 64 reads 0 writes lines+3 blocks strided(8*rows_by_call:m) of 8*copy_row:m bytes exact
//   b serial invariant element 8 reads 1 writes 0 exact
__attribute__((noinline)) static void copy_row(double *to, const double *from,
                                               long m) {
  memcpy(to, from, m * 8);
}
KERNEL rows_by_call(long n, long m, double *sum) {
  double *a = (double *)calloc(n * (m + 5), 8);
  double *b = (double *)malloc(n * m * 8);
  for (long i = 0; i < n; i++)
    copy_row(b + i * m, a + i * (m + 5), m);
  *sum += b[n];
  free(a);
  free(b);
}

// KERNEL linked_payload: exact
//   nodes serial strided(208) element 8 reads 0 writes max(0, n - 1) exact
//   nodes serial chase element 8 dependent reads trip+12 writes 0 exact
//   nodes serial stream(64) element 64 reads lines+13#1 writes 0 blocks chase of 200 bytes exact
//   out serial stream(64) element 64 reads 0 writes lines+13 exact
//   out serial invariant element 1 reads 1 writes 0 exact
struct Node {
  Node *next;
  char data[200];
};
KERNEL linked_payload(long n, double *sum) {
  Node *nodes = (Node *)calloc(n, sizeof(Node));
  char *out = (char *)malloc(n * 200);
  for (long i = 0; i + 1 < n; i++)
    nodes[i].next = &nodes[(i + 1) * 31 % n];
  char *to = out;
  long k = 0;
  for (Node *p = nodes; p && k < n; p = p->next, k++) {
    memcpy(to, p->data, 200);
    to += 200;
  }
  *sum += out[n];
  free(nodes);
  free(out);
}

// KERNEL shifted_down: exact
//   a serial stream(64) element 64 reads m*max(0, min(8*n - 8, ceildiv(8*n, 64))) writes ceildiv(8*n - 8, 64)*m exact
//   a serial invariant element 8 reads 1 writes 0 exact
KERNEL shifted_down(long n, long m, double *sum) {
  double *a = (double *)calloc(n, 8);
  for (long t = 0; t < m; t++)
    memmove(a, a + 1, (n - 1) * 8);
  *sum += a[n / 2];
  free(a);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  double sum = 0;
  gathered_rows(n, m, &sum);
  scattered_records(n, &sum);
  every_other_row(n, m, &sum);
  heads_of_records(n, &sum);
  rows_by_call(n, m, &sum);
  linked_payload(n, &sum);
  shifted_down(n, m, &sum);
  return sum < 0;
}
