/*===- bfs.c - direction-optimising breadth-first search ------------------===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Breadth-first search from several roots, as Graph500 runs it, that switches
 * between top-down and bottom-up steps (Beamer, Asanovic and Patterson 2012)
 * by their alpha and beta. Vertices belong to threads in equal ranges, so that
 * imbalance is the degrees' own. A top-down step has two halves without races:
 * each thread walks its part of the frontier and files what it finds under the
 * owner of the vertex (like messages of a distributed search); then each owner
 * takes its files in order of the senders, and the first parent filed wins. So
 * parents do not depend on timing. The result is checked as Graph500 checks it.
 *
 *   bfs GRAPH ROOTS [--verify] [--out FILE]     GRAPH: see ../common/graph.h
 *===----------------------------------------------------------------------===*/
#define PROGRAM "bfs"
#include "../common/graph.h"
#include <omp.h>

enum { word_bits = 64, alpha = 14, beta = 24, apart = 8 };

/* A vertex that was found, and from where. */
struct find {
  int32_t vertex, parent;
};

/* What a thread found, for one owner; grows by doubling. */
struct file {
  struct find *of;
  int64_t used, room;
};

struct search {
  int threads;
  int64_t vertices, words; /* words of a bitmap */
  int32_t *parent;         /* -1: not reached */
  int32_t *queue, *next;   /* frontier as a list: now, and of the next step */
  uint64_t *front, *new;   /* the same as bitmaps, for bottom-up */
  int64_t *found, *edges; /* per thread, apart: found vertices, their degrees */
  struct file *files;     /* [sender * threads + owner] */
};

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* Words of the bitmap that thread t owns: [first_word(t), first_word(t + 1)).
 */
static int64_t first_word(const struct search *s, int t) {
  return s->words * t / s->threads;
}

static int owner_of(const struct search *s, int32_t vertex) {
  int64_t word = vertex / word_bits;
  int t = (int)(word * s->threads / s->words);
  while (word >= first_word(s, t + 1))
    t++;
  return t;
}

static void file_away(struct file *f, int32_t vertex, int32_t parent) {
  if (f->used == f->room) {
    f->room = f->room ? 2 * f->room : 1024;
    f->of = need(realloc(f->of, (size_t)f->room * sizeof(struct find)));
  }
  f->of[f->used].vertex = vertex;
  f->of[f->used++].parent = parent;
}

/* Sums up what the threads found; *edges is the sum of its degrees. */
static int64_t total(const struct search *s, int64_t *edges) {
  int64_t found = 0;
  *edges = 0;
  for (int t = 0; t < s->threads; t++) {
    found += s->found[t * apart];
    *edges += s->edges[t * apart];
  }
  return found;
}

/* The frontier's neighbours without parent, filed under their owners. */
static void look_down(const struct graph *g, struct search *s, int64_t size) {
  const int64_t *first = g->first;
  const int32_t *neighbours = g->next, *queue = s->queue, *parent = s->parent;
#pragma omp parallel
  {
    struct file *mine = s->files + omp_get_thread_num() * s->threads;
#pragma omp for schedule(static)
    for (int64_t i = 0; i < size; i++) {
      int32_t u = queue[i];
      for (int64_t k = first[u]; k < first[u + 1]; k++) {
        int32_t v = neighbours[k];
        if (parent[v] < 0)
          file_away(mine + owner_of(s, v), v, u);
      }
    }
  }
}

/* Each owner takes what was filed for it; then the lists are joined. */
static void take_finds(const struct graph *g, struct search *s) {
#pragma omp parallel
  {
    int t = omp_get_thread_num();
    int32_t *mine = s->next + first_word(s, t) * word_bits;
    int64_t found = 0, edges = 0;
    for (int sender = 0; sender < s->threads; sender++) {
      struct file *f = s->files + sender * s->threads + t;
      for (int64_t i = 0; i < f->used; i++) {
        int32_t v = f->of[i].vertex;
        if (s->parent[v] >= 0)
          continue;
        s->parent[v] = f->of[i].parent;
        mine[found++] = v;
        edges += g->first[v + 1] - g->first[v];
      }
      f->used = 0;
    }
    s->found[t * apart] = found;
    s->edges[t * apart] = edges;
#pragma omp barrier
    int64_t at = 0;
    for (int before = 0; before < t; before++)
      at += s->found[before * apart];
    for (int64_t i = 0; i < found; i++)
      s->queue[at + i] = mine[i];
  }
}

