// Parts of programs: queues, heaps, windows, sorts, slices, tables of arrays.
// INPUTS 101 67 | 131 89
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL __attribute__((noinline)) static void

// KERNEL cells_through_pointers: exact
//   cells serial stream(8) element 8 reads momentum:n writes cells_through_pointers:n exact
//   all serial random element 8 reads 2*n writes 0 index cells exact
//   all serial strided(40) element 8 reads 0 writes 2*n exact
struct cell { double mass, pad, speed[3]; };
__attribute__((noinline)) static double momentum(struct cell **cells, long n) {
  double s = 0;
  for (long i = 0; i < n; i++)
    s += cells[i]->mass * cells[i]->speed[2];
  return s;
}
KERNEL cells_through_pointers(long n, double *out) {
  struct cell *all = malloc(n * sizeof *all), **cells = malloc(n * sizeof *cells);
  for (long i = 0; i < n; i++) {
    all[i].mass = i;
    all[i].speed[2] = 2;
    cells[i] = &all[n - 1 - i];
  }
  *out += momentum(cells, n);
  free(all);
  free(cells);
}

// KERNEL down_by_step: exact
//   a serial strided(-56) element 8 reads floordiv(n, 7) writes floordiv(n, 7) exact
KERNEL down_by_step(unsigned n, unsigned step) {
  double *a = calloc(n + 1, 8);
  for (unsigned i = n; i >= step; i -= step)
    a[i] += 1;
  free(a);
}

// KERNEL until_either: later
//   a serial stream(8) element 8 reads trip+6 writes n conditional trip+6 exact
//   b serial stream(-8) element 8 reads 0 writes taken+7 conditional taken+7 exact
KERNEL until_either(long n, double *out) {
  double *a = malloc(n * 8), *b = calloc(n, 8);
  for (long i = 0; i < n; i++)
    a[i] = i;
  long i = 0, j = n - 1;
  while (i < j && a[i] < 40) {
    b[j] = a[i];
    i++;
    j--;
  }
  *out += i;
  free(a);
  free(b);
}

// KERNEL opcodes: exact
//   code serial stream(1) element 1 reads n writes n exact
//   reg serial invariant element 8 reads 2*taken+10 + min(1, max(0, n)) + taken+8 + taken+9 writes taken+10 + taken+8 + taken+9 conditional 2*taken+8 + 2*taken+9 + 3*taken+10 exact
//   reg serial stream(8) element 8 reads taken+11 writes taken+11 conditional 2*taken+11 exact
KERNEL opcodes(long n, double *out) {
  unsigned char *code = malloc(n);
  double *reg = calloc(33, 8);
  for (long i = 0; i < n; i++)
    code[i] = i * 7 % 5;
  for (long pc = 0; pc < n; pc++)
    switch (code[pc]) {
    case 0: reg[1] += 1; break;
    case 1: reg[2] = reg[1]; break;
    case 2: reg[3] -= reg[2]; break;
    default: reg[pc % 33] += 1;
    }
  *out += reg[3];
  free(code);
  free(reg);
}

// KERNEL ring_of_jobs: exact
//   calloc serial stream(8) element 8 reads max(0, n - 11) writes n conditional max(0, n - 11) exact why conditional-step
struct ring { double *slot; unsigned head, tail, mask; };
__attribute__((noinline)) static void push(struct ring *r, double x) {
  r->slot[r->tail++ & r->mask] = x;
}
__attribute__((noinline)) static double pop(struct ring *r) {
  return r->slot[r->head++ & r->mask];
}
KERNEL ring_of_jobs(long n, double *out) {
  struct ring r = {calloc(64, 8), 0, 0, 63};
  for (long i = 0; i < n; i++) {
    push(&r, i);
    if (i > 10)
      *out += pop(&r);
  }
  free(r.slot);
}

// KERNEL blocked_transpose: exact
//   b serial strided(8*n) element 8 reads 0 writes sum(i < floordiv(n - 1, 16) + 1: max(0, min(16, n - 16*i)))*sum(i < floordiv(n - 1, 16) + 1: max(0, min(16, n - 16*i))) exact
//   a serial stream(8) element 8 reads sum(i < floordiv(n - 1, 16) + 1: max(0, min(16, n - 16*i)))*sum(i < floordiv(n - 1, 16) + 1: max(0, min(16, n - 16*i))) writes 0 exact
//   b serial invariant element 8 reads 1 writes 0 exact
KERNEL blocked_transpose(long n, double *out) {
  double *a = calloc(n * n, 8), *b = malloc(n * n * 8);
  for (long ii = 0; ii < n; ii += 16)
    for (long jj = 0; jj < n; jj += 16)
      for (long i = ii; i < ii + 16 && i < n; i++)
        for (long j = jj; j < jj + 16 && j < n; j++)
          b[j * n + i] = a[i * n + j] + 1;
  *out += b[n];
  free(a);
  free(b);
}

