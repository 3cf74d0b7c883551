// Loops as numerical codes have them: matrices in parts, transforms, grids of
// several levels, dynamic programming, sorting networks.
// INPUTS 37 31 | 61 17 | 5 44
#include <omp.h>
#include <stdlib.h>

#define KERNEL __attribute__((noinline)) static void
#define NEW(n) calloc((n) / 2 * 2 + 131, 8)
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

// KERNEL row_split: exact
//   row parallel stream(8) element 8 reads max(0, value+1.0 - i) + taken+7 writes 0 exact
//   a parallel stream(8) element 8 reads trip+7 writes 0 exact
//   y parallel stream(8) element 8 reads 0 writes max(0, value+1.0 - i) exact
//   row serial stream(8) element 8 reads 0 writes n + 1 exact
KERNEL row_split_loop(double *y, const long *row, const double *a, long n) {
#pragma omp parallel
  {
    long t = omp_get_thread_num(), all = omp_get_num_threads();
    for (long i = n * t / all; i < n * (t + 1) / all; i++) {
      double s = 0;
      for (long j = row[i]; j < row[i + 1]; j++)
        s += a[j];
      y[i] = s;
    }
  }
}
KERNEL row_split(long n, long m) {
  double *y = NEW(n), *a = NEW(n * 4);
  long *row = NEW(n + 1);
  for (long i = 0; i <= n; i++)
    row[i] = i * 5 / 2;
  row_split_loop(y, row, a, n);
  free(y), free(a), free(row);
}

// KERNEL ellpack: exact
//   column serial stream(8) element 8 reads ellpack_loop:n*wide writes ellpack:n*m exact
//   y serial stream(8) element 8 reads taken+6 writes taken+6 conditional 2*taken+6 exact
//   a serial stream(8) element 8 reads taken+6 writes 0 conditional taken+6 exact
//   x serial random element 8 reads taken+6 writes 0 conditional taken+6 index column exact
KERNEL ellpack_loop(double *y, const long *column, const double *a,
                    const double *x, long n, long wide) {
  for (long k = 0; k < wide; k++)
    for (long i = 0; i < n; i++)
      if (column[k * n + i] >= 0)
        y[i] += a[k * n + i] * x[column[k * n + i]];
}
KERNEL ellpack(long n, long m) {
  double *y = NEW(n), *a = NEW(n * m), *x = NEW(n);
  long *column = NEW(n * m);
  for (long i = 0; i < n * m; i++)
    column[i] = i * 7 % (n + 1) - 1;
  ellpack_loop(y, column, a, x, n, m);
  free(y), free(a), free(x), free(column);
}

// KERNEL red_black: exact
//   u serial strided(16) element 8 reads 0 writes trip+4 exact
//   u serial stencil(16) points 4 element 8 reads 4*trip+4 writes 0 dimensions 2 exact
KERNEL red_black_loop(double *u, long n, long m) {
  for (int color = 0; color < 2; color++)
    for (long i = 1; i < n - 1; i++)
      for (long j = 1 + (i + color) % 2; j < m - 1; j += 2)
        u[i * m + j] = u[(i - 1) * m + j] + u[(i + 1) * m + j] +
                       u[i * m + j - 1] + u[i * m + j + 1];
}
KERNEL red_black(long n, long m) {
  double *u = NEW(n * m);
  red_black_loop(u, n, m);
  free(u);
}

// KERNEL red_black_team: exact
//   u parallel strided(16) element 8 reads trip+5 writes trip+5 exact
KERNEL red_black_team_loop(double *u, long n, long m) {
  for (int color = 0; color < 2; color++)
#pragma omp parallel for
    for (long i = 1; i < n - 1; i++)
      for (long j = 1 + ((i ^ color) & 1); j < m - 1; j += 2)
        u[i * m + j] *= 0.5;
}
KERNEL red_black_team(long n, long m) {
  double *u = NEW(n * m);
  red_black_team_loop(u, n, m);
  free(u);
}

// KERNEL lu: exact
//   a serial strided(8*n) element 8 reads sum(i < max(0, n - 1): max(1, n - i - 1)) writes sum(i < max(0, n - 1): max(1, n - i - 1)) exact
//   a serial strided(8*n + 8) element 8 reads sum(i < max(0, n - 1): max(1, n - i - 1)) writes 0 exact
//   a serial stream(8) element 8 reads 2*sum(i < max(0, n - 1): max(1, n - i - 1)*max(1, n - i - 1)) writes sum(i < max(0, n - 1): max(1, n - i - 1)*max(1, n - i - 1)) exact
KERNEL lu_loop(double *a, long n) {
  for (long k = 0; k < n - 1; k++)
    for (long i = k + 1; i < n; i++) {
      double f = a[i * n + k] /= a[k * n + k];
      for (long j = k + 1; j < n; j++)
        a[i * n + j] -= f * a[k * n + j];
    }
}
KERNEL lu(long n, long m) {
  double *a = NEW(n * n);
  lu_loop(a, n);
  free(a);
}