/* Vertices without parent look for one in the frontier. */
static void look_up(const struct graph *g, struct search *s) {
  const int64_t *first = g->first;
  const int32_t *neighbours = g->next;
  const uint64_t *front = s->front;
#pragma omp parallel
  {
    int t = omp_get_thread_num();
    int64_t found = 0, edges = 0, end = first_word(s, t + 1);
    for (int64_t w = first_word(s, t); w < end; w++) {
      uint64_t bits = 0;
      int64_t last = smaller((w + 1) * word_bits, s->vertices);
      for (int64_t v = w * word_bits; v < last; v++) {
        if (s->parent[v] >= 0)
          continue;
        for (int64_t k = first[v]; k < first[v + 1]; k++) {
          int32_t u = neighbours[k];
          if (front[u / word_bits] >> (u % word_bits) & 1) {
            s->parent[v] = u;
            bits |= (uint64_t)1 << (v % word_bits);
            found++;
            edges += first[v + 1] - first[v];
            break;
          }
        }
      }
      s->new[w] = bits;
    }
    s->found[t * apart] = found;
    s->edges[t * apart] = edges;
  }
  uint64_t *swap = s->front;
  s->front = s->new;
  s->new = swap;
}

static void queue_to_bits(struct search *s, int64_t size) {
#pragma omp parallel for schedule(static)
  for (int64_t w = 0; w < s->words; w++)
    s->front[w] = 0;
  /* The list is sorted by owner, not within it: words may be shared. */
  for (int64_t i = 0; i < size; i++)
    s->front[s->queue[i] / word_bits] |= (uint64_t)1
                                         << (s->queue[i] % word_bits);
}

static void bits_to_queue(struct search *s) {
#pragma omp parallel
  {
    int t = omp_get_thread_num();
    int64_t at = 0;
    for (int before = 0; before < t; before++)
      at += s->found[before * apart];
    for (int64_t w = first_word(s, t); w < first_word(s, t + 1); w++)
      for (uint64_t bits = s->front[w]; bits; bits &= bits - 1)
        s->queue[at++] = (int32_t)(w * word_bits + __builtin_ctzll(bits));
  }
}

/* Fills s->parent; returns how many vertices were reached. */
static int64_t run(const struct graph *g, struct search *s, int32_t root) {
#pragma omp parallel for schedule(static)
  for (int64_t v = 0; v < s->vertices; v++)
    s->parent[v] = -1;
  s->parent[root] = root;
  s->queue[0] = root;
  int64_t size = 1, reached = 1;
  int64_t scout = g->first[root + 1] - g->first[root];
  int64_t left = g->first[g->vertices] - scout;
  while (size > 0) {
    if (scout > left / alpha) {
      queue_to_bits(s, size);
      int64_t before;
      do {
        before = size;
        look_up(g, s);
        size = total(s, &scout);
        reached += size;
        left -= scout;
      } while (size > 0 && (size >= before || size > s->vertices / beta));
      bits_to_queue(s);
      scout = 0; /* stays top-down for a step */
    } else {
      look_down(g, s, size);
      take_finds(g, s);
      size = total(s, &scout);
      reached += size;
      left -= scout;
    }
  }
  return reached;
}

/* Graph500's rules: the tree has no cycles, its edges are edges of the graph,
 * these join vertices whose levels differ by at most one, and the tree spans
 * the root's component. Returns the number of violations. */
