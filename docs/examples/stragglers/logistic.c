/* logistic.c - softmax regression on handwritten digits, over MPI ranks
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * logistic DIGITS.csv all|BOUND none|random|two LOSS SEED
 *
 * Each rank computes gradients from batches of its own images; they are summed
 * by MPI_Allreduce (all) or by ek_allreduce_relaxed (a bound) until the mean loss
 * of all training images, as rank 0 sees it, is at most LOSS. Ranks sleep 5 ms in
 * each iteration, as if they computed, and are delayed: at random, by 0 to 40 ms;
 * or in two kinds, the last quarter of the ranks by 15 ms each time.
 */
#include <evenkeel/ek_relaxed.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIXELS = 64, DIGITS = 10, WIDTH = PIXELS + 1, BATCH = 16 };
enum { SIZE = DIGITS * WIDTH, MOST = 2000, LONGEST = 3000 };

static struct { double pixel[WIDTH]; int label; } image[MOST];
static int images;

static void stop(const char *why) {
  fprintf(stderr, "logistic: %s\n", why);
  MPI_Abort(MPI_COMM_WORLD, 2);
}

static void read_images(const char *path) {
  FILE *f = fopen(path, "r");
  if (!f)
    stop("cannot read the images");
  double x;
  while (images < MOST && fscanf(f, "%lf,", &x) == 1) {
    for (int p = 0; p < PIXELS; ++p) {
      image[images].pixel[p] = x / 16;
      if (fscanf(f, "%lf,", &x) != 1)
        stop("a line is cut short");
    }
    image[images].pixel[PIXELS] = 1;
    image[images++].label = (int)x;
  }
  fclose(f);
}

static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 31) * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
  return x ^ x >> 32;
}

/* The probabilities of the digits of image i; returns its loss. */
static double look(const double *w, int i, double *of) {
  double most = -1e300, sum = 0;
  for (int d = 0; d < DIGITS; ++d) {
    of[d] = 0;
    for (int p = 0; p < WIDTH; ++p)
      of[d] += w[d * WIDTH + p] * image[i].pixel[p];
    most = of[d] > most ? of[d] : most;
  }
  for (int d = 0; d < DIGITS; ++d)
    sum += of[d] = exp(of[d] - most);
  for (int d = 0; d < DIGITS; ++d)
    of[d] /= sum;
  return -log(of[image[i].label] + 1e-300);
}

/* Every fifth image is for the test. */
static double mean_loss(const double *w) {
  double of[DIGITS], sum = 0;
  int count = 0;
  for (int i = 0; i < images; ++i)
    if (i % 5) {
      sum += look(w, i, of);
      ++count;
    }
  return sum / count;
}

static double accuracy(const double *w) {
  double of[DIGITS];
  int right = 0, count = 0;
  for (int i = 0; i < images; i += 5, ++count) {
    int best = 0;
    look(w, i, of);
    for (int d = 1; d < DIGITS; ++d)
      best = of[d] > of[best] ? d : best;
    right += best == image[i].label;
  }
  return (double)right / count;
}

static void gradient(const double *w, int rank, int ranks, uint64_t seed,
                     double *g) {
  double of[DIGITS];
  memset(g, 0, SIZE * sizeof *g);
  for (int b = 0; b < BATCH; ++b) {
    int i;
    for (uint64_t n = 0;; ++n) { /* one of this rank's */
      i = (int)(mix(seed * 1000 + (uint64_t)b * 37 + n) % (uint64_t)images);
      if (i % 5 && i / 5 % ranks == rank)
        break;
    }
    look(w, i, of);
    for (int d = 0; d < DIGITS; ++d)
      for (int p = 0; p < WIDTH; ++p)
        g[d * WIDTH + p] +=
            (of[d] - (d == image[i].label)) * image[i].pixel[p] / BATCH;
  }
}

int main(int argc, char **argv) {
  static double w[SIZE], g[SIZE + 1]; /* the last: rank 0 is content */
  int level, rank, ranks, iteration = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 6)
    stop("usage: logistic DIGITS.csv all|BOUND none|random|two LOSS SEED");
  read_images(argv[1]);
  const int all = strcmp(argv[2], "all") == 0;
  const unsigned bound = (unsigned)atoi(argv[2]);
  const int random = strcmp(argv[3], "random") == 0;
  const int two = strcmp(argv[3], "two") == 0;
  const double target = atof(argv[4]), rate = 0.5;
  const uint64_t seed = (uint64_t)atoi(argv[5]);
  unsigned dropped = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const double since = MPI_Wtime();
  double reached = 0;
  for (int content = 0; !content && iteration < LONGEST; ++iteration) {
    const uint64_t key = seed << 40 | (uint64_t)rank << 20 | (uint64_t)iteration;
    usleep((unsigned)(5000 + (random ? mix(key) % 40000 : 0) +
                      (two && rank >= ranks - ranks / 4 ? 15000 : 0)));
    gradient(w, rank, ranks, key, g);
    g[SIZE] = 0;
    if (rank == 0 && iteration % 5 == 0 && mean_loss(w) <= target) {
      g[SIZE] = 1;
      reached = MPI_Wtime() - since;
    }
    ek_relaxed_result r = {ranks, 1.0 / ranks, 1, 1, 0, 0};
    if (all)
      MPI_Allreduce(MPI_IN_PLACE, g, SIZE + 1, MPI_DOUBLE, MPI_SUM,
                    MPI_COMM_WORLD);
    else if (ek_allreduce_relaxed(1, g, g, SIZE + 1, MPI_DOUBLE, MPI_COMM_WORLD,
                                  bound, &r) != 0)
      MPI_Abort(MPI_COMM_WORLD, 1);
    for (int k = 0; k < SIZE; ++k)
      w[k] -= rate * r.rate * (r.weight * g[k]);
    dropped += r.dropped;
    content = g[SIZE] > 0;
  }
  if (!all) {
    ek_relaxed_result r;
    if (ek_relaxed_finish(1, g, &r) != 0)
      MPI_Abort(MPI_COMM_WORLD, 1);
    for (int k = 0; k < SIZE; ++k)
      w[k] -= rate * r.rate * (r.weight * g[k]);
  }
  if (rank == 0)
    printf("loss %.4f after %.2f s and %d iterations; accuracy %.1f %%\n",
           mean_loss(w), reached, iteration, 100 * accuracy(w));
  MPI_Finalize();
  return reached > 0 || rank ? 0 : 1;
}
