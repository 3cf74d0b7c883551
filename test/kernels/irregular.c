// Indirection: sparse matrices, gather and scatter, tables, linked structures.
// INPUTS 101 67 | 131 89
#include <stdlib.h>
#include <string.h>

#define KERNEL __attribute__((noinline)) static void
#define NEW(type, n) malloc((n) * sizeof(type))

// KERNEL csr_spmv: exact
//   A.rp serial stream(8) element 8 reads A->n + min(1, max(0, A->n)) writes n exact
//   A.val serial stream(8) element 8 reads trip+10 writes sum(i < n: i - 4*floordiv(i, 4)) exact
//   x serial random element 8 reads trip+10 writes 0 index A.col exact
//   A.col serial stream(4) element 4 reads trip+10 writes sum(i < n: i - 4*floordiv(i, 4)) exact
//   y serial stream(8) element 8 reads 0 writes A->n exact
//   A.rp serial invariant element 8 reads 0 writes 1 conditional -min(1, max(0, n)) + 1 exact
//   x serial stream(8) element 8 reads 0 writes n exact
struct csr {
  long n;
  long *rp;
  int *col;
  double *val;
};
KERNEL csr_spmv_loop(const struct csr *A, const double *x, double *y) {
  for (long i = 0; i < A->n; i++) {
    double s = 0;
    for (long k = A->rp[i]; k < A->rp[i + 1]; k++)
      s += A->val[k] * x[A->col[k]];
    y[i] = s;
  }
}
KERNEL csr_spmv(long n) {
  struct csr A = {.n = n};
  A.rp = NEW(long, n + 2);
  A.col = NEW(int, 3 * n);
  A.val = NEW(double, 3 * n);
  double *x = NEW(double, n);
  double *y = NEW(double, n);
  long k = 0;
  for (long i = 0; i < n; i++) {
    A.rp[i] = k;
    for (long j = 0; j < i % 4; j++) {
      A.col[k] = (i * 7 + j) % n;
      A.val[k++] = 1;
    }
  }
  A.rp[n] = k;
  for (long i = 0; i < n; i++)
    x[i] = i;
  csr_spmv_loop(&A, x, y);
  free(A.rp);
  free(A.col);
  free(A.val);
  free(x);
  free(y);
}

// KERNEL coo_spmv: exact
//   row serial stream(4) element 4 reads nnz writes 0 exact
//   y serial random element 8 reads nnz writes nnz index row exact
//   val serial stream(8) element 8 reads nnz writes 0 exact
//   x serial random element 8 reads nnz writes 0 index col exact
//   col serial stream(4) element 4 reads nnz writes 0 exact
KERNEL coo_spmv_loop(const int *row, const int *col, const double *val,
                     const double *x, double *y, long nnz) {
  for (long k = 0; k < nnz; k++)
    y[row[k]] += val[k] * x[col[k]];
}
KERNEL coo_spmv(long n, long m) {
  int *row = calloc(n, sizeof *row);
  int *col = calloc(n, sizeof *col);
  double *val = calloc(n, sizeof *val);
  double *x = calloc(m, sizeof *x);
  double *y = calloc(m, sizeof *y);
  coo_spmv_loop(row, col, val, x, y, n);
  free(row);
  free(col);
  free(val);
  free(x);
  free(y);
}

// KERNEL ell_spmv: exact
//   val serial strided(8*n) element 8 reads 5*n writes 0 exact
//   x serial random element 8 reads 5*n writes 0 index col exact
//   col serial strided(4*n) element 4 reads 5*n writes 0 exact
//   y serial stream(8) element 8 reads 0 writes n exact
KERNEL ell_spmv_loop(const int *col, const double *val, const double *x,
                     double *y, long n, long width) {
  for (long i = 0; i < n; i++) {
    double s = 0;
    for (long k = 0; k < width; k++)
      s += val[k * n + i] * x[col[k * n + i]];
    y[i] = s;
  }
}
KERNEL ell_spmv(long n) {
  int *col = calloc(5 * n, sizeof *col);
  double *val = calloc(5 * n, sizeof *val);
  double *x = calloc(n, sizeof *x);
  double *y = calloc(n, sizeof *y);
  ell_spmv_loop(col, val, x, y, n, 5);
  free(col);
  free(val);
  free(x);
  free(y);
}

