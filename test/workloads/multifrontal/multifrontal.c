/*===- multifrontal.c - sparse Cholesky by an elimination tree ------------===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Duff and Reid 1983: the matrix is factorised from the leaves of a tree to its
 * root. A node assembles a dense front from its columns and its children's
 * contribution blocks, eliminates its columns, and leaves the rest to its
 * parent as its own contribution block. Each node is one OpenMP task, which
 * depends on those of its children; it makes its front and its block, and frees
 * its children's blocks.
 *
 * The matrix is the Laplacian of LAYERS copies of a graph, each vertex joined
 * to those above and below it, plus the identity. Two orders:
 *   dissect   nested dissection (George 1973) by levels of a breadth-first
 *             search: a tree with forks; parts of at most LEAF vertices stay
 *             whole
 *   levels    runs of levels of at least LEAF vertices, one after the other: a
 *             tree without forks
 * A system of equations is solved with the factor; `--verify` asks that its
 * residual is small.
 *
 *   multifrontal GRAPH LAYERS dissect|levels LEAF [--out FILE] [--verify]
 *===----------------------------------------------------------------------===*/
#define PROGRAM "multifrontal"
#include "../common/graph.h"
#include <math.h>

enum { PANEL = 32 };

/* Number 0 stands for no node. Children have smaller numbers than parents. */
struct node {
  int64_t child[2];
  int64_t first, own; /* its columns, in the order of elimination */
  int64_t rows;       /* of its front: its columns, then ancestors' columns */
  int32_t *row;       /* their numbers in that order, ascending */
  double *factor;     /* rows x own, column by column */
};

struct tree {
  int64_t nodes;
  struct node *node;
  int32_t *order; /* order[i]: the vertex that is eliminated as i-th */
  int32_t *place; /* its inverse */
};

/* Copies of the graph, one above the other. */
static void stack(struct graph *g, int64_t layers) {
  int64_t n = g->vertices, each = g->first[n], at = 0;
  if (n * layers > INT32_MAX)
    die("too many vertices for 32-bit numbers", "LAYERS");
  int64_t *first = need(malloc((size_t)(n * layers + 1) * sizeof *first));
  int32_t *next =
      need(malloc((size_t)((each + 2 * n) * layers) * sizeof *next + 1));
  for (int64_t l = 0; l < layers; l++)
    for (int64_t v = 0; v < n; v++) {
      first[l * n + v] = at;
      for (int64_t k = g->first[v]; k < g->first[v + 1]; k++)
        next[at++] = (int32_t)(l * n + g->next[k]);
      if (l)
        next[at++] = (int32_t)((l - 1) * n + v);
      if (l + 1 < layers)
        next[at++] = (int32_t)((l + 1) * n + v);
    }
  first[n * layers] = at;
  drop_graph(g);
  g->vertices = n * layers;
  g->first = first;
  g->next = next;
}

/* Searches in parts of the graph; each finds its vertices to be a new part. */
struct search {
  const struct graph *g;
  int32_t parts;
  int32_t *part;  /* of each vertex */
  int32_t *level; /* of each vertex in the last search that found it */
  int32_t *queue; /* what the last search found, by level */
};

/* Finds what is connected with `from` inside its part; returns the number. */
static int64_t reach(struct search *s, int32_t from) {
  int32_t part = s->part[from], found = s->parts++;
  int64_t tail = 0;
  s->queue[tail++] = from;
  s->part[from] = found;
  s->level[from] = 0;
  for (int64_t head = 0; head < tail; head++) {
    int32_t v = s->queue[head];
    for (int64_t k = s->g->first[v]; k < s->g->first[v + 1]; k++) {
      int32_t u = s->g->next[k];
      if (s->part[u] != part)
        continue;
      s->part[u] = found;
      s->level[u] = s->level[v] + 1;
      s->queue[tail++] = u;
    }
  }
  return tail;
}

/* The same from a vertex that is far from others, for many levels. */
static int64_t reach_far(struct search *s, int32_t from) {
  int64_t found = reach(s, from);
  for (int i = 0; i < 2; i++)
    reach(s, s->queue[found - 1]);
  return found;
}

static int64_t new_node(struct tree *t, int64_t left, int64_t right,
                        int64_t first, int64_t own) {
  struct node *n = &t->node[++t->nodes];
  n->child[0] = left;
  n->child[1] = right;
  n->first = first;
  n->own = own;
  return t->nodes;
}

/* Where vertex v goes when level `cut` separates the part that was found last:
 * 0 before it, 1 behind it, or 2. */