// KERNEL lu_team: total dynamic-schedule
//   a parallel stream(8) element 8 reads evenly(max(0, n - k - 1)*max(0, n - k - 1)) writes evenly(max(0, n - k - 1)*max(0, n - k - 1)) bound why dynamic-schedule
KERNEL lu_team_loop(double *a, long n) {
  for (long k = 0; k < n - 1; k++)
#pragma omp parallel for schedule(dynamic)
    for (long i = k + 1; i < n; i++)
      for (long j = k + 1; j < n; j++)
        a[i * n + j] += 1;
}
KERNEL lu_team(long n, long m) {
  double *a = NEW(n * n);
  lu_team_loop(a, n);
  free(a);
}

// KERNEL cholesky: exact
//   a serial strided(8*n + 8) element 8 reads max(0, n - 1) writes floordiv((n - 1)*n, 2) exact
//   a serial stream(8) element 8 reads 2*sum(i < n: (n - i - 1)*i) + floordiv((n - 1)*n, 2) writes 0 exact
//   a serial strided(8*n) element 8 reads (n - 2)*max(0, n - 1) + floordiv(-max(-1, n - 2)*max(0, n - 1), 2) writes sum(i < n: (n - i - 1)*i) exact
KERNEL cholesky_loop(double *a, long n) {
  for (long j = 0; j < n; j++) {
    for (long k = 0; k < j; k++)
      a[j * n + j] -= a[j * n + k] * a[j * n + k];
    for (long i = j + 1; i < n; i++)
      for (long k = 0; k < j; k++)
        a[i * n + j] -= a[i * n + k] * a[j * n + k];
  }
}
KERNEL cholesky(long n, long m) {
  double *a = NEW(n * n);
  cholesky_loop(a, n);
  free(a);
}

// KERNEL floyd: exact
//   d serial strided(8*n) element 8 reads n*n*n writes 0 reuse n exact
//   d serial stream(8) element 8 reads 2*n*n*n writes taken+6 conditional taken+6 exact
KERNEL floyd_loop(double *d, long n) {
  for (long k = 0; k < n; k++)
    for (long i = 0; i < n; i++)
      for (long j = 0; j < n; j++)
        if (d[i * n + k] + d[k * n + j] < d[i * n + j])
          d[i * n + j] = d[i * n + k] + d[k * n + j];
}
KERNEL floyd(long n, long m) {
  double *d = NEW(n * n);
  floyd_loop(d, n);
  free(d);
}

// KERNEL bit_reverse: exact
//   a serial stream(8) element 8 reads trip+2 writes trip+2 exact
//   a serial random element 8 reads trip+2 writes trip+2 exact why computed-index
KERNEL bit_reverse_loop(double *a, long bits) {
  for (long i = 0; i < 1L << bits; i++) {
    long j = 0;
    for (long b = 0; b < bits; b++)
      j |= (i >> b & 1) << (bits - 1 - b);
    double t = a[i];
    a[i] = a[j];
    a[j] = t;
  }
}
KERNEL bit_reverse(long n, long m) {
  long bits = n % 8;
  double *a = NEW(1L << bits);
  bit_reverse_loop(a, bits);
  free(a);
}

// KERNEL fft: exact
//   a serial stream(8) element 8 reads 2*sum(i < ceillog(ceildiv(n + 1, 2), 2): max(1, ceildiv(n, 2*pow(2, i)))*pow(2, i)) writes 2*sum(i < ceillog(ceildiv(n + 1, 2), 2): max(1, ceildiv(n, 2*pow(2, i)))*pow(2, i)) exact why assumes-positive-step
KERNEL fft_loop(double *a, long n) {
  for (long length = 2; length <= n; length <<= 1)
    for (long i = 0; i < n; i += length)
      for (long j = 0; j < length / 2; j++) {
        double u = a[i + j], v = a[i + j + length / 2];
        a[i + j] = u + v;
        a[i + j + length / 2] = u - v;
      }
}
KERNEL fft(long n, long m) {
  double *a = NEW(2 * n);
  fft_loop(a, n);
  free(a);
}

