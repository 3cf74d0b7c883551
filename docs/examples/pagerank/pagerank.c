/* pagerank.c - rank the pages of a made-up web by the links between them
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   pagerank PAGES ROUNDS
 *
 * Each round, every page hands its rank on to the pages it links to (Page and
 * Brin 1998). Threads get equal numbers of pages. The first pages have most
 * links, so the first thread has most work, and the others wait for it.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct web {
  int64_t pages;
  int64_t *first; /* the links to page p are first[p] up to first[p + 1] */
  int32_t *from;  /* for each link, the page that it comes from */
  float *weight;  /* for each link, 1 / number of links on that page */
};

static void *need(void *block) {
  if (!block) {
    fprintf(stderr, "pagerank: out of memory\n");
    exit(1);
  }
  return block;
}

/* Most links come from pages nearby, as on sites; one in 32 from anywhere. */
static int32_t draw_page(int64_t pages, int64_t page, int64_t link) {
  uint64_t hash = (uint64_t)link * 0x9e3779b97f4a7c15u;
  hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9u;
  int64_t near = page + (int64_t)(hash % 2048) - 1024;
  int far = (hash >> 32) % 32 == 0 || near < 0 || near >= pages;
  return (int32_t)(far ? (int64_t)((hash >> 16) % (uint64_t)pages) : near);
}

static void make_web(struct web *w, int64_t pages) {
  w->pages = pages;
  w->first = need(malloc((size_t)(pages + 1) * sizeof *w->first));
  w->first[0] = 0;
  for (int64_t p = 0; p < pages; p++)
    w->first[p + 1] =
        w->first[p] + 20 + (int64_t)(40 * exp(-6 * (double)p / (double)pages));
  int64_t links = w->first[pages];
  w->from = need(malloc((size_t)links * sizeof *w->from));
  w->weight = need(malloc((size_t)links * sizeof *w->weight));
  int32_t *leaving = need(calloc((size_t)pages, sizeof *leaving));
#pragma omp parallel for
  for (int64_t p = 0; p < pages; p++)
    for (int64_t k = w->first[p]; k < w->first[p + 1]; k++) {
      w->from[k] = draw_page(pages, p, k);
#pragma omp atomic
      leaving[w->from[k]]++;
    }
#pragma omp parallel for
  for (int64_t k = 0; k < links; k++)
    w->weight[k] = 1.0f / (float)leaving[w->from[k]];
  free(leaving);
}

static void pass_rank(const struct web *w, const double *rank, double *next) {
#pragma omp parallel for
  for (int64_t p = 0; p < w->pages; p++) {
    double sum = 0;
    for (int64_t k = w->first[p]; k < w->first[p + 1]; k++)
      sum += w->weight[k] * rank[w->from[k]];
    next[p] = 0.15 / (double)w->pages + 0.85 * sum;
  }
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: pagerank PAGES ROUNDS\n");
    return 2;
  }
  int64_t pages = atoll(argv[1]);
  int rounds = atoi(argv[2]);
  struct web w;
  make_web(&w, pages);
  double *rank = need(malloc((size_t)pages * sizeof *rank));
  double *next = need(malloc((size_t)pages * sizeof *next));
  for (int64_t p = 0; p < pages; p++)
    rank[p] = 1 / (double)pages;
  for (int r = 0; r < rounds; r++) {
    pass_rank(&w, rank, next);
    double *swap = rank;
    rank = next;
    next = swap;
  }
  printf("the first page has %.2f times the average rank\n",
         rank[0] * (double)pages);
  return 0;
}
