/* digits.h - learning handwritten digits over MPI ranks, with stragglers
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PROGRAM DIGITS.csv all|next|BOUND none|random|two LOSS SEED
 *
 * Each rank computes gradients from batches of its own images. They are summed
 * by MPI_Allreduce (all), by MPI_Iallreduce, so that an iteration uses the sum of
 * the one before (next), or by ek_allreduce_relaxed (a bound), until the mean loss
 * of all training images, as rank 0 sees it, is at most LOSS. Ranks sleep 5 ms in
 * each iteration, as if they computed, and are delayed: at random, by 0 to 40 ms;
 * or in two kinds, the last quarter of the ranks by 15 ms each time.
 * One batch can change what is said of several images. So the mean weights of all
 * ranks in the last 16 iterations are tested, too.
 */
#include <evenkeel/ek_relaxed.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIXELS = 64, DIGITS = 10, WIDTH = PIXELS + 1, BATCH = 16 };
enum { MOST = 2000, LONGEST = 3000, TAIL = 16 };

static struct { double pixel[WIDTH]; int label; } image[MOST]; /* the last: 1 */
static int images;

/* What learns: SIZE weights w. look gives the probabilities of image i's digits
 * and returns its loss; learn adds the loss's gradient to g. */
enum { SIZE_MOST = 5000 };
static const int SIZE;
static const double RATE;
static void begin(double *w);
static double look(const double *w, int i, double *of);
static void learn(const double *w, int i, double *g);

static void stop(const char *why) {
  fprintf(stderr, "digits: %s\n", why);
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

/* Turns of[0..DIGITS) into probabilities; returns the loss. */
static double softmax(double *of, int label) {
  double most = of[0], sum = 0;
  for (int d = 1; d < DIGITS; ++d)
    most = of[d] > most ? of[d] : most;
  for (int d = 0; d < DIGITS; ++d)
    sum += of[d] = exp(of[d] - most);
  for (int d = 0; d < DIGITS; ++d)
    of[d] /= sum;
  return -log(of[label] + 1e-300);
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
  memset(g, 0, (size_t)SIZE * sizeof *g);
  for (int b = 0; b < BATCH; ++b) {
    int i;
    for (uint64_t n = 0;; ++n) { /* one of this rank's */
      i = (int)(mix(seed * 1000 + (uint64_t)b * 37 + n) % (uint64_t)images);
      if (i % 5 && i / 5 % ranks == rank)
        break;
    }
    learn(w, i, g);
  }
}

static void apply(double *w, const double *g, ek_relaxed_result r) {
  for (int k = 0; k < SIZE; ++k)
    w[k] -= RATE / BATCH * r.rate * (r.weight * g[k]);
}

static double tail[TAIL][SIZE_MOST]; /* weights of the last iterations */

static void tail_mean(int iterations, int ranks, double *mean) {
  const int n = iterations < TAIL ? iterations : TAIL;
  for (int t = 0; t < n; ++t)
    for (int k = 0; k < SIZE; ++k)
      mean[k] += tail[t][k] / n / ranks;
  MPI_Allreduce(MPI_IN_PLACE, mean, SIZE, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  /* The last number of a gradient: rank 0 is content. */
  static double w[SIZE_MOST], mean[SIZE_MOST], g[SIZE_MOST + 1], next[2][SIZE_MOST + 1];
  int level, rank, ranks, iteration = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 6)
    stop("usage: PROGRAM DIGITS.csv all|next|BOUND none|random|two LOSS SEED");
  read_images(argv[1]);
  const int all = strcmp(argv[2], "all") == 0;
  const int later = strcmp(argv[2], "next") == 0;
  const unsigned bound = (unsigned)atoi(argv[2]);
  const int random = strcmp(argv[3], "random") == 0;
  const int two = strcmp(argv[3], "two") == 0;
  const double target = atof(argv[4]);
  const uint64_t seed = (uint64_t)atoi(argv[5]);
  const ek_relaxed_result every = {ranks, 1.0 / ranks, 1, 1, 0, 0, 1};
  MPI_Request request = MPI_REQUEST_NULL;
  ek_relaxed_result r = every;
  begin(w);
  MPI_Barrier(MPI_COMM_WORLD);
  const double since = MPI_Wtime();
  double reached = 0;
  for (int content = 0; !content && iteration < LONGEST; ++iteration) {
    const uint64_t key = seed << 40 | (uint64_t)rank << 20 | (uint64_t)iteration;
    usleep((unsigned)(5000 + (random ? mix(key) % 40000 : 0) +
                      (two && rank >= ranks - ranks / 4 ? 15000 : 0)));
    gradient(w, rank, ranks, key, g);
    g[SIZE] = 0;
    if (rank == 0 && !reached && iteration % 5 == 0 && mean_loss(w) <= target) {
      g[SIZE] = 1;
      reached = MPI_Wtime() - since;
    }
    if (all) {
      MPI_Allreduce(MPI_IN_PLACE, g, SIZE + 1, MPI_DOUBLE, MPI_SUM,
                    MPI_COMM_WORLD);
    } else if (later) {
      double *sum = next[iteration % 2], *before = next[(iteration + 1) % 2];
      memcpy(sum, g, sizeof next[0]);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      memcpy(g, before, sizeof next[0]);
      MPI_Iallreduce(MPI_IN_PLACE, sum, SIZE + 1, MPI_DOUBLE, MPI_SUM,
                     MPI_COMM_WORLD, &request);
    } else if (ek_allreduce_relaxed(1, g, g, SIZE + 1, MPI_DOUBLE,
                                    MPI_COMM_WORLD, bound, &r) != 0) {
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
    apply(w, g, r);
    memcpy(tail[iteration % TAIL], w, sizeof tail[0]);
    content = g[SIZE] > 0;
  }
  /* The sums that are left: after them, all ranks have the same weights. */
  if (later) {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    apply(w, next[(iteration + 1) % 2], every);
  } else if (!all) {
    if (ek_relaxed_finish(1, g, &r) != 0)
      MPI_Abort(MPI_COMM_WORLD, 1);
    apply(w, g, r);
  }
  memcpy(tail[(iteration + TAIL - 1) % TAIL], w, sizeof tail[0]);
  tail_mean(iteration, ranks, mean);
  if (rank == 0)
    printf("loss %.4f after %.2f s and %d iterations; accuracy %.1f %%, of the "
           "mean %.1f %%\n",
           mean_loss(w), reached, iteration, 100 * accuracy(w),
           100 * accuracy(mean));
  MPI_Finalize();
  return reached > 0 || rank ? 0 : 1;
}