// KERNEL histogram: exact
//   key serial stream(8) element 8 reads histogram_loop:n writes histogram:n exact
//   bins serial random element 8 reads n writes n index key exact
KERNEL histogram_loop(long *bins, const long *key, long n) {
  for (long i = 0; i < n; i++)
    bins[key[i]]++;
}
KERNEL histogram(long n, long m) {
  long *bins = NEW(m), *key = NEW(n);
  for (long i = 0; i < n; i++)
    key[i] = i * i % m;
  histogram_loop(bins, key, n);
  free(bins), free(key);
}

// KERNEL up_sweep: exact
//   a serial strided element 8 reads 2*sum(i < ceillog(n, 2): (floordiv(max(4*pow(2, i), n + 1) - 4*pow(2, i) - min(1, max(0, n - 4*pow(2, i) + 1)), max(1, 2*pow(2, i))) + min(1, max(0, n - 4*pow(2, i) + 1)) + 1)*min(1, max(0, n - 2*pow(2, i) + 1))) writes sum(i < ceillog(n, 2): (floordiv(max(4*pow(2, i), n + 1) - 4*pow(2, i) - min(1, max(0, n - 4*pow(2, i) + 1)), max(1, 2*pow(2, i))) + min(1, max(0, n - 4*pow(2, i) + 1)) + 1)*min(1, max(0, n - 2*pow(2, i) + 1))) exact why varying-step
KERNEL up_sweep_loop(double *a, long n) {
  for (long d = 1; d < n; d *= 2)
    for (long i = 0; i + 2 * d - 1 < n; i += 2 * d)
      a[i + 2 * d - 1] += a[i + d - 1];
}
KERNEL up_sweep(long n, long m) {
  double *a = NEW(n);
  up_sweep_loop(a, n);
  free(a);
}

// KERNEL scan: exact
//   to serial stream(8) element 8 reads 0 writes sum(i < ceillog(n, 2): max(1, n - pow(2, i))) exact
//   from serial stream(8) element 8 reads 2*sum(i < ceillog(n, 2): max(1, n - pow(2, i))) writes 0 exact
KERNEL scan_loop(double *to, const double *from, long n) {
  for (long d = 1; d < n; d <<= 1)
    for (long i = d; i < n; i++)
      to[i] = from[i] + from[i - d];
}
KERNEL scan(long n, long m) {
  double *to = NEW(n), *from = NEW(n);
  scan_loop(to, from, n);
  free(to), free(from);
}

// KERNEL tiles: exact
//   c serial stream(8) element 8 reads sum(i < floordiv(n - 1, tile) + 1: max(0, min(n - i*tile, tile)))*sum(i < max(1, ceildiv(n, tile)): max(0, min(n - i*tile, tile)))*sum(i < max(1, ceildiv(n, tile)): min(1, max(0, min(n - i*tile, tile)))) writes sum(i < floordiv(n - 1, tile) + 1: max(0, min(n - i*tile, tile)))*sum(i < max(1, ceildiv(n, tile)): max(0, min(n - i*tile, tile)))*sum(i < max(1, ceildiv(n, tile)): max(0, min(n - i*tile, tile))) exact why assumes-positive-step
//   a serial stream(8) element 8 reads sum(i < floordiv(n - 1, tile) + 1: max(0, min(n - i*tile, tile)))*sum(i < max(1, ceildiv(n, tile)): max(0, min(n - i*tile, tile)))*sum(i < max(1, ceildiv(n, tile)): max(0, min(n - i*tile, tile))) writes 0 exact why assumes-positive-step
//   b serial strided(8*n) element 8 reads sum(i < floordiv(n - 1, tile) + 1: max(0, min(n - i*tile, tile)))*sum(i < max(1, ceildiv(n, tile)): max(0, min(n - i*tile, tile)))*sum(i < max(1, ceildiv(n, tile)): max(0, min(n - i*tile, tile))) writes 0 exact why assumes-positive-step
KERNEL tiles_loop(double *c, const double *a, const double *b, long n,
                  long tile) {
  for (long ii = 0; ii < n; ii += tile)
    for (long jj = 0; jj < n; jj += tile)
      for (long kk = 0; kk < n; kk += tile)
        for (long i = ii; i < MIN(ii + tile, n); i++)
          for (long j = jj; j < MIN(jj + tile, n); j++)
            for (long k = kk; k < MIN(kk + tile, n); k++)
              c[i * n + j] += a[i * n + k] * b[k * n + j];
}
KERNEL tiles(long n, long m) {
  double *a = NEW(n * n), *b = NEW(n * n), *c = NEW(n * n);
  tiles_loop(c, a, b, n, m % 9 + 1);
  free(a), free(b), free(c);
}