static int side(const struct search *s, int32_t v, int32_t cut) {
  if (s->part[v] != s->parts - 1) /* was not found: not connected */
    return 1;
  if (s->level[v] != cut)
    return s->level[v] > cut;
  for (int64_t k = s->g->first[v]; k < s->g->first[v + 1]; k++) {
    int32_t u = s->g->next[k];
    if (s->part[u] == s->parts - 1 && s->level[u] > cut)
      return 2;
  }
  return 0;
}

/* Orders the n vertices v of one part from `first` on; returns their node. */
static int64_t dissect(struct tree *t, struct search *s, int32_t *v, int64_t n,
                       int64_t first, int64_t leaf) {
  if (n <= leaf) {
    memcpy(t->order + first, v, (size_t)n * sizeof *v);
    return new_node(t, 0, 0, first, n);
  }
  int64_t found = reach_far(s, v[0]);
  int32_t last = s->level[s->queue[found - 1]];
  int32_t cut = s->level[s->queue[found / 2]];
  if (found < n)
    cut = last + 1; /* no separator: the other side is not connected */
  else if (cut == last)
    cut--; /* something is behind it */
  int64_t sizes[3] = {0, 0, 0}, at[3];
  int8_t *to = need(malloc((size_t)n));
  int32_t *sorted = need(malloc((size_t)n * sizeof *sorted));
  for (int64_t i = 0; i < n; i++)
    sizes[to[i] = (int8_t)side(s, v[i], cut)]++;
  at[0] = 0;
  at[1] = sizes[0];
  at[2] = sizes[0] + sizes[1];
  for (int64_t i = 0; i < n; i++) {
    s->part[v[i]] = s->parts + to[i];
    sorted[at[to[i]]++] = v[i];
  }
  s->parts += 3;
  memcpy(v, sorted, (size_t)n * sizeof *v);
  free(sorted);
  free(to);
  int64_t left = 0, right = 0, both = sizes[0] + sizes[1];
  if (sizes[0])
    left = dissect(t, s, v, sizes[0], first, leaf);
  if (sizes[1])
    right = dissect(t, s, v + sizes[0], sizes[1], first + sizes[0], leaf);
  memcpy(t->order + first + both, v + both, (size_t)sizes[2] * sizeof *v);
  return new_node(t, left, right, first + both, sizes[2]);
}

/* Level by level, part by part; nodes follow one another. */
static void run_levels(struct tree *t, struct search *s, int64_t n,
                       int64_t leaf) {
  int64_t first = 0, done = 0;
  for (int32_t v = 0; v < n; v++) {
    if (s->part[v])
      continue;
    int64_t found = reach_far(s, v);
    for (int64_t i = 0; i < found; i++) {
      int32_t u = s->queue[i];
      if (done - first >= leaf &&
          (!i || s->level[u] != s->level[s->queue[i - 1]])) {
        new_node(t, t->nodes, 0, first, done - first);
        first = done;
      }
      t->order[done++] = u;
    }
  }
  new_node(t, t->nodes, 0, first, done - first);
}

/* Rows of all fronts. */
static void find_rows(struct tree *t, const struct graph *g) {
  int32_t *mark = need(calloc((size_t)g->vertices, sizeof *mark));
  int32_t *found = need(malloc((size_t)g->vertices * sizeof *found));
  for (int64_t k = 1; k <= t->nodes; k++) {
    struct node *n = &t->node[k];
    int64_t rows = 0, end = n->first + n->own;
    for (int64_t i = n->first; i < end; i++)
      found[rows++] = (int32_t)i;
    for (int64_t i = n->first; i < end; i++) {
      int32_t v = t->order[i];
      for (int64_t e = g->first[v]; e < g->first[v + 1]; e++) {
        int32_t r = t->place[g->next[e]];
        if (r >= end && mark[r] != (int32_t)k) {
          mark[r] = (int32_t)k;
          found[rows++] = r;
        }
      }
    }
    for (int c = 0; c < 2; c++) {
      const struct node *child = &t->node[n->child[c]];
      for (int64_t i = child->own; i < child->rows; i++) {
        int32_t r = child->row[i];
        if (r >= end && mark[r] != (int32_t)k) {
          mark[r] = (int32_t)k;
          found[rows++] = r;
        }
      }
    }
    qsort(found + n->own, (size_t)(rows - n->own), sizeof *found,
          compare_int32);
    n->rows = rows;
    n->row = need(malloc((size_t)rows * sizeof *found));
    memcpy(n->row, found, (size_t)rows * sizeof *found);
  }
  free(found);
  free(mark);
}

