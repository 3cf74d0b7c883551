#include <stddef.h>
struct pool {
  char *base;
  size_t used;
};
struct pool *pool_open(size_t bytes);
void *pool_get(struct pool *p, size_t n);
void *checked(size_t n);