// KERNEL wavefront: exact
//   h serial strided(8*m - 8) element 8 reads sum(i < max(0, m + n - 1): max(0, min(i, n - 1) - max(-1, i - m))) writes sum(i < max(0, m + n - 1): max(0, min(i, n - 1) - max(-1, i - m))) exact
KERNEL wavefront_loop(double *h, long n, long m) {
  for (long d = 0; d < n + m - 1; d++)
    for (long i = MAX(0, d - m + 1); i <= MIN(n - 1, d); i++)
      h[i * m + d - i] += 1;
}
KERNEL wavefront(long n, long m) {
  double *h = NEW(n * m);
  wavefront_loop(h, n, m);
  free(h);
}

// KERNEL antidiagonals: exact
//   h parallel strided(4*m) element 4 reads share(last - first + 1) writes share(last - first + 1) exact
//   s parallel stream(1) element 1 reads share(last - first + 1) writes 0 exact
//   t parallel stream(-1) element 1 reads share(last - first + 1) writes 0 exact
KERNEL antidiagonals_loop(int *h, const signed char *s, const signed char *t,
                          int n, int m) {
  for (int d = 2; d <= n + m; d++) {
    int first = d - m > 1 ? d - m : 1, last = d - 1 < n ? d - 1 : n;
#pragma omp parallel for
    for (int i = first; i <= last; i++) {
      int j = d - i;
      h[i * (m + 1) + j] = h[(i - 1) * (m + 1) + j - 1] + s[i] * t[j];
    }
  }
}
KERNEL antidiagonals(long n, long m) {
  int *h = NEW((n + 1) * (m + 1));
  signed char *s = NEW(n + 1), *t = NEW(m + 1);
  antidiagonals_loop(h, s, t, n, m);
  free(h), free(s), free(t);
}

// KERNEL levels: later InstCombinePass,LoopLoadEliminationPass
//   u serial stream(8) element 8 reads 2*trip+4 writes trip+4 conditional 3*trip+4 exact
KERNEL levels_loop(double *u, int n) {
  long base = 0;
  for (; n > 1; base += n, n >>= 1)
    for (int i = 1; i < n - 1; i++)
      u[base + i] += 0.5 * u[base + i - 1];
}
KERNEL levels(long n, long m) {
  double *u = NEW(2 * n);
  levels_loop(u, n);
  free(u);
}

// KERNEL prolong: exact
//   fine serial strided(16) element 8 reads 2*trip+3 writes 2*trip+3 exact
//   coarse serial stream(8) element 8 reads 2*trip+3 writes 0 exact
KERNEL prolong_loop(double *fine, const double *coarse, int n) {
  for (int l = n; l > 3; l /= 2)
    for (int i = 0; i < l / 2; i++) {
      fine[2 * i] += coarse[i];
      fine[2 * i + 1] += coarse[i + 1];
    }
}
KERNEL prolong(long n, long m) {
  double *fine = NEW(n), *coarse = NEW(n);
  prolong_loop(fine, coarse, n);
  free(fine), free(coarse);
}

// KERNEL octree: exact
//   node serial stream(8) element 8 reads sum(i < max(0, depth - 22): max(1, pow(2, 3*i + 66))) + sum(i < max(0, min(21, depth)): max(1, pow(2, 3*i))) writes sum(i < max(0, depth - 22): max(1, pow(2, 3*i + 66))) + sum(i < max(0, min(21, depth)): max(1, pow(2, 3*i))) conditional 2*sum(i < max(0, depth - 22): max(1, pow(2, 3*i + 66))) + 2*sum(i < max(0, min(21, depth)): max(1, pow(2, 3*i))) exact
KERNEL octree_loop(double *node, int depth) {
  long first = 0;
  for (int l = 0; l < depth; l++) {
    for (long i = 0; i < 1L << 3 * l; i++)
      node[first + i] += 1;
    first += 1L << 3 * l;
  }
}
KERNEL octree(long n, long m) {
  double *node = NEW(600);
  octree_loop(node, n % 4);
  free(node);
}

// KERNEL parents: exact
//   up serial stream(-8) element 8 reads max(0, n - 1) writes max(0, n - 1) exact
//   node serial stream(-8) element 8 reads max(0, n - 1) writes 0 exact
KERNEL parents_loop(double *up, const double *node, long n) {
  for (long i = n - 1; i > 0; i--)
    up[(i - 1) / 8] += node[i];
}
KERNEL parents(long n, long m) {
  double *up = NEW(n), *node = NEW(n);
  parents_loop(up, node, n);
  free(up), free(node);
}

