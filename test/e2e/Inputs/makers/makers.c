// Functions that give blocks through memory. With a second argument, one more
// of each kind comes first.
#include <stdio.h>
#include <stdlib.h>
struct grid {
  long n;
  double *data;
};
typedef struct {
  double *v;
  long n;
} vec;
enum status { OK, FAIL };
static struct grid *grid_new(long n) {
  struct grid *g = malloc(sizeof *g);
  if (!g)
    return NULL;
  g->n = n;
  g->data = malloc(n * sizeof(double));
  if (!g->data) {
    free(g);
    return NULL;
  }
  return g;
}
static vec vec_new(long n) {
  vec v;
  v.v = calloc(n, sizeof(double));
  v.n = n;
  return v;
}
static vec vec_lit(long n) { return (vec){malloc(n * 8), n}; }
static void make(double **out, long n) { *out = malloc(n * 8); }
static int make_int(double **out, long n) {
  if (!out)
    return -1;
  *out = malloc(n * 8);
  return *out ? 0 : -1;
}
static enum status make_al(void **out, long n) {
  return posix_memalign(out, 64, n * 8) ? FAIL : OK;
}
static void grid_init(struct grid *g, long n) {
  double *p = malloc(n * 8);
  if (!p)
    exit(1);
  g->data = p;
  g->n = n;
}
static void two(struct grid *a, struct grid *b, long n) {
  grid_init(a, n);
  grid_init(b, n);
}
static void push(struct grid *g, long *cap, double x) {
  if (g->n == *cap) {
    *cap *= 2;
    g->data = realloc(g->data, *cap * sizeof(double));
  }
  g->data[g->n++] = x;
}
static int reserve(struct grid *g, long want, long have) {
  if (want <= have)
    return 0;
  g->data = realloc(g->data, want * 8);
  return 0;
}
static void touch(double *p, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    p[i] = i;
}
int main(int argc, char **argv) {
  long n = atol(argv[1]), cap = n;
  if (argc > 2) {
    struct grid *x = grid_new(n);
    touch(x->data, n);
    vec y = vec_new(n);
    touch(y.v, n);
    vec z = vec_lit(n);
    touch(z.v, n);
    double *q;
    make(&q, n);
    touch(q, n);
    make_int(&q, n);
    touch(q, n);
    make_al((void **)&q, n);
    touch(q, n);
    struct grid g;
    grid_init(&g, n);
    touch(g.data, n);
    struct grid h;
    two(&g, &h, n);
    touch(h.data, n);
  }
  struct grid *g1 = grid_new(n), *g2 = grid_new(n);
  touch(g1->data, n);
  touch(g2->data, n);
  vec v1 = vec_new(n), v2 = vec_new(n);
  touch(v1.v, n);
  touch(v2.v, n);
  touch(vec_lit(n).v, n);
  touch(vec_lit(n).v, n);
  double *a, *b;
  make(&a, n);
  make(&b, n);
  touch(a, n);
  touch(b, n);
  if (make_int(&a, n) || make_int(&b, n))
    return 1;
  touch(a, n);
  touch(b, n);
  if (make_al((void **)&a, n) != OK)
    return 1;
  int rc = make_al((void **)&b, n);
  touch(a, n);
  touch(b, n);
  struct grid s1, s2;
  two(&s1, &s2, n);
  touch(s1.data, n);
  touch(s2.data, n);
  grid_init(&s1, n);
  touch(s1.data, n);
  if (argc > 9) {
    push(&s1, &cap, 1);
    reserve(&s1, n, cap);
  }
  printf("%g %d\n", a[5] + b[6] + s1.data[3], rc);
}
