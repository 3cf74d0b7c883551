// RUN: python3 %S/Inputs/check_rewrite.py %s %t %ekinclude --run=%eklib -- -std=gnu99 -pedantic
// Calls of allocation wrappers: at run time their ids are the context of the
// allocation inside.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XM(n) xmalloc(n)
#define ROW(n) ((double *)xmalloc((n) * sizeof(double)))
#define TWICE(x) ((x) == (x))
#define SHOW(x) (puts(#x), (x))

struct node {
  struct node *next;
  double v[20000];
};
typedef struct {
  int k[30000];
} bag;
typedef struct {
  void *p;
} box;

static jmp_buf failed;
static void *xmalloc(size_t n) {
  void *p = malloc(n);
  if (!p || n == 77)
    longjmp(failed, 1);
  return p;
}
// CHECK-FIXES: void *p = ek_malloc(0x{{[0-9a-f]+}}ULL, n);
// Called before its definition.
static inline void *later(size_t n);
static inline char *bytes(size_t n) { return later(n); }
// CHECK-FIXES: static inline char *bytes(size_t n) { return ek_leave({{.*}}, later(n))); }
static inline void *later(size_t n) { return n ? malloc(n) : (void *)0; }
static char *copy(const char *s) {
  char *p;
  p = xmalloc(strlen(s) + 100000);
  // CHECK-FIXES: p = ek_leave(0x[[ID:[0-9a-f]+]]ULL, (ek_enter(0x[[ID]]ULL), xmalloc(strlen(s) + 100000)));
  return strcpy(p, s), p;
}
static struct node *node(struct node *next) {
  struct node *n = calloc(1, sizeof *n);
  n->next = next;
  return n;
}
static bag *new_bag(void) { return (bag *)malloc(sizeof(bag)); }
static double *row(int n) {
  void *p = 0;
  return posix_memalign(&p, 64, n * sizeof(double)) ? 0 : p;
}
// Blocks that are never objects.
static box *small(void) { return malloc(sizeof(box)); }
// Gives what it was given.
static void *same(void *p) { return p; }
// Through memory: a structure that it is handed, a parameter, a structure that
// it returns.
static box *of(box *b) {
  b->p = malloc(100000);
  return b;
}
enum state { good, bad };
static void put(void **out, size_t n) { *out = malloc(n); }
static int check_put(void **out, size_t n) {
  if (!out)
    return -1;
  put(out, n);
  // CHECK-FIXES: {{^}}  (ek_enter(0x[[PUT:[0-9a-f]+]]ULL), put(out, n), ek_exit(0x[[PUT]]ULL));
  return *out ? 0 : 1;
}
static enum state aligned(void **out, size_t n) {
  return posix_memalign(out, 64, n) ? bad : good;
}
static box boxed(size_t n) {
  box b;
  b.p = malloc(n);
  return b;
}
static box literal(size_t n) { return (box){malloc(n)}; }
// Grows once it is full: it is called far more often than it allocates.
static void grow(box *b, size_t have, size_t want) {
  if (have < want)
    b->p = realloc(b->p, want);
}
static int grow_early(box *b, size_t have, size_t want) {
  if (want <= have)
    return 0;
  b->p = realloc(b->p, want);
  return 1;
}
// Fills what it was given; keeps what it allocates for itself.
static void *kept;
static void fill(box *b) { *(char *)b->p = 1; }
static void keep(box *b, size_t n) {
  kept = malloc(n);
  void *own = malloc(n);
  fill(b);
  free(own);
}
void *declared(size_t n) __attribute__((malloc));
inline void *external(size_t n) { return declared(n); }
// CHECK-FIXES: inline void *external(size_t n) { return declared(n); }
void *external(size_t n);
void *declared(size_t n) { return n ? same(malloc(n)) : 0; }

static int first(void) { return new_bag()->k[0] * 0; }
// CHECK-FIXES: static int first(void) { return ((bag *)ek_leave({{.*}}, new_bag())))->k[0] * 0; }