// KERNEL halos: exact
//   to serial stream(8) element 8 reads max(0, m - 6)*max(0, n - 6) writes 7*max(0, m - 6)*max(0, n - 6) exact
//   from serial stencil(8*m) points 7 element 8 reads 7*max(0, m - 6)*max(0, n - 6) writes 0 dimensions 1 exact
KERNEL halos_loop(double *to, const double *from, long n, long m, long h) {
  for (long k = h; k < n - h; k++)
    for (long j = h; j < m - h; j++)
      for (long d = -h; d <= h; d++)
        to[k * m + j] += from[(k + d) * m + j];
}
KERNEL halos(long n, long m) {
  double *to = NEW(n * m), *from = NEW(n * m);
  halos_loop(to, from, n, m, 3);
  free(to), free(from);
}

// KERNEL circular: exact
//   ring serial random element 8 reads 0 writes n exact why computed-index
//   in serial stream(8) element 8 reads n writes 0 exact
KERNEL circular_loop(double *ring, const double *in, long n, long size) {
  long head = 0;
  for (long i = 0; i < n; i++) {
    ring[head] = in[i];
    head = (head + 1) % size;
  }
}
KERNEL circular(long n, long m) {
  double *ring = NEW(m), *in = NEW(n);
  circular_loop(ring, in, n, m);
  free(ring), free(in);
}

// KERNEL skewed: exact
//   a serial stream(8) element 8 reads sum(i < floordiv(n + steps - 1, 8) + 1: sum(j < steps: max((8*i - j - n + 9)*min(1, max(0, j + n - 8*i - 8)) + n - max(1, 8*i - j) - 1, 0))) writes sum(i < floordiv(n + steps - 1, 8) + 1: sum(j < steps: max((8*i - j - n + 9)*min(1, max(0, j + n - 8*i - 8)) + n - max(1, 8*i - j) - 1, 0))) exact
KERNEL skewed_loop(double *a, long n, long steps, long wide) {
  for (long s = 0; s < n + steps; s += wide)
    for (long t = 0; t < steps; t++)
      for (long i = MAX(1, s - t); i < MIN(n - 1, s - t + wide); i++)
        a[t % 2 * n + i] += 1;
}
KERNEL skewed(long n, long m) {
  double *a = NEW(2 * n);
  skewed_loop(a, n, m % 7, 8);
  free(a);
}

// KERNEL band: exact
//   y parallel stream(8) element 8 reads share(i < n: min(1, max((i + k - n + 1)*min(1, max(0, n - i - k)) + n - max(0, i - k), 0))) writes share(i < n: max((i + k - n + 1)*min(1, max(0, n - i - k)) + n - max(0, i - k), 0)) exact
//   a parallel stream(8) element 8 reads share(i < n: max((i + k - n + 1)*min(1, max(0, n - i - k)) + n - max(0, i - k), 0)) writes 0 exact
//   x parallel stream(8) element 8 reads share(i < n: max((i + k - n + 1)*min(1, max(0, n - i - k)) + n - max(0, i - k), 0)) writes 0 exact
KERNEL band_loop(double *y, const double *a, const double *x, long n, long k) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    for (long j = MAX(0, i - k); j <= MIN(n - 1, i + k); j++)
      y[i] += a[i * (2 * k + 1) + j - i + k] * x[j];
}
KERNEL band(long n, long m) {
  double *y = NEW(n), *a = NEW(n * (2 * m + 1)), *x = NEW(n);
  band_loop(y, a, x, n, m);
  free(y), free(a), free(x);
}

// KERNEL packed: exact
//   y serial stream(8) element 8 reads floordiv((n - 1)*n, 2) + n writes floordiv((n - 1)*n, 2) + n exact
//   a serial stream(8) element 8 reads floordiv((n - 1)*n, 2) + n writes 0 exact
KERNEL packed_loop(double *y, const double *a, long n) {
  for (long j = 0; j < n; j++)
    for (long i = 0; i <= j; i++)
      y[i] += a[j * (j + 1) / 2 + i];
}
KERNEL packed(long n, long m) {
  double *y = NEW(n), *a = NEW(n * (n + 1) / 2);
  packed_loop(y, a, n);
  free(y), free(a);
}