// KERNEL prefix_in_place: later InstCombinePass,LoopLoadEliminationPass
//   a serial stream(8) element 8 reads 2*max(0, n - 1) writes max(0, n - 1) + n exact
//   a serial stream(-8) element 8 reads 2*min(1, max(-n + 1, n - 1))*min(1, max(0, n))*sum(i < max(1, ceillog(n, 2)): n - min(n - 1, pow(2, i))) writes min(1, max(-n + 1, n - 1))*min(1, max(0, n))*sum(i < max(1, ceillog(n, 2)): n - min(n - 1, pow(2, i))) exact
KERNEL prefix_in_place(long n) {
  long *a = malloc(n * 8);
  for (long i = 0; i < n; i++)
    a[i] = i & 3;
  for (long i = 1; i < n; i++)
    a[i] += a[i - 1];
  for (long d = 1; d < n; d *= 2)
    for (long i = n - 1; i >= d; i--)
      a[i] += a[i - d];
  free(a);
}

// KERNEL sliding_window: exact
//   a serial stream(8) element 8 reads 2*max(0, n - 9) + 9 writes n exact
//   mean serial stream(8) element 8 reads 0 writes max(0, n - 9) exact
//   mean serial invariant element 8 reads 1 writes 0 exact
KERNEL sliding_window(long n, long w, double *out) {
  double *a = malloc(n * 8), *mean = malloc(n * 8), s = 0;
  for (long i = 0; i < n; i++)
    a[i] = i;
  for (long i = 0; i < w; i++)
    s += a[i];
  for (long i = w; i < n; i++) {
    mean[i - w] = s / w;
    s += a[i] - a[i - w];
  }
  *out += mean[w];
  free(a);
  free(mean);
}

// KERNEL radix_pass: exact
//   key serial stream(4) element 4 reads 0 writes n exact
//   key,out serial stream(4) element 4 reads 8*n writes 0 exact
//   key,out serial random element 4 reads 0 writes 4*n exact
KERNEL radix_pass(long n) {
  uint32_t *key = malloc(n * 4), *out = malloc(n * 4);
  for (long i = 0; i < n; i++)
    key[i] = i * 2654435761u;
  for (int shift = 0; shift < 32; shift += 8) {
    long count[257] = {0};
    for (long i = 0; i < n; i++)
      count[(key[i] >> shift & 255) + 1]++;
    for (int d = 0; d < 256; d++)
      count[d + 1] += count[d];
    for (long i = 0; i < n; i++)
      out[count[key[i] >> shift & 255]++] = key[i];
    uint32_t *t = key;
    key = out;
    out = t;
  }
  free(key);
  free(out);
}

// KERNEL union_find: exact
//   p serial chase element 4 dependent reads 2*trip+2 writes trip+2 conditional 3*trip+2 exact
//   p serial stream(4) element 4 reads 2*max(0, n - 3) writes n exact
//   p serial random element 4 reads 0 writes max(0, n - 3) exact why computed-index
__attribute__((noinline)) static int root(int *p, int x) {
  while (p[x] != x) {
    p[x] = p[p[x]];
    x = p[x];
  }
  return x;
}
KERNEL union_find(long n) {
  int *p = malloc(n * 4);
  for (int i = 0; i < n; i++)
    p[i] = i;
  for (int i = 0; i + 3 < n; i++)
    p[root(p, i)] = root(p, i + 3);
  free(p);
}

// KERNEL heap_of_costs: exact
//   h serial random element 8 reads trip+7 writes taken+8 exact why geometric-step
//   h serial random element 8 reads 0 writes n exact why computed-index
//   h serial invariant element 8 reads 1 writes 0 exact
KERNEL heap_of_costs(long n, double *out) {
  double *h = malloc((n + 1) * 8);
  long size = 0;
  for (long k = 0; k < n; k++) {
    long i = size++;
    double x = k * 7 % n;
    while (i > 0 && h[(i - 1) / 2] > x) {
      h[i] = h[(i - 1) / 2];
      i = (i - 1) / 2;
    }
    h[i] = x;
  }
  *out += h[0];
  free(h);
}

// KERNEL ping_pong: exact
//   next,now serial stream(8) element 8 reads 0 writes max(0, n - 2)*steps exact
//   next,now serial stencil(8) points 3 element 8 reads 2*max(0, n - 2)*steps + min(1, max(0, n - 2))*steps writes 0 dimensions 1 exact
//   next,now serial invariant element 8 reads 1 writes 0 exact
KERNEL ping_pong(long n, long steps, double *out) {
  double *now = calloc(n, 8), *next = calloc(n, 8);
  for (long t = 0; t < steps; t++) {
    for (long i = 1; i < n - 1; i++)
      next[i] = 0.5 * now[i] + 0.25 * (now[i - 1] + now[i + 1]);
    double *swap = now;
    now = next;
    next = swap;
  }
  *out += now[n / 2];
  free(now);
  free(next);
}

