// smooth.c - relaxes the values of a graph's nodes towards their neighbours'
//
// smooth FILE ROUNDS: the file has one edge a line, "from to". How many nodes
// and edges there are is found by reading it, so no argument says it.
#include <stdio.h>
#include <stdlib.h>

struct graph {
  int nodes, edges;
  int *first; // by node
  int *to;    // by edge
};

// The next number in the file; -1 at its end.
static int next_number(FILE *f) {
  int c = getc(f), value = 0;
  while (c != EOF && (c < '0' || c > '9'))
    c = getc(f);
  if (c == EOF)
    return -1;
  for (; c >= '0' && c <= '9'; c = getc(f))
    value = 10 * value + (c - '0');
  return value;
}

static struct graph read_graph(const char *path) {
  struct graph g = {0, 0, NULL, NULL};
  FILE *f = fopen(path, "r");
  if (!f) {
    perror(path);
    exit(1);
  }
  int room = 1024, from, to;
  int *pairs = malloc(2 * (size_t)room * sizeof *pairs);
  while ((from = next_number(f)) >= 0 && (to = next_number(f)) >= 0) {
    if (g.edges == room)
      pairs = realloc(pairs, 2 * (size_t)(room *= 2) * sizeof *pairs);
    pairs[2 * g.edges] = from;
    pairs[2 * g.edges++ + 1] = to;
    if (from >= g.nodes)
      g.nodes = from + 1;
    if (to >= g.nodes)
      g.nodes = to + 1;
  }
  fclose(f);
  g.first = calloc((size_t)g.nodes + 1, sizeof *g.first);
  g.to = malloc((size_t)g.edges * sizeof *g.to);
  for (int e = 0; e < g.edges; ++e)
    ++g.first[pairs[2 * e] + 1];
  for (int n = 0; n < g.nodes; ++n)
    g.first[n + 1] += g.first[n];
  int *used = calloc((size_t)g.nodes, sizeof *used);
  for (int e = 0; e < g.edges; ++e) {
    const int n = pairs[2 * e];
    g.to[g.first[n] + used[n]++] = pairs[2 * e + 1];
  }
  free(used);
  free(pairs);
  return g;
}

static void relax(const struct graph *g, const double *old, double *new) {
  const int nodes = g->nodes;
#pragma omp parallel for schedule(static)
  for (int n = 0; n < nodes; ++n) {
    double sum = old[n];
    for (int e = g->first[n]; e < g->first[n + 1]; ++e)
      sum += old[g->to[e]];
    new[n] = sum / (1 + g->first[n + 1] - g->first[n]);
  }
}

static double spread(const double *value, int nodes) {
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int n = 0; n < nodes; ++n)
    sum += value[n] * value[n];
  return sum / nodes;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  struct graph g = read_graph(argv[1]);
  const int rounds = atoi(argv[2]);
  double *value = malloc((size_t)g.nodes * sizeof *value);
  double *next = malloc((size_t)g.nodes * sizeof *next);
  for (int n = 0; n < g.nodes; ++n)
    value[n] = n % 7;
  for (int r = 0; r < rounds; ++r) {
    relax(&g, value, next);
    double *swap = value;
    value = next;
    next = swap;
  }
  printf("%d nodes, spread %.4f\n", g.nodes, spread(value, g.nodes));
  free(value);
  free(next);
  free(g.first);
  free(g.to);
}
