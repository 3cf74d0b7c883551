// RUN: rm -rf %t && mkdir %t && sed '/RUN:/d;/CHECK/d' %s > %t/a.cpp && cd %t
// RUN: python3 %S/Inputs/database.py %t %clangxx a.cpp && evenkeel-rewrite -p . -o out
// RUN: FileCheck %s --input-file=out/a.cpp
// RUN: %evenkeel analyze -p . --print | FileCheck --check-prefix=FACTS %s
// RUN: g++ -I %ekinclude out/a.cpp -L%eklib -Wl,-rpath,%eklib -levenkeel -o a && ./a
// Wrappers that hand on a block through a function which returns its argument:
// the sources and the facts know the same ones.
#include <cstdlib>
#include <cstring>

static void *need(void *p) {
  if (!p)
    exit(1);
  return p;
}
template <class T> static T *other(T *p, T *instead) {
  T *its = instead;
  return p ? p : its;
}
static const char *named(const char *name) { return name; }
struct store {
  char *at;
  store *self() { return this; }
  char *checked(char *p) { return p ? p : at; }
};

double *first(size_t n) { return (double *)need(malloc(n * 8)); }
double *second(size_t n) {
  return other((double *)malloc(n * 8), (double *)nullptr);
}
void *copied(const void *from, size_t n) { return memcpy(malloc(n), from, n); }
void *cleared(size_t n) { return std::memset(malloc(n), 0, n); }
char *member(store &s, size_t n) {
  return s.self()->checked((char *)malloc(n));
}
// What is returned is no block: its name is.
const char *none(size_t n) {
  free(malloc(n));
  return named("none");
}
int main(int argc, char **argv) {
  size_t n = argc > 1 ? atoi(argv[1]) : 100000;
  store s{};
  double *a = first(n);
  // CHECK: ek::call({{.*}}first(n)
  double *b = second(n);
  // CHECK: ek::call({{.*}}second(n)
  void *c = copied(a, n * 8);
  // CHECK: ek::call({{.*}}copied(a, n * 8)
  void *d = cleared(n * 8);
  // CHECK: ek::call({{.*}}cleared(n * 8)
  char *e = member(s, n * 8);
  // CHECK: ek::call({{.*}}member(s, n * 8)
  return none(n)[0] + a[0] + b[0] + ((char *)c)[0] + ((volatile char *)d)[0] + e[0] >
         1e9;
  // CHECK-NOT: ek::call({{.*}}none(n)
}
// FACTS-COUNT-5: context
// FACTS-NOT: context