// KERNEL gather: exact
//   y serial stream(8) element 8 reads 0 writes n exact
//   x serial random element 8 reads n writes 0 index idx exact
//   idx serial stream(4) element 4 reads gather_loop:n writes gather:n exact
KERNEL gather_loop(const int *idx, const double *x, double *y, long n) {
  for (long i = 0; i < n; i++)
    y[i] = x[idx[i]];
}
KERNEL gather(long n) {
  int *idx = NEW(int, n);
  double *x = NEW(double, n);
  double *y = NEW(double, n);
  for (long i = 0; i < n; i++)
    idx[i] = (i * 37) % n;
  gather_loop(idx, x, y, n);
  free(idx);
  free(x);
  free(y);
}

// KERNEL scatter: exact
//   idx serial stream(4) element 4 reads n writes 0 exact
//   y serial random element 8 reads 0 writes n index idx exact
KERNEL scatter_loop(const int *idx, double *y, long n) {
  for (long i = 0; i < n; i++)
    y[idx[i]] = i;
}
KERNEL scatter(long n) {
  int *idx = calloc(n, sizeof *idx);
  double *y = NEW(double, n);
  scatter_loop(idx, y, n);
  free(idx);
  free(y);
}

// KERNEL two_level_gather: exact
//   y serial stream(8) element 8 reads 0 writes n exact
//   x serial random element 8 reads n writes 0 index inner exact
//   inner serial random element 4 reads n writes 0 index outer exact
//   outer serial stream(4) element 4 reads n writes 0 exact
KERNEL two_level_gather_loop(const int *outer, const int *inner,
                             const double *x, double *y, long n) {
  for (long i = 0; i < n; i++)
    y[i] = x[inner[outer[i]]];
}
KERNEL two_level_gather(long n) {
  int *outer = calloc(n, sizeof *outer);
  int *inner = calloc(n, sizeof *inner);
  double *x = NEW(double, n);
  double *y = NEW(double, n);
  two_level_gather_loop(outer, inner, x, y, n);
  free(outer);
  free(inner);
  free(x);
  free(y);
}

// KERNEL histogram: exact
//   key serial stream(1) element 1 reads n writes 0 exact
//   count serial random element 8 reads n writes n index key exact
KERNEL histogram_loop(const unsigned char *key, long *count, long n) {
  for (long i = 0; i < n; i++)
    count[key[i]]++;
}
KERNEL histogram(long n, long m) {
  unsigned char *key = calloc(n * m, 1);
  long *count = calloc(257, sizeof *count);
  histogram_loop(key, count, n * m);
  free(key);
  free(count);
}

// KERNEL random_walk: exact
//   x serial random element 8 reads steps writes steps exact why computed-index
KERNEL random_walk_loop(double *x, long n, long steps) {
  unsigned long s = 1;
  for (long i = 0; i < steps; i++) {
    s = s * 6364136223846793005ul + 1442695040888963407ul;
    x[(s >> 33) % n] += 1;
  }
}
KERNEL random_walk(long n, long m) {
  double *x = NEW(double, n);
  random_walk_loop(x, n, n * m);
  free(x);
}

// KERNEL hash_insert: exact
//   keys serial stream(8) element 8 reads hash_insert_loop:n writes hash_insert:n exact
//   table serial random element 8 reads trip+4 writes 0 exact why computed-index
//   table serial random element 8 reads 0 writes n index keys exact
KERNEL hash_insert_loop(long *table, long size, const long *keys, long n) {
  for (long i = 0; i < n; i++) {
    long h = keys[i] * 2654435761u % size;
    while (table[h])
      h = (h + 1) % size;
    table[h] = keys[i];
  }
}
KERNEL hash_insert(long n) {
  long *table = calloc(2 * n + 1, sizeof *table);
  long *keys = NEW(long, n);
  for (long i = 0; i < n; i++)
    keys[i] = i * i + 1;
  hash_insert_loop(table, 2 * n + 1, keys, n);
  free(table);
  free(keys);
}

