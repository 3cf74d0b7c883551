/*===- masim.c - phases that each dwell on one region of memory -----------===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Like the access simulator masim that page migration is judged with (Park et
 * al. 2019 for DAMON; the two-phase, 99 % configurations of SHAMBLES): several
 * regions of one size, and phases; in each phase 99 accesses of 100 fall into
 * one region, which is another one in the next phase, and the rest anywhere.
 * Accesses are reads, or with `update` atomic increments, of random words, or
 * with `stride` of every eighth word in order. What the reads must sum to is
 * known from the addresses alone: `--verify` compares.
 *
 *   masim REGIONS KIB PHASES ACCESSES [random|stride] [read|update]
 *         [--out FILE] [--verify]
 *
 * ACCESSES is per phase and thousand; regions are KIB * 1024 bytes each.
 *===----------------------------------------------------------------------===*/
#define PROGRAM "masim"
#include "../common/support.h"
#include <omp.h>

enum { HOT_PERCENT = 99, STRIDE = 8 };

/* A number below `bound`, without division (Lemire 2019). */
static uint64_t below(uint64_t *s, uint64_t bound) {
  return (random_next(s) >> 32) * bound >> 32;
}

/* What word `i` of region `r` holds at the start. */
static uint64_t content(uint64_t r, uint64_t i) {
  return (i + 1) * 0x9e3779b97f4a7c15ULL ^ r;
}

struct job {
  uint64_t regions, words, phases, accesses; /* accesses: of all threads */
  int stride, update;
};

/* One phase. Returns the sum of the words read (update: the number of words
 * changed), and in `expected` what it must be. */
static uint64_t run_phase(const struct job *job, uint64_t **region,
                          uint64_t phase, uint64_t *expected) {
  uint64_t hot = phase % job->regions, words = job->words;
  uint64_t sum = 0, known = 0;
#pragma omp parallel reduction(+ : sum, known)
  {
    uint64_t team = (uint64_t)omp_get_num_threads();
    uint64_t me = (uint64_t)omp_get_thread_num();
    uint64_t mine = job->accesses / team + (me < job->accesses % team);
    uint64_t state = phase * 1000003 + me;
    uint64_t *there = region[hot];
    /* Threads walk different parts of the region in order. */
    uint64_t next = words / team * me;
    for (uint64_t k = 0; k < mine; k++) {
      uint64_t r = hot, i;
      uint64_t *at = there;
      if (k % 100 >= HOT_PERCENT) {
        r = below(&state, job->regions);
        i = below(&state, words);
        at = region[r];
      } else if (job->stride) {
        i = next;
        next = next + STRIDE < words ? next + STRIDE : 0;
      } else {
        i = below(&state, words);
      }
      if (job->update) {
#pragma omp atomic
        at[i]++;
        sum++;
        known++;
      } else {
        sum += at[i];
        known += content(r, i);
      }
    }
  }
  *expected += known;
  return sum;
}

static void start(const struct job *job, uint64_t **region) {
  for (uint64_t r = 0; r < job->regions; r++) {
    uint64_t *to = region[r], words = job->words;
#pragma omp parallel for schedule(static)
    for (uint64_t i = 0; i < words; i++)
      to[i] = content(r, i);
  }
}

/* How often `update` changed the words, as they tell. */
static uint64_t changes(const struct job *job, uint64_t **region) {
  uint64_t sum = 0;
  for (uint64_t r = 0; r < job->regions; r++)
    for (uint64_t i = 0; i < job->words; i++)
      sum += region[r][i] - content(r, i);
  return sum;
}

int main(int argc, char **argv) {
  struct options o = take_options(&argc, argv);
  const char *usage = "REGIONS KIB PHASES ACCESSES [random|stride] "
                      "[read|update] [--out FILE] [--verify]";
  struct job job = {0, 0, 0, 0, 0, 0};
  for (; argc > 5; argc--) {
    const char *word = argv[argc - 1];
    if (!strcmp(word, "stride"))
      job.stride = 1;
    else if (!strcmp(word, "update"))
      job.update = 1;
    else if (strcmp(word, "random") && strcmp(word, "read"))
      break;
  }
  job.regions = (uint64_t)number(argc == 5 ? argv[1] : "", 1, 1000, usage);
  job.words =
      (uint64_t)number(argv[2], 1, 1 << 24, usage) * 1024 / sizeof(uint64_t);
  job.phases = (uint64_t)number(argv[3], 1, 1000000, usage);
  job.accesses = (uint64_t)number(argv[4], 1, 1 << 30, usage) * 1000;

  uint64_t **region = need(malloc(job.regions * sizeof(uint64_t *)));
  for (uint64_t r = 0; r < job.regions; r++)
    region[r] = need(malloc(job.words * sizeof(uint64_t)));
  start(&job, region);
  uint64_t sum = 0, expected = 0;
  for (uint64_t p = 0; p < job.phases; p++)
    sum += run_phase(&job, region, p, &expected);
  printf("%llu regions of %llu words, %llu phases: sum %016llx\n",
         (unsigned long long)job.regions, (unsigned long long)job.words,
         (unsigned long long)job.phases, (unsigned long long)sum);
  int status = 0;
  if (o.verify) { /* changed words themselves tell how often they were */
    uint64_t found = job.update ? changes(&job, region) : sum;
    status = judge("sum is not what the addresses tell", found != expected, 0);
  }
  if (o.out)
    write_out(o.out, region[0], job.words * sizeof(uint64_t));
  for (uint64_t r = 0; r < job.regions; r++)
    free(region[r]);
  free(region);
  return status;
}
