#include "pool.h"
#include <stdlib.h>
struct pool *pool_open(size_t bytes) {
  struct pool *p = malloc(sizeof *p);
  p->base = malloc(bytes);
  p->used = 0;
  return p;
}
void *pool_get(struct pool *p, size_t n) {
  char *block = p->base + p->used;
  p->used += (n + 63) & ~(size_t)63;
  return block;
}
void *checked(size_t n) {
  void *p = malloc(n);
  if (!p)
    exit(1);
  return p;
}