// KERNEL list_sum: exact
//   p serial chase element 8 dependent reads 2*trip+7 + trip+20 writes 0 exact
//   p serial strided element 8 reads 0 writes 2*m exact why fresh-object
struct node {
  struct node *next;
  double value, pad;
};
__attribute__((noinline)) static double list_sum_loop(const struct node *p) {
  double s = 0;
  for (; p; p = p->next)
    s += p->value;
  return s;
}
KERNEL list_sum(long m, double *out) {
  struct node *head = 0;
  for (long i = 0; i < m; i++) {
    struct node *p = malloc(sizeof *p);
    p->next = head;
    p->value = i;
    head = p;
  }
  *out += list_sum_loop(head);
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
}

// KERNEL pooled_list: exact
//   next serial chase element 4 dependent reads trip+2 writes 0 exact
//   value serial chase element 8 dependent reads trip+2 writes trip+2 exact
//   next serial stream(4) element 4 reads 0 writes n exact
//   next serial invariant element 4 reads 0 writes 1 exact
KERNEL pooled_list_loop(const int *next, double *value, long start) {
  for (long i = start; i >= 0; i = next[i])
    value[i] += 1;
}
KERNEL pooled_list(long n) {
  int *next = NEW(int, n);
  double *value = NEW(double, n);
  for (long i = 0; i < n; i++)
    next[i] = i + 13 < n ? i + 13 : i + 14 - n;
  next[n - 1] = -1;
  pooled_list_loop(next, value, 0);
  free(next);
  free(value);
}

// KERNEL tree_sum: exact
//   t serial strided element 8 reads 0 writes 3*taken+8 conditional 3*taken+8 exact why fresh-object
//   t serial chase element 8 dependent reads 2*taken+22 + 3*taken+17 writes 0 conditional 2*taken+22 + 3*taken+17 exact
struct tree {
  struct tree *left, *right;
  double value;
};
__attribute__((noinline)) static struct tree *tree_build(long n) {
  if (n == 0)
    return 0;
  struct tree *t = malloc(sizeof *t);
  t->value = n;
  t->left = tree_build((n - 1) / 2);
  t->right = tree_build(n - 1 - (n - 1) / 2);
  return t;
}
__attribute__((noinline)) static double tree_sum_walk(const struct tree *t) {
  if (!t)
    return 0;
  return t->value + tree_sum_walk(t->left) + tree_sum_walk(t->right);
}
__attribute__((noinline)) static void tree_free(struct tree *t) {
  if (!t)
    return;
  tree_free(t->left);
  tree_free(t->right);
  free(t);
}
KERNEL tree_sum(long m, double *out) {
  struct tree *root = tree_build(m);
  *out += tree_sum_walk(root);
  tree_free(root);
}

// KERNEL tree_search: exact
//   left,right serial chase element 4 dependent reads trip+6 writes 0 exact
//   key serial chase element 8 dependent reads trip+6 writes 0 exact
//   found serial stream(8) element 8 reads 0 writes n exact
//   left serial stream(4) element 4 reads 0 writes n exact
//   right serial stream(4) element 4 reads 0 writes n exact
//   key serial stream(8) element 8 reads 0 writes n exact
//   wanted serial stream(8) element 8 reads tree_search_loop:n writes tree_search:n exact
KERNEL tree_search_loop(const int *left, const int *right, const double *key,
                        const double *wanted, long *found, long n) {
  for (long i = 0; i < n; i++) {
    int at = 0;
    long depth = 0;
    while (at >= 0) {
      at = wanted[i] < key[at] ? left[at] : right[at];
      depth++;
    }
    found[i] = depth;
  }
}
KERNEL tree_search(long n) {
  int *left = NEW(int, n);
  int *right = NEW(int, n);
  double *key = NEW(double, n);
  double *wanted = NEW(double, n);
  long *found = NEW(long, n);
  for (long i = 0; i < n; i++) {
    left[i] = 2 * i + 1 < n ? 2 * i + 1 : -1;
    right[i] = 2 * i + 2 < n ? 2 * i + 2 : -1;
    key[i] = n - i;
    wanted[i] = i;
  }
  tree_search_loop(left, right, key, wanted, found, n);
  free(left);
  free(right);
  free(key);
  free(wanted);
  free(found);
}