int main(void) {
  char *a = copy("abc"), *b = (char *)xmalloc(100000);
  // CHECK-FIXES: char *a = ((char *)ek_leave(0x[[A:[0-9a-f]+]]ULL, (ek_enter(0x[[A]]ULL), copy("abc")))), *b = (char *)ek_leave(0x{{.*}}, xmalloc(100000)));
  printf("%c %s %zu\n", copy("x")[0], copy("y"), sizeof(*copy("z")));
  // CHECK-FIXES: printf("%c %s %zu\n", ((char *)ek_leave({{.*}}, copy("x"))))[0], ((char *)ek_leave({{.*}}, copy("y")))), sizeof(*copy("z")));
  struct node *n = node(node(0)), *m = n ? node(n) : 0;
  // CHECK-FIXES: struct node *n = ((struct node *)ek_leave({{.*}}, node(((struct node *)ek_leave({{.*}}, node(0)))))))), *m = n ? ((struct node *)ek_leave({{.*}}, node(n)))) : 0;
  node(m)->v[3] = 1;
  // CHECK-FIXES: ((struct node *)ek_leave({{.*}}, node(m))))->v[3] = 1;
  copy("lost");
  // CHECK-FIXES: ek_leave(0x[[L:[0-9a-f]+]]ULL, (ek_enter(0x[[L]]ULL), copy("lost")));
  if (row(3) && !n)
    return 1;
  // CHECK-FIXES: if (((double *)ek_leave({{.*}}, row(3)))) && !n)
  {
    int bag = first();
    new_bag()->k[0] = bag;
    // CHECK-FIXES: new_bag()->k[0] = bag;
  }
  b = XM(100000), a = TWICE(xmalloc(1)) ? a : b;
  // CHECK-FIXES: b = ek_leave({{.*}}, XM(100000))), a = TWICE(ek_leave({{.*}}, xmalloc(1)))) ? a : b;
  double *r = ROW(9000), *s = SHOW(xmalloc(100000));
  // CHECK-FIXES: double *r = ((double *)ek_leave({{.*}}, xmalloc((9000) * sizeof(double))))), *s = SHOW(xmalloc(100000));
  box x, *y = small(), *z = of(&x);
  // CHECK-FIXES: box x, *y = small(), *z = ((box *)ek_leave({{.*}}, of(&x))));
  void *o = 0;
  if (check_put(&o, 70000) || aligned(&o, 70000) != good)
    return 1;
  // CHECK-FIXES: if (((int)ek_leave_number(0x[[O:[0-9a-f]+]]ULL, (ek_enter(0x[[O]]ULL), check_put(&o, 70000)))) || ((enum state)ek_leave_number({{.*}}, aligned(&o, 70000)))) != good)
  check_put(&o, 70000), (void)aligned(&o, 70000);
  // CHECK-FIXES: ((int)ek_leave_number({{.*}}, check_put(&o, 70000)))), (void)((enum state)ek_leave_number({{.*}}, aligned(&o, 70000))));
  box w = boxed(70000);
  // CHECK-FIXES: box w = (*(box *)ek_leave(0x[[W:[0-9a-f]+]]ULL, (box[1]){(ek_enter(0x[[W]]ULL), boxed(70000))}));
  w = literal(70000), fill(&w), o = boxed(70000).p;
  // CHECK-FIXES: w = (*(box *)ek_leave({{.*}}, literal(70000))})), fill(&w), o = (*(box *)ek_leave({{.*}}, boxed(70000))})).p;
  grow(&w, 1, 70000), grow_early(&w, 1, 70000), keep(&w, 70000);
  // CHECK-FIXES: {{^}}  grow(&w, 1, 70000), grow_early(&w, 1, 70000), keep(&w, 70000);
  void *(*pointer)(size_t) = xmalloc, *p = pointer(3), *q = declared(70000);
  // CHECK-FIXES: void *(*pointer)(size_t) = xmalloc, *p = ek_leave({{.*}}, pointer(3))), *q = ek_leave({{.*}}, declared(70000)));
  int count = 0;
  for (volatile int i = 0; i < 3; i++)
    if (setjmp(failed) == 0)
      p = xmalloc(i == 1 ? 77 : 70000);
    else
      puts("jumped");
  for (; n; n = n->next)
    count++;
  printf("%d %d %d %d\n", count, a != 0, r != s, p != q && y && z->p && external(5) && o && kept);
  return 0;
}
// CHECK-REPORT: 32 calls of wrappers: 29 annotated, 3 skipped (1 inline-function, 1 macro-stringised, 1 wrapper-type)