static void make_tree(struct tree *t, const struct graph *g, int forks,
                      int64_t leaf) {
  size_t n = (size_t)g->vertices;
  struct search s = {g, 1, need(calloc(n, sizeof(int32_t))),
                     need(malloc(n * sizeof(int32_t))),
                     need(malloc(n * sizeof(int32_t)))};
  t->nodes = 0;
  /* At most two for each vertex that is in a leaf or a separator. */
  t->node = need(calloc(2 * n + 2, sizeof *t->node));
  t->order = need(malloc(n * sizeof(int32_t)));
  t->place = need(malloc(n * sizeof(int32_t)));
  if (forks) {
    int32_t *all = need(malloc(n * sizeof *all));
    for (size_t v = 0; v < n; v++)
      all[v] = (int32_t)v;
    dissect(t, &s, all, g->vertices, 0, leaf);
    free(all);
  } else {
    run_levels(t, &s, g->vertices, leaf);
  }
  for (size_t i = 0; i < n; i++)
    t->place[t->order[i]] = (int32_t)i;
  free(s.queue);
  free(s.level);
  free(s.part);
  find_rows(t, g);
}

static void drop_tree(struct tree *t) {
  for (int64_t k = 1; k <= t->nodes; k++) {
    free(t->node[k].factor);
    free(t->node[k].row);
  }
  free(t->place);
  free(t->order);
  free(t->node);
}

/* At the beginning of a cache line, as products of matrices like it. */
static double *doubles(int64_t n) {
  double *x = aligned_alloc(64, ((size_t)n / 8 + 1) * 64);
  need(x);
  return x;
}

/* The node's columns of the matrix, in the lower half of its front. */
static void assemble(const struct tree *t, const struct graph *g,
                     const struct node *n, double *front) {
  for (int64_t i = 0; i < n->rows * n->rows; i++)
    front[i] = 0;
  for (int64_t c = 0; c < n->own; c++) {
    int32_t v = t->order[n->first + c];
    double *column = front + c * n->rows;
    column[c] = (double)(g->first[v + 1] - g->first[v] + 1);
    for (int64_t e = g->first[v]; e < g->first[v + 1]; e++) {
      int32_t r = t->place[g->next[e]];
      int64_t low = c, high = n->rows; /* rows are sorted */
      if (r <= n->row[c])
        continue;
      while (high - low > 1) {
        int64_t middle = (low + high) / 2;
        if (n->row[middle] <= r)
          low = middle;
        else
          high = middle;
      }
      column[low] = -1;
    }
  }
}

/* Adds a child's contribution block to the front of its parent. */
static void extend_add(const struct node *child, const double *block,
                       const struct node *n, double *front) {
  int64_t size = child->rows - child->own, at = 0;
  int64_t *to = need(malloc((size_t)size * sizeof *to));
  for (int64_t i = 0; i < size; i++) {
    while (n->row[at] != child->row[child->own + i])
      at++;
    to[i] = at;
  }
  for (int64_t j = 0; j < size; j++)
    for (int64_t i = j; i < size; i++)
      front[to[j] * n->rows + to[i]] += block[j * size + i];
  free(to);
}

/* Eliminates the first `own` columns of a front (Cholesky, panel by panel). */
static void eliminate(int64_t rows, int64_t own, double *front) {
  for (int64_t k0 = 0; k0 < own; k0 += PANEL) {
    int64_t k1 = k0 + PANEL < own ? k0 + PANEL : own;
    for (int64_t j = k0; j < rows; j++) {
      double *column = front + j * rows;
      for (int64_t k = k0; k < k1 && k < j; k++) {
        const double *left = front + k * rows;
        double x = left[j];
        for (int64_t i = j; i < rows; i++)
          column[i] -= x * left[i];
      }
      if (j < k1) {
        double pivot = sqrt(column[j]);
        for (int64_t i = j; i < rows; i++)
          column[i] /= pivot;
      }
    }
  }
}

/* What one task does. Returns the node's contribution block, or null if it has
 * none; frees the blocks of its children. */