// KERNEL binary_search: exact
//   a serial chase element 8 dependent reads trip+5 writes 0 exact
//   out serial stream(8) element 8 reads 0 writes m exact
//   a serial stream(8) element 8 reads 0 writes n exact
//   q serial stream(8) element 8 reads binary_search_loop:m*min(1, max(0, n)) writes binary_search:m exact
KERNEL binary_search_loop(const double *a, long n, const double *q, long *out,
                          long m) {
  for (long i = 0; i < m; i++) {
    long lo = 0, hi = n;
    while (lo < hi) {
      long mid = (lo + hi) / 2;
      if (a[mid] < q[i])
        lo = mid + 1;
      else
        hi = mid;
    }
    out[i] = lo;
  }
}
KERNEL binary_search(long n, long m) {
  double *a = NEW(double, n);
  double *q = NEW(double, m);
  long *out = NEW(long, m);
  for (long i = 0; i < n; i++)
    a[i] = i;
  for (long i = 0; i < m; i++)
    q[i] = i * 3 % 50;
  binary_search_loop(a, n, q, out, m);
  free(a);
  free(q);
  free(out);
}

// KERNEL compaction: exact
//   a serial stream(8) element 8 reads compaction_loop:n writes compaction:n exact
//   b serial stream(8) element 8 reads 0 writes taken+6 conditional taken+6 exact why conditional-step
__attribute__((noinline)) static long compaction_loop(const double *a,
                                                      double *b, long n) {
  long k = 0;
  for (long i = 0; i < n; i++)
    if (a[i] > 40)
      b[k++] = a[i];
  return k;
}
KERNEL compaction(long n, double *out) {
  double *a = NEW(double, n);
  double *b = NEW(double, n);
  for (long i = 0; i < n; i++)
    a[i] = i * 7 % 97;
  *out += compaction_loop(a, b, n);
  free(a);
  free(b);
}

// KERNEL conditional_update: exact
//   b serial stream(8) element 8 reads conditional_update_loop:n writes conditional_update:n exact
//   a serial stream(8) element 8 reads taken+4 writes taken+4 conditional 2*taken+4 exact
KERNEL conditional_update_loop(double *a, const double *b, long n) {
  for (long i = 0; i < n; i++)
    if (b[i] > 50)
      a[i] += 1;
}
KERNEL conditional_update(long n) {
  double *a = calloc(n, sizeof *a);
  double *b = NEW(double, n);
  for (long i = 0; i < n; i++)
    b[i] = i * 11 % 101;
  conditional_update_loop(a, b, n);
  free(a);
  free(b);
}

// KERNEL conditional_nest: exact
//   active serial stream(4) element 4 reads conditional_nest_loop:n writes conditional_nest:n exact
//   a serial stream(8) element 8 reads m*taken+4 writes m*taken+4 conditional 2*m*taken+4 exact
KERNEL conditional_nest_loop(double *a, const int *active, long n, long m) {
  for (long i = 0; i < n; i++)
    if (active[i])
      for (long j = 0; j < m; j++)
        a[i * m + j] += 1;
}
KERNEL conditional_nest(long n, long m) {
  double *a = calloc(n * m, sizeof *a);
  int *active = NEW(int, n);
  for (long i = 0; i < n; i++)
    active[i] = i % 3 == 0;
  conditional_nest_loop(a, active, n, m);
  free(a);
  free(active);
}

// KERNEL early_exit: exact
//   a serial stream(8) element 8 reads trip+3 writes n exact
__attribute__((noinline)) static long early_exit_loop(const double *a, long n,
                                                      double x) {
  for (long i = 0; i < n; i++)
    if (a[i] == x)
      return i;
  return -1;
}
KERNEL early_exit(long n, double *out) {
  double *a = NEW(double, n);
  for (long i = 0; i < n; i++)
    a[i] = i;
  *out += early_exit_loop(a, n, 42);
  free(a);
}