// KERNEL diamond: exact
//   a serial stream(8) element 8 reads min(1, max(0, n - 1))*sum(i < floordiv(n, 2): max(0, n - 2*i)) writes min(1, max(0, n - 1))*sum(i < floordiv(n, 2): max(0, n - 2*i)) conditional 2*min(1, max(0, n - 1))*sum(i < floordiv(n, 2): max(0, n - 2*i)) exact
KERNEL diamond_loop(double *a, long n) {
  for (long i = 0; i < n / 2; i++)
    for (long j = i; j < n - i; j++)
      a[i * n + j] += 1;
}
KERNEL diamond(long n, long m) {
  double *a = NEW(n * n);
  diamond_loop(a, n);
  free(a);
}

// KERNEL dealt_by_hand: exact
//   a parallel random element 8 reads trip+3 writes trip+3 exact why computed-index
KERNEL dealt_by_hand_loop(double *a, int n) {
#pragma omp parallel
  for (int i = omp_get_thread_num(); i < n; i += omp_get_num_threads())
    a[i] += 1;
}
KERNEL dealt_by_hand(long n, long m) {
  double *a = NEW(n);
  dealt_by_hand_loop(a, n);
  free(a);
}

// KERNEL padded: exact
//   to serial stream(8) element 8 reads sum(i < m: max(0, min(3, m - i + 1) - max(-i + 1, 0)))*sum(i < n: max(0, min(3, n - i + 1) - max(-i + 1, 0))) writes sum(i < m: max(0, min(3, m - i + 1) - max(-i + 1, 0)))*sum(i < n: max(0, min(3, n - i + 1) - max(-i + 1, 0))) conditional 2*sum(i < m: max(0, min(3, m - i + 1) - max(-i + 1, 0)))*sum(i < n: max(0, min(3, n - i + 1) - max(-i + 1, 0))) exact
//   from serial stencil(8) points 9 element 8 reads sum(i < m: max(0, min(3, m - i + 1) - max(-i + 1, 0)))*sum(i < n: max(0, min(3, n - i + 1) - max(-i + 1, 0))) writes 0 conditional sum(i < m: max(0, min(3, m - i + 1) - max(-i + 1, 0)))*sum(i < n: max(0, min(3, n - i + 1) - max(-i + 1, 0))) dimensions 2 exact
KERNEL padded_loop(double *to, const double *from, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = -1; k <= 1; k++)
        for (int l = -1; l <= 1; l++)
          if (i + k >= 0 && i + k < n && j + l >= 0 && j + l < m)
            to[i * m + j] += from[(i + k) * m + j + l];
}
KERNEL padded(long n, long m) {
  double *to = NEW(n * m), *from = NEW(n * m);
  padded_loop(to, from, n, m);
  free(to), free(from);
}

// KERNEL sieve: exact
//   out serial strided element 1 reads 0 writes trip+3 exact why varying-step
KERNEL sieve_loop(signed char *out, int n) {
  for (int i = 2; i * i <= n; i++)
    for (int j = i * i; j <= n; j += i)
      out[j] = 1;
}
KERNEL sieve(long n, long m) {
  signed char *out = NEW(n + 1);
  sieve_loop(out, n);
  free(out);
}

// KERNEL intervals: exact
//   c serial strided(8*n + 8) element 8 reads sum(i < max(0, n - 1): max(1, n - i - 1)) writes sum(i < max(0, n - 1): (i + 1)*max(1, n - i - 1)) exact
//   c serial stream(8) element 8 reads sum(i < max(0, n - 1): (i + 1)*max(1, n - i - 1)) writes 0 exact
//   c serial strided(8*n) element 8 reads sum(i < max(0, n - 1): (i + 1)*max(1, n - i - 1)) writes 0 exact
KERNEL intervals_loop(double *c, int n) {
  for (int length = 2; length <= n; length++)
    for (int i = 0; i + length <= n; i++)
      for (int k = i; k < i + length - 1; k++)
        c[i * n + i + length - 1] += c[i * n + k] * c[(k + 1) * n + i];
}
KERNEL intervals(long n, long m) {
  double *c = NEW(n * n);
  intervals_loop(c, n);
  free(c);
}

// KERNEL knapsack: exact
//   best serial stream(-8) element 8 reads 2*trip+3 writes trip+3 exact
//   weight serial stream(4) element 4 reads knapsack_loop:n writes knapsack:n exact
KERNEL knapsack_loop(double *best, const int *weight, int n, int room) {
  for (int i = 0; i < n; i++)
    for (int w = room; w >= weight[i]; w--)
      best[w] += best[w - weight[i]];
}
KERNEL knapsack(long n, long m) {
  double *best = NEW(m + 1);
  int *weight = NEW(n);
  for (int i = 0; i < n; i++)
    weight[i] = i % 9;
  knapsack_loop(best, weight, n, m);
  free(best), free(weight);
}