static double *factorise(const struct tree *t, const struct graph *g,
                         struct node *n, double *left, double *right) {
  int64_t rest = n->rows - n->own;
  double *front = doubles(n->rows * n->rows), *block = NULL;
  assemble(t, g, n, front);
  if (left)
    extend_add(&t->node[n->child[0]], left, n, front);
  free(left);
  if (right)
    extend_add(&t->node[n->child[1]], right, n, front);
  free(right);
  eliminate(n->rows, n->own, front);
  n->factor = doubles(n->rows * n->own);
  memcpy(n->factor, front, (size_t)(n->rows * n->own) * sizeof(double));
  if (rest) {
    block = doubles(rest * rest);
    for (int64_t j = 0; j < rest; j++)
      for (int64_t i = j; i < rest; i++)
        block[j * rest + i] = front[(n->own + j) * n->rows + n->own + i];
  }
  free(front);
  return block;
}

static void factorise_all(const struct tree *t, const struct graph *g) {
  double **block = need(calloc((size_t)t->nodes + 1, sizeof *block));
#pragma omp parallel
#pragma omp single
  for (int64_t k = 1; k <= t->nodes; k++) {
    int64_t left = t->node[k].child[0], right = t->node[k].child[1];
#pragma omp task depend(in : block[left], block[right]) depend(out : block[k])
    block[k] = factorise(t, g, &t->node[k], block[left], block[right]);
  }
  free(block);
}

/* x = the solution for b; both by vertex. */
static void solve(const struct tree *t, int64_t vertices, const double *b,
                  double *x) {
  double *y = need(malloc((size_t)vertices * sizeof *y));
  for (int64_t i = 0; i < vertices; i++)
    y[i] = b[t->order[i]];
  for (int64_t k = 1; k <= t->nodes; k++) {
    const struct node *n = &t->node[k];
    for (int64_t c = 0; c < n->own; c++) {
      const double *column = n->factor + c * n->rows;
      double v = y[n->first + c] /= column[c];
      for (int64_t i = c + 1; i < n->rows; i++)
        y[n->row[i]] -= v * column[i];
    }
  }
  for (int64_t k = t->nodes; k >= 1; k--) {
    const struct node *n = &t->node[k];
    for (int64_t c = n->own - 1; c >= 0; c--) {
      const double *column = n->factor + c * n->rows;
      double v = y[n->first + c];
      for (int64_t i = c + 1; i < n->rows; i++)
        v -= y[n->row[i]] * column[i];
      y[n->first + c] = v / column[c];
    }
  }
  for (int64_t i = 0; i < vertices; i++)
    x[t->order[i]] = y[i];
  free(y);
}

/* Largest component of b - A x. */
static double residual(const struct graph *g, const double *b,
                       const double *x) {
  double worst = 0;
  for (int64_t v = 0; v < g->vertices; v++) {
    double r = b[v] - (double)(g->first[v + 1] - g->first[v] + 1) * x[v];
    for (int64_t e = g->first[v]; e < g->first[v + 1]; e++)
      r += x[g->next[e]];
    worst = fmax(worst, fabs(r));
    if (isnan(r))
      return r;
  }
  return worst;
}

int main(int argc, char **argv) {
  struct options o = take_options(&argc, argv);
  const char *usage =
      "GRAPH LAYERS dissect|levels LEAF [--out FILE] [--verify]";
  int64_t leaf = number(argc == 5 ? argv[4] : "", 1, 1 << 20, usage);
  int64_t layers = number(argv[2], 1, 1 << 20, usage);
  int forks = !strcmp(argv[3], "dissect");
  if (!forks && strcmp(argv[3], "levels"))
    number("", 0, 0, usage);
  struct graph g;
  struct tree t;
  get_graph(argv[1], &g);
  stack(&g, layers);
  make_tree(&t, &g, forks, leaf);
  factorise_all(&t, &g);
  double *b = need(malloc((size_t)g.vertices * sizeof *b));
  double *x = need(malloc((size_t)g.vertices * sizeof *x));
  for (int64_t v = 0; v < g.vertices; v++)
    b[v] = 1 + (double)(v % 7);
  solve(&t, g.vertices, b, x);

  int64_t largest = 0, entries = 0;
  for (int64_t k = 1; k <= t.nodes; k++) {
    if (largest < t.node[k].rows)
      largest = t.node[k].rows;
    entries += t.node[k].rows * t.node[k].own;
  }
  printf("%lld vertices: %lld nodes, largest front %lld, %lld entries in the "
         "factor, x[0] = %.15g\n",
         (long long)g.vertices, (long long)t.nodes, (long long)largest,
         (long long)entries, x[0]);
  int status = 0;
  if (o.verify)
    status = judge("residual of a solution", residual(&g, b, x), 1e-11);
  if (o.out)
    write_out(o.out, x, (size_t)g.vertices * sizeof *x);
  free(x);
  free(b);
  drop_tree(&t);
  drop_graph(&g);
  return status;
}