static int64_t violations(const struct graph *g, const int32_t *parent,
                          int32_t root) {
  int64_t n = g->vertices, bad = parent[root] != root;
  int32_t *level = need(malloc((size_t)n * sizeof(int32_t)));
  for (int64_t v = 0; v < n; v++)
    level[v] = -1;
  level[root] = 0;
  for (int64_t v = 0; v < n; v++) {
    int64_t steps = 0;
    int32_t u = (int32_t)v;
    while (parent[u] >= 0 && level[u] < 0 && steps <= n) {
      u = parent[u];
      steps++;
    }
    if (parent[v] < 0)
      continue;
    if (level[u] < 0) { /* a cycle, or a parent that was not reached */
      bad++;
      continue;
    }
    int32_t depth = level[u] + (int32_t)steps;
    for (u = (int32_t)v; level[u] < 0; u = parent[u])
      level[u] = depth--;
  }
  for (int64_t v = 0; v < n; v++) {
    int joined = v == root || parent[v] < 0;
    for (int64_t k = g->first[v]; k < g->first[v + 1]; k++) {
      int32_t u = g->next[k];
      joined |= u == parent[v];
      bad += (level[u] < 0) != (level[v] < 0) || abs(level[u] - level[v]) > 1;
    }
    bad += !joined;
    bad += v != root && parent[v] >= 0 && level[v] != level[parent[v]] + 1;
  }
  free(level);
  return bad;
}

static struct search make_search(const struct graph *g) {
  struct search s;
  size_t n = (size_t)g->vertices;
  s.threads = omp_get_max_threads();
  s.vertices = g->vertices;
  s.words = (g->vertices + word_bits - 1) / word_bits;
  s.parent = need(malloc(n * sizeof(int32_t)));
  s.queue = need(malloc(n * sizeof(int32_t)));
  s.next = need(malloc((n + word_bits) * sizeof(int32_t)));
  s.front = need(malloc((size_t)s.words * sizeof(uint64_t)));
  s.new = need(malloc((size_t)s.words * sizeof(uint64_t)));
  size_t threads = (size_t)s.threads;
  s.found = need(calloc(threads * apart, sizeof(int64_t)));
  s.edges = need(calloc(threads * apart, sizeof(int64_t)));
  s.files = need(calloc(threads * threads, sizeof(struct file)));
  return s;
}

static void drop_search(struct search *s) {
  for (int i = 0; i < s->threads * s->threads; i++)
    free(s->files[i].of);
  free(s->files);
  free(s->edges);
  free(s->found);
  free(s->new);
  free(s->front);
  free(s->next);
  free(s->queue);
  free(s->parent);
}

int main(int argc, char **argv) {
  const char *usage = "GRAPH ROOTS [--verify] [--out FILE]";
  struct options o = take_options(&argc, argv);
  int64_t roots = number(argc == 3 ? argv[2] : "", 1, 1000, usage);
  struct graph g;
  get_graph(argv[1], &g);
  if (g.first[g.vertices] == 0)
    die("no edges", argv[1]);
  struct search s = make_search(&g);
  uint64_t seed = 2012;
  int64_t sum = 0, bad = 0;
  for (int64_t r = 0; r < roots; r++) {
    int32_t root;
    do /* Graph500 takes roots of degree one or more */
      root = (int32_t)(random_next(&seed) % (uint64_t)g.vertices);
    while (g.first[root] == g.first[root + 1]);
    sum += run(&g, &s, root);
    if (o.verify)
      bad += violations(&g, s.parent, root);
  }
  printf("%lld vertices, %lld edges, %lld roots: %lld vertices reached\n",
         (long long)g.vertices, (long long)(g.first[g.vertices] / 2),
         (long long)roots, (long long)sum);
  int status = o.verify ? judge("violations", (double)bad, 0) : 0;
  if (o.out)
    write_out(o.out, s.parent, (size_t)g.vertices * sizeof(int32_t));
  drop_search(&s);
  drop_graph(&g);
  return status;
}