// KERNEL bfs_queue: exact
//   dist serial stream(64) element 64 reads 0 writes ceildiv(4*n, 64) exact
//   queue serial invariant element 4 reads 0 writes 1 exact
//   dist serial invariant element 4 reads 0 writes 1 exact
//   queue serial stream(4) element 4 reads trip+8 writes 0 exact
//   rp serial random element 8 reads 2*trip+8 writes 0 index queue exact
//   dist serial random element 4 reads taken+12 + trip+10 writes taken+12 conditional 2*taken+12 index adj,queue exact
//   adj serial stream(4) element 4 reads taken+12 + trip+10 writes 0 conditional taken+12 exact
//   queue serial stream(4) element 4 reads 0 writes taken+12 conditional taken+12 exact why conditional-step
//   rp serial stream(8) element 8 reads 0 writes n + 1 exact
//   adj serial strided(8) element 4 reads 0 writes 2*n exact
KERNEL bfs_queue_loop(const long *rp, const int *adj, int *queue, int *dist,
                      long n) {
  long head = 0, tail = 0;
  for (long i = 0; i < n; i++)
    dist[i] = -1;
  queue[tail++] = 0;
  dist[0] = 0;
  while (head < tail) {
    int u = queue[head++];
    for (long k = rp[u]; k < rp[u + 1]; k++)
      if (dist[adj[k]] < 0) {
        dist[adj[k]] = dist[u] + 1;
        queue[tail++] = adj[k];
      }
  }
}
KERNEL bfs_queue(long n) {
  long *rp = NEW(long, n + 2);
  int *adj = NEW(int, 2 * n);
  int *queue = NEW(int, n);
  int *dist = NEW(int, n);
  for (long i = 0; i <= n; i++)
    rp[i] = 2 * i;
  for (long i = 0; i < n; i++) {
    adj[2 * i] = (i + 1) % n;
    adj[2 * i + 1] = (i * 5 + 3) % n;
  }
  bfs_queue_loop(rp, adj, queue, dist, n);
  free(rp);
  free(adj);
  free(queue);
  free(dist);
}

// KERNEL pointer_jumping: exact
//   parent serial chase element 4 dependent reads trip+3 writes 0 exact
//   parent serial random element 4 reads n writes 0 index parent exact
//   parent serial stream(4) element 4 reads pointer_jumping_loop:n writes pointer_jumping:n + trip+3 exact
KERNEL pointer_jumping_loop(int *parent, long n) {
  for (long i = 0; i < n; i++)
    while (parent[i] != parent[parent[i]])
      parent[i] = parent[parent[i]];
}
KERNEL pointer_jumping(long n) {
  int *parent = NEW(int, n);
  for (long i = 0; i < n; i++)
    parent[i] = i ? i - 1 : 0;
  pointer_jumping_loop(parent, n);
  free(parent);
}

// KERNEL list_of_blocks: exact
//   p serial chase element 8 dependent reads trip+18 + trip+6 writes 0 exact
//   p serial stream(8) element 8 reads 10*trip+6 writes 10*trip+6 exact
//   p serial strided element 8 reads 0 writes m exact why fresh-object
struct block {
  struct block *next;
  double v[10];
};
KERNEL list_of_blocks_loop(struct block *p) {
  for (; p; p = p->next)
    for (int i = 0; i < 10; i++)
      p->v[i] += 1;
}
KERNEL list_of_blocks(long m) {
  struct block *head = 0;
  for (long i = 0; i < m; i++) {
    struct block *p = malloc(sizeof *p);
    p->next = head;
    head = p;
  }
  list_of_blocks_loop(head);
  while (head) {
    struct block *next = head->next;
    free(head);
    head = next;
  }
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 1;
  long n = atol(argv[1]), m = atol(argv[2]);
  double out = 0;
  csr_spmv(n);
  coo_spmv(n, m);
  ell_spmv(n);
  gather(n);
  scatter(n);
  two_level_gather(n);
  histogram(n, m);
  random_walk(n, m);
  hash_insert(n);
  list_sum(m, &out);
  pooled_list(n);
  tree_sum(m, &out);
  tree_search(n);
  binary_search(n, m);
  compaction(n, &out);
  conditional_update(n);
  conditional_nest(n, m);
  early_exit(n, &out);
  bfs_queue(n);
  pointer_jumping(n);
  list_of_blocks(m);
  return out < 0;
}