// KERNEL odd_even: exact
//   a serial strided(16) element 8 reads 2*sum(i < n: max(0, floordiv(-i, 2) + floordiv(i + n, 2))) writes sum(i < n: max(0, floordiv(-i, 2) + floordiv(i + n, 2))) exact
KERNEL odd_even_loop(double *a, int n) {
  for (int phase = 0; phase < n; phase++)
    for (int i = phase & 1; i + 1 < n; i += 2)
      a[i] += a[i + 1];
}
KERNEL odd_even(long n, long m) {
  double *a = NEW(n);
  odd_even_loop(a, n);
  free(a);
}

// KERNEL shell: exact
//   a serial stream(8) element 8 reads 2*sum(i < ceillog(floordiv(n, 2) + 1, 2): max(0, n - floordiv(n, 2*pow(2, i)))) writes sum(i < ceillog(floordiv(n, 2) + 1, 2): max(0, n - floordiv(n, 2*pow(2, i)))) exact
KERNEL shell_loop(double *a, int n) {
  for (int gap = n / 2; gap > 0; gap /= 2)
    for (int i = gap; i < n; i++)
      a[i] += a[i - gap];
}
KERNEL shell(long n, long m) {
  double *a = NEW(n);
  shell_loop(a, n);
  free(a);
}

// KERNEL bitonic: exact
//   a serial stream(8) element 8 reads taken+6 writes taken+6 conditional 2*taken+6 exact
KERNEL bitonic_loop(double *a, int n) {
  for (int k = 2; k <= n; k *= 2)
    for (int j = k / 2; j > 0; j /= 2)
      for (int i = 0; i < n; i++)
        if ((i ^ j) > i)
          a[i] += 1;
}
KERNEL bitonic(long n, long m) {
  double *a = NEW(n);
  bitonic_loop(a, n);
  free(a);
}

// KERNEL backwards: exact
//   a serial stream(-8) element 8 reads n + trip+4 writes n + trip+4 exact
KERNEL backwards_loop(double *a, unsigned n) {
  for (unsigned i = n; i-- > 0;)
    a[i] += 1;
  for (unsigned i = n - 1; i < n; i--)
    a[i] += 2;
}
KERNEL backwards(long n, long m) {
  double *a = NEW(n);
  backwards_loop(a, n);
  free(a);
}

// KERNEL around: exact
//   to serial stream(8) element 8 reads 0 writes n exact
//   from serial stream(8) element 8 reads 2*n writes 0 exact
KERNEL around_loop(double *to, const double *from, int n) {
  for (int i = 0; i < n; i++)
    to[i] = from[(i + 1) % n] + from[(i - 1 + n) % n];
}
KERNEL around(long n, long m) {
  double *to = NEW(n), *from = NEW(n);
  around_loop(to, from, n);
  free(to), free(from);
}

// KERNEL heap: exact
//   a serial random element 8 reads trip+2 writes trip+2 exact why computed-index
//   a serial random element 8 reads trip+2 writes 0 exact why geometric-step
KERNEL heap_loop(double *a, int n) {
  for (int i = 0; 2 * i + 1 < n; i = 2 * i + 1)
    a[i] += a[2 * i + 1];
}
KERNEL heap(long n, long m) {
  double *a = NEW(n);
  heap_loop(a, n);
  free(a);
}

// KERNEL faces: exact
//   out serial stream(8) element 8 reads 0 writes 6*n*n exact
//   u serial random element 8 reads 6*n*n writes 0 exact why computed-index
KERNEL faces_loop(double *out, const double *u, int n) {
  long k = 0;
  for (int face = 0; face < 6; face++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        int at = face & 1 ? n - 1 : 0;
        out[k++] = face < 2   ? u[(at * n + i) * n + j]
                   : face < 4 ? u[(i * n + at) * n + j]
                              : u[(i * n + j) * n + at];
      }
}
KERNEL faces(long n, long m) {
  n = n % 8 + 2;
  double *out = NEW(6 * n * n), *u = NEW(n * n * n);
  faces_loop(out, u, n);
  free(out), free(u);
}

