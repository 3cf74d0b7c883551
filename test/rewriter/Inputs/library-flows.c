#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct field {
  double *a, *v;
};
struct box {
  struct field f[2];
  union {
    double *x;
    void *y;
  } u;
};
static pthread_key_t key;
static double *shared;

static void *need(void *p) {
  if (!p)
    exit(1);
  return p;
}
static double *last(int n, ...) {
  va_list l;
  va_start(l, n);
  double *p = va_arg(l, double *);
  va_end(l);
  return p;
}

static void in_structures(void) {
  struct field w = {need(malloc(80000)), .v = malloc(80001)};
  struct box b = {{{malloc(80002)}}, {.y = malloc(80003)}};
  struct field copy = w, *at = &copy;
  free(at->a);
  free(at->v);
  free(b.f[0].a);
  free(b.u.x);
}

static void in_arrays(void) {
  double *rows[2] = {malloc(80004), 0}, **more = malloc(80005), *p;
  memcpy(more, rows, sizeof rows);
  p = more[0] ? more[0] : more[1];
  free(p);
  free(more);
}

static void among_bytes(void) {
  char bytes[sizeof(double *)];
  double *p = malloc(80016);
  void *q;
  memcpy(bytes, &p, sizeof p);
  memcpy(&q, bytes, sizeof q);
  free(q);
}

static void by_way_of_others(void) {
  __atomic_store_n(&shared, (double *)malloc(80006), __ATOMIC_SEQ_CST);
  double *p = __atomic_load_n(&shared, __ATOMIC_SEQ_CST);
  size_t number = (size_t)malloc(80007);
  free(p);
  free((void *)number);
  free(last(1, (double *)malloc(80008)));
  free(_Generic(p, double *: need(malloc(80009)), default: p));
  free(({ double *q = malloc(80010); q; }));
}

static void by_way_of_need(void) {
  double *p = need(malloc(80012)), *q = need(malloc(80013));
  free(p);
  free(q);
}

#define RELEASE(p) free(p)
static void in_a_macro(void) {
  double *p = malloc(80014);
  RELEASE(p);
}

static void *worker(void *data) { return realloc(data, 160000); }
static void in_a_thread(void) {
  pthread_t thread;
  void *back;
  pthread_create(&thread, 0, worker, malloc(80015));
  pthread_join(thread, &back);
  free(back);
}

static void out_of_sight(void) {
  pthread_key_create(&key, 0);
  pthread_setspecific(key, malloc(80011));
  free(pthread_getspecific(key));
  pthread_key_delete(key);
}

int main(void) {
  in_structures();
  in_arrays();
  among_bytes();
  by_way_of_others();
  by_way_of_need();
  in_a_macro();
  in_a_thread();
  out_of_sight();
}