// KERNEL bit_set: exact
//   bits serial stream(8) element 8 reads (-min(1, max(-n - 63, 0)) + 1)*(max(floordiv(n, 64), min(0, ceildiv(n, 64))) + 1) + floordiv(n - 1, 3) + 1 writes floordiv(n - 1, 3) + 1 conditional (-min(1, max(-n - 63, 0)) + 1)*(max(floordiv(n, 64), min(0, ceildiv(n, 64))) + 1) exact
KERNEL bit_set(long n, double *out) {
  uint64_t *bits = calloc(n / 64 + 31, 8);
  for (long i = 0; i < n; i += 3)
    bits[i / 64] |= 1ull << i % 64;
  long s = 0;
  for (long w = 0; w < n / 64 + 1; w++)
    s += __builtin_popcountll(bits[w]);
  *out += s;
  free(bits);
}

// KERNEL reversed_text: exact
//   text serial stream(1) element 1 reads trip+6 writes n + trip+6 exact
//   text serial invariant element 1 reads 0 writes 1 exact
//   text serial stream(-1) element 1 reads trip+6 writes trip+6 exact
KERNEL reversed_text(long n) {
  char *text = malloc(n + 1);
  for (long i = 0; i < n; i++)
    text[i] = 'a' + i % 26;
  text[n] = 0;
  for (char *l = text, *r = text + n - 1; l < r; l++, r--) {
    char c = *l;
    *l = *r;
    *r = c;
  }
  free(text);
}

// KERNEL own_slices: exact
//   a parallel stream(8) element 8 reads 0 writes max(0, value+1.0 - i) exact
KERNEL own_slices(long n) {
  double *a = malloc(n * 8);
#pragma omp parallel
  {
    long t = omp_get_thread_num(), all = omp_get_num_threads();
    for (long i = n * t / all; i < n * (t + 1) / all; i++)
      a[i] = t;
  }
  free(a);
}

// KERNEL cyclic_rows: exact
//   a parallel stream(8) element 8 reads 0 writes m*trip+4 exact
KERNEL cyclic_rows(long n, long m) {
  double *a = malloc(n * m * 8);
#pragma omp parallel
  for (long i = omp_get_thread_num(); i < n; i += omp_get_num_threads())
    for (long j = 0; j < m; j++)
      a[i * m + j] = i;
  free(a);
}

// KERNEL matrix_type: exact
//   c serial stream(8) element 8 reads 1369*m writes 1369*m reuse 37 exact
//   a serial stream(8) element 8 reads 1369*m writes 0 reuse m exact
//   b serial stream(8) element 8 reads 1369*m writes 0 reuse 37 exact
__attribute__((noinline)) static void product(long n, long m, double c[n][m],
                                              double a[n][n], double b[n][m]) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < n; k++)
      for (long j = 0; j < m; j++)
        c[i][j] += a[i][k] * b[k][j];
}
KERNEL matrix_type(long m) {
  double *a = calloc(37 * 37, 8), *b = calloc(37 * m, 8), *c = calloc(37 * m, 8);
  product(37, m, (double(*)[m])c, (double(*)[37])a, (double(*)[m])b);
  free(a);
  free(b);
  free(c);
}

// KERNEL table_of_tables: exact
//   tables[k].data serial stream(8) element 8 reads 0 writes trip+8 exact
static struct { double *data; long size; } tables[5];
KERNEL table_of_tables(long n) {
  for (int k = 0; k < 5; k++) {
    tables[k].size = n + 2 * k;
    tables[k].data = malloc(tables[k].size * 8);
  }
  for (int k = 0; k < 5; k++)
    for (long i = 0; i < tables[k].size; i++)
      tables[k].data[i] = i;
  for (int k = 0; k < 5; k++)
    free(tables[k].data);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  double out = 0;
  cells_through_pointers(n, &out);
  down_by_step(n, 7);
  until_either(n, &out);
  opcodes(n, &out);
  ring_of_jobs(n, &out);
  blocked_transpose(n, &out);
  prefix_in_place(n);
  sliding_window(n, 9, &out);
  radix_pass(n);
  union_find(n);
  heap_of_costs(n, &out);
  ping_pong(n, m, &out);
  bit_set(n, &out);
  reversed_text(n);
  own_slices(n);
  cyclic_rows(n, m);
  matrix_type(m);
  table_of_tables(n);
  return out < 0;
}