// KERNEL update: exact
//   c parallel stream(8) element 8 reads min(1, max(0, k))*min(1, max(0, n))*share(i < value+3.3, 1: min(1, max(0, i*tile + 1))*sum(j < floordiv(max(i*tile + 1, tile) - min(1, max(0, i*tile - tile + 1)) - tile, max(1, tile)) + min(1, max(0, i*tile - tile + 1)) + 1: sum(k < max(0, min(n - i*tile, tile)): max((i*tile + k - j*tile - tile + 1)*min(1, max(0, j*tile + tile - i*tile - k)) + tile, 0)))) writes k*min(1, max(0, n))*share(i < value+3.3, 1: min(1, max(0, i*tile + 1))*sum(j < floordiv(max(i*tile + 1, tile) - min(1, max(0, i*tile - tile + 1)) - tile, max(1, tile)) + min(1, max(0, i*tile - tile + 1)) + 1: sum(k < max(0, min(n - i*tile, tile)): max((i*tile + k - j*tile - tile + 1)*min(1, max(0, j*tile + tile - i*tile - k)) + tile, 0)))) conditional k*min(1, max(0, n))*share(i < value+3.3, 1: min(1, max(0, i*tile + 1))*sum(j < floordiv(max(i*tile + 1, tile) - min(1, max(0, i*tile - tile + 1)) - tile, max(1, tile)) + min(1, max(0, i*tile - tile + 1)) + 1: sum(k < max(0, min(n - i*tile, tile)): max((i*tile + k - j*tile - tile + 1)*min(1, max(0, j*tile + tile - i*tile - k)) + tile, 0)))) + min(1, max(0, k))*min(1, max(0, n))*share(i < value+3.3, 1: min(1, max(0, i*tile + 1))*sum(j < floordiv(max(i*tile + 1, tile) - min(1, max(0, i*tile - tile + 1)) - tile, max(1, tile)) + min(1, max(0, i*tile - tile + 1)) + 1: sum(k < max(0, min(n - i*tile, tile)): max((i*tile + k - j*tile - tile + 1)*min(1, max(0, j*tile + tile - i*tile - k)) + tile, 0)))) exact
//   a parallel stream(8) element 8 reads 2*k*min(1, max(0, n))*share(i < value+3.3, 1: min(1, max(0, i*tile + 1))*sum(j < floordiv(max(i*tile + 1, tile) - min(1, max(0, i*tile - tile + 1)) - tile, max(1, tile)) + min(1, max(0, i*tile - tile + 1)) + 1: sum(k < max(0, min(n - i*tile, tile)): max((i*tile + k - j*tile - tile + 1)*min(1, max(0, j*tile + tile - i*tile - k)) + tile, 0)))) writes 0 conditional 2*k*min(1, max(0, n))*share(i < value+3.3, 1: min(1, max(0, i*tile + 1))*sum(j < floordiv(max(i*tile + 1, tile) - min(1, max(0, i*tile - tile + 1)) - tile, max(1, tile)) + min(1, max(0, i*tile - tile + 1)) + 1: sum(k < max(0, min(n - i*tile, tile)): max((i*tile + k - j*tile - tile + 1)*min(1, max(0, j*tile + tile - i*tile - k)) + tile, 0)))) exact
KERNEL update_loop(double *c, const double *a, long n, long k, long tile) {
#pragma omp parallel for schedule(static, 1)
  for (long ii = 0; ii < n; ii += tile)
    for (long jj = 0; jj <= ii; jj += tile)
      for (long i = ii; i < MIN(ii + tile, n); i++)
        for (long j = jj; j < MIN(jj + tile, i + 1); j++)
          for (long l = 0; l < k; l++)
            c[i * n + j] += a[i * k + l] * a[j * k + l];
}
KERNEL update(long n, long m) {
  double *c = NEW(n * n), *a = NEW(n * m);
  update_loop(c, a, n, m, 8);
  free(c), free(a);
}

int main(int argc, char **argv) {
  long n = atol(argv[1]), m = atol(argv[2]);
  row_split(n, m), ellpack(n, m), red_black(n, m), red_black_team(n, m);
  lu(n, m), lu_team(n, m), cholesky(n, m), floyd(n, m), bit_reverse(n, m);
  fft(n, m), histogram(n, m), up_sweep(n, m), scan(n, m), tiles(n, m);
  wavefront(n, m), antidiagonals(n, m), levels(n, m), prolong(n, m);
  octree(n, m), parents(n, m), halos(n, m), circular(n, m), skewed(n, m);
  band(n, m), packed(n, m), diamond(n, m), dealt_by_hand(n, m), padded(n, m);
  sieve(n, m), intervals(n, m), knapsack(n, m), odd_even(n, m), shell(n, m);
  bitonic(n, m), backwards(n, m), around(n, m), heap(n, m), faces(n, m);
  update(n, m);
  return 0;
}
