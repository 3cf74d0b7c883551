/*===- graph.h - mesh and R-MAT graphs as input of workloads ------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: undirected graphs without weights, as rows of sorted neighbours (of
 * a generated graph) or in the file's order (of one that is read).
 *   FILE              METIS format
 *   rmat:SCALE:EDGES  generated: R-MAT (Chakrabarti et al. 2004) with the
 *                     a, b, c = 0.57, 0.19, 0.19 of Graph500, labels shuffled,
 *                     self loops and repeated edges dropped
 * Errors end the program with one line and status 2.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_WORKLOADS_GRAPH_H
#define EVENKEEL_WORKLOADS_GRAPH_H

#include "support.h"
#include <omp.h>

struct graph {
  int64_t vertices;
  int64_t *first; /* vertices + 1 */
  int32_t *next;  /* neighbours of v: next[first[v]] to next[first[v + 1]] */
};

static inline char *read_text(const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f)
    die(strerror(errno), path);
  fseek(f, 0, SEEK_END);
  long size = ftell(f);
  rewind(f);
  char *text = need(malloc((size_t)size + 1));
  if (fread(text, 1, (size_t)size, f) != (size_t)size)
    die("cannot read", path);
  fclose(f);
  text[size] = 0;
  return text;
}

/* "n m [fmt]", then one line of 1-based neighbours per vertex. */
static inline void read_graph(const char *path, struct graph *g) {
  char *text = read_text(path), *p = text;
  while (*p == '%' && strchr(p, '\n'))
    p = strchr(p, '\n') + 1;
  int64_t n = strtoll(p, &p, 10);
  int64_t m = strtoll(p, &p, 10);
  p = strchr(p, '\n');
  if (n <= 0 || n > INT32_MAX || m < 0 || !p)
    die("not a graph in METIS format", path);
  g->vertices = n;
  g->first = need(malloc(((size_t)n + 1) * sizeof(int64_t)));
  g->next = need(malloc(2 * (size_t)m * sizeof(int32_t)));
  int64_t edges = 0;
  for (int64_t v = 0; v < n; v++) {
    g->first[v] = edges;
    p += *p == '\n';
    for (;;) {
      while (*p == ' ' || *p == '\t' || *p == '\r')
        p++;
      if (*p == '\n' || *p == 0)
        break;
      char *end;
      long long u = strtoll(p, &end, 10);
      if (end == p || u < 1 || u > n || edges == 2 * m)
        die("bad neighbour list", path);
      g->next[edges++] = (int32_t)(u - 1);
      p = end;
    }
  }
  g->first[n] = edges;
  free(text);
}

static inline int compare_int32(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

/* Both ends of edge e, before labels are shuffled. */
static inline void rmat_edge(int scale, int64_t e, int32_t *from, int32_t *to) {
  uint64_t seed = (uint64_t)e << 20;
  int32_t u = 0, v = 0;
  for (int b = 0; b < scale; b++) {
    double r = random_unit(&seed);
    int right = (r >= 0.57 && r < 0.76) || r >= 0.95;
    int down = r >= 0.76;
    u = 2 * u + down;
    v = 2 * v + right;
  }
  *from = u;
  *to = v;
}

/* Every thread goes through all edges for the rows that it owns, so that rows
 * need no lock and come out the same whatever the number of threads. */
static inline void make_rmat(int scale, int64_t edges, struct graph *g) {
  int64_t n = (int64_t)1 << scale;
  int32_t *from = need(malloc((size_t)edges * sizeof(int32_t)));
  int32_t *to = need(malloc((size_t)edges * sizeof(int32_t)));
  int32_t *label = need(malloc((size_t)n * sizeof(int32_t)));
  uint64_t seed = 20231;
  for (int64_t v = 0; v < n; v++) { /* Fisher and Yates 1938, inside out */
    int64_t w = (int64_t)(random_next(&seed) % (uint64_t)(v + 1));
    label[v] = label[w];
    label[w] = (int32_t)v;
  }
#pragma omp parallel for schedule(static)
  for (int64_t e = 0; e < edges; e++) {
    int32_t u, v;
    rmat_edge(scale, e, &u, &v);
    from[e] = label[u];
    to[e] = label[v];
  }
  free(label);

  int64_t *end = need(calloc((size_t)n + 1, sizeof(int64_t)));
#pragma omp parallel
  {
    int64_t t = omp_get_thread_num(), threads = omp_get_num_threads();
    int64_t lo = n * t / threads, hi = n * (t + 1) / threads;
    for (int64_t e = 0; e < edges; e++) {
      if (from[e] >= lo && from[e] < hi)
        end[from[e] + 1]++;
      if (to[e] >= lo && to[e] < hi)
        end[to[e] + 1]++;
    }
  }
  for (int64_t v = 0; v < n; v++)
    end[v + 1] += end[v];
  int32_t *all = need(malloc(2 * (size_t)edges * sizeof(int32_t)));
#pragma omp parallel
  {
    int64_t t = omp_get_thread_num(), threads = omp_get_num_threads();
    int64_t lo = n * t / threads, hi = n * (t + 1) / threads;
    for (int64_t e = 0; e < edges; e++) {
      if (from[e] >= lo && from[e] < hi)
        all[end[from[e]]++] = to[e];
      if (to[e] >= lo && to[e] < hi)
        all[end[to[e]]++] = from[e];
    }
  }
  free(to);
  free(from);

  /* Rows begin where the row before ends, now that they are filled. */
  int64_t *first = need(malloc(((size_t)n + 1) * sizeof(int64_t)));
  first[0] = 0;
#pragma omp parallel for schedule(static)
  for (int64_t v = 0; v < n; v++) {
    int64_t lo = v ? end[v - 1] : 0, hi = end[v], kept = 0;
    qsort(all + lo, (size_t)(hi - lo), sizeof(int32_t), compare_int32);
    for (int64_t k = lo; k < hi; k++)
      kept += all[k] != v && (k == lo || all[k] != all[k - 1]);
    first[v + 1] = kept;
  }
  for (int64_t v = 0; v < n; v++)
    first[v + 1] += first[v];
  int32_t *next = need(malloc((size_t)first[n] * sizeof(int32_t) + 1));
#pragma omp parallel for schedule(static)
  for (int64_t v = 0; v < n; v++) {
    int64_t lo = v ? end[v - 1] : 0, hi = end[v], at = first[v];
    for (int64_t k = lo; k < hi; k++)
      if (all[k] != v && (k == lo || all[k] != all[k - 1]))
        next[at++] = all[k];
  }
  free(all);
  free(end);
  g->vertices = n;
  g->first = first;
  g->next = next;
}

static inline void get_graph(const char *name, struct graph *g) {
  int scale;
  long long edges;
  if (sscanf(name, "rmat:%d:%lld", &scale, &edges) == 2) {
    if (scale < 1 || scale > 28 || edges < 1)
      die("bad R-MAT size", name);
    make_rmat(scale, edges, g);
  } else {
    read_graph(name, g);
  }
}

static inline void drop_graph(struct graph *g) {
  free(g->next);
  free(g->first);
}

#endif
