// Loops that gather and scatter, in pieces of so many iterations: pieces of 128
// run as they are, longer ones behind a scout. What is computed and recorded is
// the same.
#include <stdio.h>
#include <stdlib.h>

static long n = 200000, piece;
static double *v, *w;
static int *index_, *second;
static long *count;

#define PIECES(first, last)                                                    \
  for (long first = 0, last; first < n; first = last)                          \
    if ((last = first + piece < n ? first + piece : n))

__attribute__((noinline)) static double gather(long from, long to) {
  double s = 0;
  for (long i = from; i < to; i++)
    s += v[index_[i]];
  return s;
}

__attribute__((noinline)) static double indirect(long from, long to) {
  double s = 0;
  for (long i = from; i < to; i++)
    s += v[index_[second[i]]] * w[i];
  return s;
}

__attribute__((noinline)) static void histogram(long from, long to) {
  for (long i = from; i < to; i++)
    count[index_[i]] += 1;
}

__attribute__((noinline)) static unsigned long computed(long from, long to,
                                                        unsigned long r) {
  for (long i = from; i < to; i++) {
    r = r * 6364136223846793005u + 1442695040888963407u;
    count[(r >> 33) % (unsigned long)n] ^= (long)r;
  }
  return r;
}

// What a scout loads ahead would be what was there before.
__attribute__((noinline)) static double moving(long from, long to) {
  double s = 0;
  for (long i = from; i < to; i++) {
    s += v[index_[i]];
    index_[(i + 100) % n] = (int)((index_[i] + i) % n);
  }
  return s;
}

__attribute__((noinline)) static double sometimes(long from, long to) {
  double s = 0;
  for (long i = from; i < to; i++)
    if (w[i] > 0.3)
      s += v[index_[i]];
  return s;
}

// Each address comes from the load before.
__attribute__((noinline)) static long chase(long from, long to, long at) {
  for (long i = from; i < to; i++)
    at = second[at];
  return at;
}

int main(int argc, char **argv) {
  piece = argc > 1 ? atol(argv[1]) : 128;
  v = malloc(n * sizeof *v);
  w = malloc(n * sizeof *w);
  index_ = malloc(n * sizeof *index_);
  second = malloc(n * sizeof *second);
  count = calloc(n, sizeof *count);
  unsigned long r = 1;
  for (long i = 0; i < n; i++) {
    r = r * 6364136223846793005u + 1442695040888963407u;
    index_[i] = (int)((r >> 33) % (unsigned long)n);
    second[i] = (int)((i * 7919 + 13) % n);
    v[i] = (double)i;
    w[i] = 1.0 / (double)(i % 7 + 1);
  }
  double s = 0;
  long at = 0;
  PIECES(a, b) s += gather(a, b);
  PIECES(a, b) s += indirect(a, b);
  PIECES(a, b) histogram(a, b);
  PIECES(a, b) r = computed(a, b, r);
  PIECES(a, b) s += moving(a, b);
  PIECES(a, b) s += sometimes(a, b);
  PIECES(a, b) at = chase(a, b, at);
  printf("%.17g %ld %lu %ld %d\n", s, at, r, count[4711], index_[4711]);
  return 0;
}
