// Allocators of the program and of libraries: recognised by their declarations,
// by the user's options, and through pointers.
// RUN: %bitcode %s -o %t.bc && env EVENKEEL_ALLOCATORS='pool_get:2,arena_take:2*3>1,blob' %ekopt -passes='print<ek-program>' -disable-output %t.bc | FileCheck %s
// RUN: env EVENKEEL_ALLOCATORS=pool_get:x not %ekopt -passes='print<ek-program>' -disable-output %t.bc 2>&1 | FileCheck %s --check-prefix=WRONG
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A library's, as headers declare them.
__attribute__((malloc, alloc_size(1))) void *lib_alloc(size_t n);
__attribute__((malloc, alloc_size(2, 3))) void *lib_array(int tag, size_t n,
                                                         size_t each);
__attribute__((alloc_size(2))) void *lib_resize(void *p, size_t n);
__attribute__((malloc)) void *lib_opaque(size_t n);
void *blob(int number);

// The program's: parts of one block.
struct pool {
  char *base;
  size_t used;
};
__attribute__((noinline)) void *pool_get(struct pool *p, size_t n) {
  char *block = p->base + p->used;
  p->used += (n + 63) & ~(size_t)63;
  return block;
}
int arena_take(void *out, size_t n, size_t each) {
  return !(*(void **)out = malloc(n * each));
}

// Callbacks as in zlib, and pointers that are set once or at run time.
struct stream {
  void *(*take)(void *opaque, unsigned n, unsigned each);
  void *opaque;
};
static void *take_default(void *opaque, unsigned n, unsigned each) {
  (void)opaque;
  return malloc((size_t)n * each);
}
static void *(*my_malloc)(size_t) = malloc;
static void *(*my_calloc)(size_t, size_t);
void set(int how) { my_calloc = how ? calloc : 0; }
static void *(*either)(void *, size_t) = realloc;
void choose(int how) { either = how ? lib_resize : realloc; }

__attribute__((noinline)) static double walk(double *a, long n, int step) {
  double s = 0;
  for (long i = 0; i < n; i += step)
    s += a[i];
  return s;
}

int main(int argc, char **argv) {
  long n = atol(argv[1]);
  struct pool pool = {malloc(64 * n), 0};
  struct stream z = {argc > 2 ? 0 : take_default, 0};
  set(argc);
  choose(argc);
  double *a = pool_get(&pool, 8 * n), *b = pool_get(&pool, 16 * n), *c;
  if (arena_take(&c, n, sizeof *c))
    return 1;
  double *d = my_malloc(8 * n), *e = my_calloc(n, 8), *f = either(0, 24 * n);
  double *g = z.take(z.opaque, n, 8), *h = lib_alloc(8 * n);
  double *i = lib_array(1, n, 8), *j = lib_opaque(8 * n), *k = blob(argc);
  double *l = lib_alloc(8 * n);
  l = lib_resize(l, 32 * n);
  char *name = strdup(argv[0]);
  FILE *file = fopen(name, "w");
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (long x = 0; x < n; x++) {
    s += a[x];
    s += b[2 * x];
    s += c[3 * x];
    s += d[4 * x];
    s += e[5 * x];
    s += f[6 * x];
    s += g[7 * x];
    s += h[8 * x];
    s += i[9 * x];
    s += j[10 * x];
    s += k[11 * x];
    s += l[12 * x];
  }
  fprintf(file, "%g %s\n", s, name);
  return 0;
}
// CHECK: region parallel
// CHECK-NEXT:   user-allocators.c:72:10 pool_get@user-allocators.c:59:15 stream(8) element 8 reads share(main:n) writes 0 exact
// CHECK-NEXT:   user-allocators.c:73:10 pool_get@user-allocators.c:59:44 strided(16) element 8 reads share(main:n) writes 0 exact
// CHECK-NEXT:   user-allocators.c:74:10 arena_take@user-allocators.c:60:7 strided(24) element 8 reads share(main:n) writes 0 exact
// CHECK-NEXT:   user-allocators.c:75:10 malloc@user-allocators.c:62:15 strided(32) element 8 reads share(main:n) writes 0 exact
// CHECK-NEXT:   user-allocators.c:76:10 calloc@user-allocators.c:62:38 strided(40) element 8 reads share(main:n) writes 0 exact
// CHECK-NEXT:   user-allocators.c:77:10 indirect@user-allocators.c:62:60 strided(48) element 8 reads share(main:n) writes 0 exact
// CHECK-NEXT:   user-allocators.c:78:10 malloc@user-allocators.c:38:10 strided(56) element 8 reads share(main:n) writes 0 exact
// CHECK-NEXT:   user-allocators.c:79:10 lib_alloc@user-allocators.c:63:44 strided(64) element 8 reads share(main:n) writes 0 exact
// CHECK-NEXT:   user-allocators.c:80:10 lib_array@user-allocators.c:64:15 strided(72) element 8 reads share(main:n) writes 0 exact
// CHECK-NEXT:   user-allocators.c:81:10 lib_opaque@user-allocators.c:64:40 strided(80) element 8 reads share(main:n) writes 0 exact
// CHECK-NEXT:   user-allocators.c:82:10 blob@user-allocators.c:64:64 strided(88) element 8 reads share(main:n) writes 0 exact
// CHECK-NEXT:   user-allocators.c:83:10 lib_resize@user-allocators.c:66:7 strided(96) element 8 reads share(main:n) writes 0 exact
// CHECK: site malloc user-allocators.c:28:28 size arena_take:each*arena_take:n live
// CHECK-NEXT: site malloc user-allocators.c:38:10 size take_default:each*take_default:n live
// CHECK-NEXT: site malloc user-allocators.c:55:23 size 64*main:n live
// CHECK-NEXT: site pool_get user-allocators.c:59:15 size 8*main:n live
// CHECK-NEXT: site pool_get user-allocators.c:59:44 size 16*main:n live
// CHECK-NEXT: site arena_take user-allocators.c:60:7 size 8*main:n live
// CHECK-NEXT: site malloc user-allocators.c:62:15 size 8*main:n live
// CHECK-NEXT: site calloc user-allocators.c:62:38 size 8*main:n live
// CHECK-NEXT: site indirect user-allocators.c:62:60 size ? live
// CHECK-NEXT: site lib_alloc user-allocators.c:63:44 size 8*main:n live
// CHECK-NEXT: site lib_array user-allocators.c:64:15 size 8*main:n live
// CHECK-NEXT: site lib_opaque user-allocators.c:64:40 size ? live
// CHECK-NEXT: site blob user-allocators.c:64:64 size ? live
// CHECK-NEXT: site lib_alloc user-allocators.c:65:15 size 8*main:n live
// CHECK-NEXT: site lib_resize user-allocators.c:66:7 size 32*main:n live
// WRONG: not an allocator: 'pool_get:x'; write NAME[:SIZE[*COUNT]][>OUT]
